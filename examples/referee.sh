#!/bin/sh
# A referee for Go records: which moves break the rules given in the record?
#
#     examples/referee.sh [--at http://127.0.0.1:8080] GAME.sgf...
#
# Prints a line for each legal game and for each illegal move. The exit status is 1 if a move is illegal or a record can't be read.
set -eu
arbiter=http://127.0.0.1:8080
if [ "${1:-}" = --at ]; then
    arbiter=$2
    shift 2
fi

# In JSON a miss is {"move":8,"color":"W","at":[4,4],"name":"E5","code":1,"reason":"occupied"}.
miss='"move":[0-9]*,"color":"[BW]","at":\[[0-9,]*\],"name":"[A-Z0-9]*","code":[0-9],"reason":"[a-z]*"'
words='s/"move":([0-9]+),"color":"(.)".*"name":"([A-Z0-9]+)".*"reason":"([a-z]+)"/move \1, \2 \3: \4/'

legal='s/.*"played":([0-9]+).*"ko":"([a-z]+)".*"source":"([a-z]+)".*/\1 moves, all legal under \2 ko (source: \3)/'

status=0
for file in "$@"; do
    # `game=all` asks for every game of a collection; NDJSON gives each its own answer.
    answers=$(curl --silent --show-error --fail-with-body --data-binary "@$file" \
        --header 'Content-Type: application/x-go-sgf' --header 'Accept: application/x-ndjson' "$arbiter/go?game=all") || status=1
    number=0
    while IFS= read -r answer; do
        number=$((number + 1))
        game="$file, game $number"
        case $answer in
        *'"misses":[]'*)
            echo "$answer" | sed -E "$legal"
            ;;
        *'"misses":'*)
            echo "$answer" | grep -o "$miss" | sed -E "$words"
            ;;
        *)
            printf '%s\n' "$answer" | sed -E 's/.*"status":[0-9]+,"detail":"(([^"\\]|\\.)*)".*/\1/; s/\\(.)/\1/g'
            ;;
        esac | while IFS= read -r line; do echo "$game: $line"; done
        case $answer in *'"misses":[]'*) ;; *) status=1 ;; esac
    done <<END
$answers
END
done
exit "$status"
