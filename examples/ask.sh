#!/bin/sh
# Use Arbiter from a shell, with curl: examples/ask.sh [http://127.0.0.1:8080]
set -eu
arbiter=${1:-http://127.0.0.1:8080}
cd "$(dirname "$0")"

# ask ROUTE [OPTION...]: post standard input as it is. (`-d @-` would strip the newlines that text and NDJSON need.)
# On an error, this prints a problem document and returns 22.
ask() {
    route=$1
    shift
    curl --silent --show-error --fail-with-body --no-buffer --data-binary @- "$@" "$arbiter$route"
}

# Who wins, and how? Without `include`, you get only the verdict.
echo '{"board":["..#.","O..O","....",".X.."],"turn":"Red","include":["line"]}' | ask /pawn

# Ask for text, and you don't need a JSON parser.
echo '{"board":["..#.","O..O","....",".X.."]}' | ask /pawn --header 'Accept: text/plain' |
    while read -r winner moves; do echo "$winner wins after $moves moves"; done

# Which moves are illegal, who may play where, and what is the score? Points are [row, column] from the top left, or names.
echo '{"size":3,"moves":[["B",1,0],"B B3",["W",0,0]],"rules":"japanese","komi":0.5,"include":["legal","score"]}' | ask /go

# Many minefields at once. You choose the ids; answers come in the order of the cases.
echo '{"cases":[{"id":"a","board":["..."]},{"id":"b","rows":1,"cols":3,"mines":[[0,1]]}]}' | ask /mine

# A stream: any number of cases, one per line. Each answer arrives as soon as it is known, and a bad case doesn't stop the stream.
ask /mine --header 'Content-Type: application/x-ndjson' <fields.ndjson

# An error: a JSON Pointer says which part of the question is wrong.
echo '{"board":["OOO","X.."]}' | ask /pawn 2>/dev/null || echo "status $?"
