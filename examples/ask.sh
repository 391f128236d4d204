#!/bin/sh
# Asking Arbiter from a shell, with curl: examples/ask.sh [http://127.0.0.1:8080]
set -eu
arbiter=${1:-http://127.0.0.1:8080}
cd "$(dirname "$0")"

# ask ROUTE [OPTION...]: post what comes on standard input, as it is. (`-d @-` would take the line ends out, which text and
# lines need.) What is refused prints a problem document, and the status is 22.
ask() {
    route=$1
    shift
    curl --silent --show-error --fail-with-body --no-buffer --data-binary @- "$@" "$arbiter$route"
}

# Who wins, and how? Without `include` there is only the verdict.
echo '{"board":["..#.","O..O","....",".X.."],"turn":"Red","include":["line"]}' | ask /pawn

# In text there is nothing to take apart.
echo '{"board":["..#.","O..O","....",".X.."]}' | ask /pawn --header 'Accept: text/plain' |
    while read -r winner moves; do echo "$winner wins after $moves moves"; done

# Which moves were not possible? A point is [row, column] from the top left, or a name such as C3.
echo '{"size":3,"moves":[["B",1,0],["B","B3"],["W",0,0]]}' | ask /go

# Many fields at once. The ids are yours; answers come in the order of the cases.
echo '{"cases":[{"id":"a","board":["..."]},{"id":"b","rows":1,"cols":3,"mines":[[0,1]]}]}' | ask /mine

# As many as you like, a case a line. Each answer comes as soon as it is known, and a bad case spoils nothing.
ask /mine --header 'Content-Type: application/x-ndjson' <fields.ndjson

# A mistake: the problem says where, by a JSON Pointer into the question.
echo '{"board":["OOO","X.."]}' | ask /pawn 2>/dev/null || echo "status $?"
