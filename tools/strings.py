"""A build tool: strings.py OUTPUT HEADER [NAME FILE]... writes a C file with a string for each pair: `const char NAME[]` has the text
of the file, which is in ASCII. HEADER declares the strings."""
import json
import sys

output, header, *pairs = sys.argv[1:]
with open(output, "w", encoding="ascii", newline="\n") as out:
    out.write(f'#include "{header}"\n')
    for name, path in zip(pairs[::2], pairs[1::2]):
        with open(path, encoding="ascii", newline="") as text:
            # JSON's escapes are also those of C, which has trigraphs besides.
            lines = [json.dumps(line).replace("?", "\\?") for line in text.readlines()]
        out.write(f"\nconst char {name}[] =\n    " + "\n    ".join(lines) + ";\n")
