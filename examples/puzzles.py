"""Find puzzles for the crossing pawn: boards with exactly one winning move, and a long way to the win.

    python3 examples/puzzles.py [COUNT]        set ARBITER to the path of the program (default: build/arbiter)

Writes random boards to a pipe, one per line, without end. `arbiter solve` solves them on all processors and prints one line for
each. Every puzzle is printed with its solution."""

import json
import os
import random
import subprocess
import sys
import threading

ROWS, COLUMNS, LEAST_STEPS = 5, 5, 7
wanted = int(sys.argv[1]) if len(sys.argv) > 1 else 3


def board():
    """A board with a few obstacles, two red pieces, and the pawn below the first row."""
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
                print(json.dumps(board()), file=pipe)
    except BrokenPipeError:  # the program has exited
        pass


# With "case", each result repeats its board, so there is no need to keep the boards.
arbiter = [os.environ.get("ARBITER", "build/arbiter"), "solve", "pawn", "--from", "ndjson", "--include", "case,moves"]
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
