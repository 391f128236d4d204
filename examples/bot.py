"""A bot for two-player Minesweeper.

    python3 examples/bot.py [--at http://127.0.0.1:8080] FIELD.json [Xiemao|Fanglaoshi]

The last argument says which player the bot plays; Xiemao, the default, clicks first. FIELD.json is a case: {"board": [...]}.
Type your clicks as "ROW COLUMN", counting from 0 at the top left. The list of clicks is the only state: each question sends all of
them, and the answer says whose turn it is, which clicks win, and what the players can see of the field."""

import json
import sys
from urllib.error import HTTPError
from urllib.request import Request, urlopen

words = sys.argv[1:]
arbiter = "http://127.0.0.1:8080"
if words[:1] == ["--at"]:
    arbiter, words = words[1], words[2:]
with open(words[0]) as file:
    board = json.load(file)["board"]
me = words[1] if len(words) > 1 else "Xiemao"


def ask(clicks):
    question = {"board": board, "clicks": clicks, "include": ["wins", "face"]}
    with urlopen(Request(arbiter + "/mine", json.dumps(question).encode(), {"Content-Type": "application/json"})) as response:
        return json.load(response)


def covered(face):
    """The safe cells that are still covered."""
    return [[r, c] for r, row in enumerate(face) for c, cell in enumerate(row) if cell == "#" and board[r][c] != "*"]


clicks = []
answer = ask(clicks)
while cells := covered(answer["face"]):
    if answer["turn"] == me:
        # `wins` is empty in a lost position, and null if the winning clicks aren't known.
        click = (answer["wins"] or cells)[0]
        print(f"{me} clicks {click[0]} {click[1]}")
    else:
        line = sys.stdin.readline()
        if line == "":
            sys.exit("the game is not over")
        click = [int(number) for number in line.split()]
    try:
        answer = ask(clicks + [click])
        clicks.append(click)
    except HTTPError as error:  # this cell can't be clicked
        print(json.load(error)["detail"], file=sys.stderr)
print(*answer["face"], sep="\n")
print("Fanglaoshi" if answer["turn"] == "Xiemao" else "Xiemao", "wins")
