#!/bin/sh
# Find puzzles for the crossing pawn: boards with exactly one winning move, and a long way to the win.
#
#     examples/puzzles.sh [COUNT]        set ARBITER to the path of the program (default: build/arbiter)
#
# Writes random boards to a pipe, one per line, without end. `arbiter solve` solves them on all processors and prints one line for
# each. Every puzzle is printed with its solution. The last awk exits once it has enough, and the closed pipes
# stop the rest.
set -eu

# A board with a few obstacles, two red pieces, and the pawn below the first row.
boards='
BEGIN {
    srand()
    for (rows = columns = 5; ;) {
        for (cell = 0; cell < rows * columns; cell++) cells[cell] = rand() < 0.2 ? "#" : "."
        cells[columns + int(rand() * (rows - 1) * columns)] = "X"
        for (red = 0; red < 2; ) {
            cell = int(rand() * rows * columns)
            if (cells[cell] ~ /[XO]/) continue
            cells[cell] = "O"
            red++
        }
        board = ""
        for (cell = 0; cell < rows * columns; cell++) board = board (cell % columns ? "" : cell ? "\",\"" : "\"") cells[cell]
        print "[" board "\"]"
    }
}'

# Moves are sorted from best to worst. We want the first one to win, in at least 7 moves, and the second one not to.
cell='\[([0-9]+,[0-9]+)\]'
puzzle='"verdict":"Red","steps":([7-9]|[0-9]{2,}),"moves":\[\{[^}]*\},\{[^}]*"verdict":"(Tie|Black)"'
words='s/.*"board":\["([^]]*)"\].*"steps":([0-9]+),"moves":\[\{"from":'$cell',"to":'$cell'.*/\1\nRed wins in \2 moves: \3 to \4\n/'

awk "$boards" | "${ARBITER:-build/arbiter}" solve pawn --from ndjson --include case,moves | grep -E --line-buffered "$puzzle" |
    sed -E -u "$words" | sed -u 's/","/\n/g' | awk -v wanted="${1:-3}" '{ print } /^$/ && ++found == wanted { exit }'
