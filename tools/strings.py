"""A build tool: strings.py OUTPUT HEADER [NAME FILE]... generates a C file that defines `const char NAME[]` for each pair, with the
contents of an ASCII file. HEADER declares the strings."""
import json
import sys

output, header, *pairs = sys.argv[1:]
with open(output, "w", encoding="ascii", newline="\n") as out:
    out.write(f'#include "{header}"\n')
    for name, path in zip(pairs[::2], pairs[1::2]):
        with open(path, encoding="ascii", newline="") as text:
            # JSON's escapes are valid in C, too; '?' is escaped because of trigraphs.
            lines = [json.dumps(line).replace("?", "\\?") for line in text.readlines()]
        out.write(f"\nconst char {name}[] =\n    " + "\n    ".join(lines) + ";\n")
