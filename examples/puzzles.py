"""Finds puzzles for the crossing pawn: boards on which exactly one move wins, and the win is long.

    python3 examples/puzzles.py [COUNT]        the variable ARBITER is the program (default: build/arbiter)

Writes random boards into a pipe, one a line, without end. `arbiter solve` answers them with all processors, one line for each.
Prints each puzzle with its solution."""

import json
import os
import random
import subprocess
import sys
import threading

ROWS, COLUMNS, LEAST_STEPS = 5, 5, 7
wanted = int(sys.argv[1]) if len(sys.argv) > 1 else 3


def board():
    """A board with some obstacles, two red pieces, and the pawn below the first row."""
    cells = random.choices(".#", [4, 1], k=ROWS * COLUMNS)
    pawn = random.randrange(COLUMNS, len(cells))
    cells[pawn] = "X"
    for red in random.sample([cell for cell in range(len(cells)) if cell != pawn], 2):
        cells[red] = "O"
    return ["".join(cells[row * COLUMNS : (row + 1) * COLUMNS]) for row in range(ROWS)]


def write(pipe):
    try:
        with pipe:
            while True:
                print(json.dumps({"board": board(), "include": ["case", "moves"]}), file=pipe)
    except BrokenPipeError:  # the program has ended
        pass


# With "case", a result contains its board, so the boards need not be kept here.
arbiter = [os.environ.get("ARBITER", "build/arbiter"), "solve", "pawn", "--from", "ndjson"]
solver = subprocess.Popen(arbiter, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
writer = threading.Thread(target=write, args=[solver.stdin])
writer.start()
for line in solver.stdout:
    answer = json.loads(line)
    wins = [move for move in answer["moves"] if move["verdict"] == "Red"]
    if len(wins) != 1 or len(answer["moves"]) == 1 or answer["steps"] < LEAST_STEPS:
        continue
    print(*answer["case"]["board"], sep="\n")
    print("Red wins in {steps} moves: {from[0]},{from[1]} to {to[0]},{to[1]}\n".format(**wins[0]))
    wanted -= 1
    if wanted == 0:
        break
solver.kill()
writer.join()
