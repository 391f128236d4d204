#!/bin/sh
# Finds puzzles for the crossing pawn: boards on which exactly one move wins, and the win is long.
#
#     examples/puzzles.sh [COUNT]        the variable ARBITER is the program (default: build/arbiter)
#
# Writes random boards into a pipe, one a line, without end. `arbiter solve` answers them with all processors, one line for each.
# Prints each puzzle with its solution. The last awk ends when it has enough, and the closed pipes end the others.
set -eu

# A board with some obstacles, two red pieces, and the pawn below the first row.
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
        print "{\"board\":[" board "\"],\"include\":[\"case\",\"moves\"]}"
    }
}'

# The moves of an answer are sorted, the best first: here the first one wins and the second one does not, in at least 7 moves.
cell='\[([0-9]+,[0-9]+)\]'
puzzle='"verdict":"Red","steps":([7-9]|[0-9]{2,}),"moves":\[\{[^}]*\},\{[^}]*"verdict":"(Tie|Black)"'
words='s/.*"board":\["([^]]*)"\].*"steps":([0-9]+),"moves":\[\{"from":'$cell',"to":'$cell'.*/\1\nRed wins in \2 moves: \3 to \4\n/'

awk "$boards" | "${ARBITER:-build/arbiter}" solve pawn --from ndjson | grep -E --line-buffered "$puzzle" |
    sed -E -u "$words" | sed -u 's/","/\n/g' | awk -v wanted="${1:-3}" '{ print } /^$/ && ++found == wanted { exit }'
