"""A bot for Minesweeper for two players.

    python3 examples/bot.py [--at http://127.0.0.1:8080] FIELD.json [Xiemao|Fanglaoshi]

The last argument names the player that the bot plays; Xiemao, the default, clicks first. FIELD.json is a case: {"board": [...]}.
Type your clicks, "ROW COLUMN" from 0 at the top left. The only state is the list of clicks: each question has all of them, and
the answer has the player whose turn it is, the clicks that win, and the field as the players see it."""

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
    """The safe cells that can still be clicked."""
    return [[r, c] for r, row in enumerate(face) for c, cell in enumerate(row) if cell == "#" and board[r][c] != "*"]


clicks = []
answer = ask(clicks)
while cells := covered(answer["face"]):
    if answer["turn"] == me:
        # If the position is lost, `wins` is empty; if the winning clicks are not known, it is null.
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
    except HTTPError as error:  # this cell cannot be clicked
        print(json.load(error)["detail"], file=sys.stderr)
print(*answer["face"], sep="\n")
print("Fanglaoshi" if answer["turn"] == "Xiemao" else "Xiemao", "wins")
