"""Use Arbiter from Python, with only the standard library: python3 examples/ask.py [http://127.0.0.1:8080]"""

import json
import sys
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import Request, urlopen

arbiter = sys.argv[1] if len(sys.argv) > 1 else "http://127.0.0.1:8080"


def post(route, body, content_type="application/json"):
    return urlopen(Request(arbiter + route, body, {"Content-Type": content_type}))


def ask(route, question):
    """One question, one answer. On an error, raises an HTTPError, whose body says what is wrong and where."""
    with post(route, json.dumps(question).encode()) as response:
        return json.load(response)


# Who wins, and how? Without `include`, you get only the verdict.
answer = ask("/pawn", {"board": ["..#.", "O..O", "....", ".X.."], "turn": "Red", "include": ["line"]})
first = answer["line"][0]
print("pawn: {verdict} wins after {steps} moves, ".format(**answer), end="")
print("the first from {},{} to {},{}".format(*first["from"], *first["to"]))

# Which moves are illegal, who may play where, and what is the score? Points are [row, column] from the top left, or names.
moves = [["B", 1, 0], "B B3", ["W", 0, 0]]
game = ask("/go", {"size": 3, "moves": moves, "rules": "japanese", "komi": 0.5, "include": ["legal", "score"]})
for miss in game["misses"]:
    print("go: move {move} is a miss: {reason}".format(**miss))
legal, score = game["legal"], game["score"]
print("go:", " ".join(legal["board"]) + ", {color} may play on {count} points, ".format(**legal) + score["result"])

# Many minefields at once. You choose the ids; answers come in the order of the cases.
cases = [{"id": "a", "board": ["..."]}, {"id": "b", "rows": 1, "cols": 3, "mines": [[0, 1]]}]
for result in ask("/mine", {"cases": cases})["results"]:
    print("mine: {id} is won by {verdict}".format(**result))

# A stream: any number of cases, one per line. Each answer arrives as soon as it is known, and a bad case doesn't stop the stream.
# If the stream is cut off, lines are missing; `strict` turns that into an error.
fields = Path(__file__).with_name("fields.ndjson").read_bytes()
with post("/mine", fields, "application/x-ndjson") as stream:
    for _, line in zip(fields.splitlines(), stream, strict=True):
        result = json.loads(line)
        print("line:", result["problem"]["detail"] if "problem" in result else result["verdict"])

# An error: a JSON Pointer says which part of the question is wrong.
try:
    ask("/pawn", {"board": ["OOO", "X.."]})
except HTTPError as error:
    problem = json.load(error)
    print("error: {status} at {errors[0][pointer]}: {detail}".format(**problem))
