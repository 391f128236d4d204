"""The result of a Go record, with the dead stones that you name.

    python3 examples/result.py [--at http://127.0.0.1:8080] [--rules RULES] GAME.sgf [POINT...]

RULES is a name, such as japanese. Komi is the record's. Each POINT, such as D4, is a stone whose chain is dead. Prints who owns each point
of the final board (B and W are living stones, b and w are points) and the result. The exit status is 1 if a point or the record is wrong."""

import json
import sys
from urllib.error import HTTPError
from urllib.request import Request, urlopen

words = sys.argv[1:]
arbiter, rules = "http://127.0.0.1:8080", "chinese"
while words[:1] in (["--at"], ["--rules"]):
    if words[0] == "--at":
        arbiter = words[1]
    else:
        rules = words[1]
    words = words[2:]

with open(words[0], "rb") as record:
    sgf = record.read()
try:
    question = {"sgf": sgf.decode(), "rules": rules, "dead": words[1:], "include": ["score", "territory"]}
    request = Request(arbiter + "/go", json.dumps(question).encode(), {"Content-Type": "application/json"})
    with urlopen(request) as response:
        answer = json.load(response)
except UnicodeDecodeError:
    sys.exit(f"{words[0]} isn't UTF-8; convert it, for example with iconv -f GB18030 -t UTF-8")
except HTTPError as error:
    sys.exit(json.load(error)["detail"])

score = answer["score"]
print("\n".join(answer["territory"]))
print("Black {B}, White {W}, komi {komi}: {result} ({scoring} scoring)".format(**score))
print("dead stones: {B} black, {W} white".format(**score["dead"]))
