"""A referee for Go records: which moves break the rules given in the record?

    python3 examples/referee.py [--at http://127.0.0.1:8080] GAME.sgf...

Prints a line for each legal game and for each illegal move. The exit status is 1 if a move is illegal or a record can't be read."""

import json
import sys
from urllib.error import HTTPError
from urllib.request import Request, urlopen

files = sys.argv[1:]
arbiter = "http://127.0.0.1:8080"
if files[:1] == ["--at"]:
    arbiter, files = files[1], files[2:]

# `game=all` asks for every game of a collection. NDJSON gives each its own answer, even if another one can't be read.
headers = {"Content-Type": "application/x-go-sgf", "Accept": "application/x-ndjson"}
good = True
for name in files:
    with open(name, "rb") as record:
        request = Request(arbiter + "/go?game=all", record.read(), headers)
    try:
        lines = urlopen(request)
    except HTTPError as error:
        print(f"{name}: {json.load(error)['detail']}")
        good = False
        continue
    with lines:
        for number, line in enumerate(lines, 1):
            answer = json.loads(line)
            game = f"{name}, game {number}"
            if "problem" in answer:
                print(f"{game}: {answer['problem']['detail']}")
            elif not answer["misses"]:
                print("{game}: {played} moves, all legal under {rules[ko]} ko (source: {rules[source]})".format(game=game, **answer))
            for miss in answer.get("misses", []):
                print("{game}: move {move}, {color} {name}: {reason}".format(game=game, **miss))
            good = good and answer.get("misses") == []
sys.exit(0 if good else 1)
