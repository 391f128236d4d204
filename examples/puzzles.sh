#!/bin/sh
# A finder of puzzles for the crossing pawn: boards on which exactly one move wins, and the win is long.
#
#     examples/puzzles.sh [COUNT]        ARBITER names the program; by default it is build/arbiter
#
# Random boards go into a pipe without end, a line each; `arbiter solve` answers them with all processors, a line each, as they
# come. Prints each puzzle with its solution. When `head` has enough, it closes its pipe, and that ends the others.
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

# Moves come best first: the first one wins, and the second one does not. The win takes seven moves or more.
cell='\[([0-9]+,[0-9]+)\]'
puzzle='"verdict":"Red","steps":([7-9]|[0-9]{2,}),"moves":\[\{[^}]*\},\{[^}]*"verdict":"(Tie|Black)"'
words='s/.*"board":\["([^]]*)"\].*"steps":([0-9]+),"moves":\[\{"from":'$cell',"to":'$cell'.*/\1\nRed wins in \2 moves: \3 to \4\n/'

awk "$boards" | "${ARBITER:-build/arbiter}" solve pawn --from ndjson | grep -E --line-buffered "$puzzle" |
    sed -E -u "$words" | sed -u 's/","/\n/g' | awk -v wanted="${1:-3}" '{ print } /^$/ && ++found == wanted { exit }'
