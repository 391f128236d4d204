#!/usr/bin/env python3
"""Converts the corpus of a fuzz target between a single file with one input per line, which replay.c reads, and a folder with
one file per input, which libFuzzer uses.

    corpus.py unpack FILE FOLDER    write each input in FILE (if it exists) to a file in FOLDER
    corpus.py pack FOLDER FILE      write all inputs in FOLDER to FILE, shortest first
"""
import hashlib
import pathlib
import re
import sys


def escape(data):
    text = ''.join(chr(b) if 0x20 <= b < 0x7F and b != 0x5C else f'\\x{b:02x}' for b in data)
    return text.replace('\\x0a', '\\n').replace('\\x5c', '\\\\')


def unescape(line):
    one = lambda match: {'n': b'\n', '\\': b'\\'}.get(match[1]) or bytes([int(match[1][1:], 16)])
    return b''.join(one(part) if part[0][0] == '\\' else part[0].encode() for part in re.finditer(r'\\(n|\\|x..)|[^\\]', line))


def unpack(file, folder):
    folder.mkdir(parents=True, exist_ok=True)
    for line in file.read_text('ascii').splitlines() if file.exists() else []:
        data = unescape(line)
        (folder / hashlib.sha1(data).hexdigest()).write_bytes(data)


def pack(folder, file):
    inputs = sorted((path.read_bytes() for path in folder.iterdir()), key=lambda data: (len(data), data))
    file.write_text(''.join(escape(data) + '\n' for data in inputs), 'ascii')


if __name__ == '__main__':
    how, source, target = sys.argv[1:]
    {'unpack': unpack, 'pack': pack}[how](pathlib.Path(source), pathlib.Path(target))
