#!/bin/sh
# Asks Arbiter from a shell, with curl: examples/ask.sh [http://127.0.0.1:8080]
set -eu
arbiter=${1:-http://127.0.0.1:8080}
cd "$(dirname "$0")"

# ask ROUTE [OPTION...]: post standard input unchanged. (`-d @-` would remove the line ends, which text and NDJSON need.)
# For a refusal it prints a problem document, and its status is 22.
ask() {
    route=$1
    shift
    curl --silent --show-error --fail-with-body --no-buffer --data-binary @- "$@" "$arbiter$route"
}

# Who wins, and how? Without `include` there is only the verdict.
echo '{"board":["..#.","O..O","....",".X.."],"turn":"Red","include":["line"]}' | ask /pawn

# An answer as text needs no JSON parser.
echo '{"board":["..#.","O..O","....",".X.."]}' | ask /pawn --header 'Accept: text/plain' |
    while read -r winner moves; do echo "$winner wins after $moves moves"; done

# Which moves are illegal? A point is [row, column] from the top left, or a name such as C3.
echo '{"size":3,"moves":[["B",1,0],["B","B3"],["W",0,0]]}' | ask /go

# Many fields at once. The ids are your own; answers come in the order of the cases.
echo '{"cases":[{"id":"a","board":["..."]},{"id":"b","rows":1,"cols":3,"mines":[[0,1]]}]}' | ask /mine

# A stream: any number of cases, one a line. Each answer comes as soon as it is known; after a bad case it goes on.
ask /mine --header 'Content-Type: application/x-ndjson' <fields.ndjson

# An error: a JSON Pointer into the question says where it is.
echo '{"board":["OOO","X.."]}' | ask /pawn 2>/dev/null || echo "status $?"
