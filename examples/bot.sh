#!/bin/sh
# A bot for two-player Minesweeper.
#
#     examples/bot.sh [--at http://127.0.0.1:8080] FIELD.json [Xiemao|Fanglaoshi]
#
# The last argument says which player the bot plays; Xiemao, the default, clicks first. FIELD.json is a case: {"board":[...]}.
# Type your clicks as "ROW COLUMN", counting from 0 at the top left. The list of clicks is the only state: each question sends all of
# them, and the answer says whose turn it is, which clicks win, and what the players can see of the field.
set -eu
arbiter=http://127.0.0.1:8080
if [ "${1:-}" = --at ]; then
    arbiter=$2
    shift 2
fi
field=$(tr -d ' \n' <"$1")
me=${2:-Xiemao}

# ask CLICKS: print the answer; returns 22 if a click is rejected
ask() {
    echo "${field%\}},\"clicks\":[$1],\"include\":[\"wins\",\"face\"]}" |
        curl --silent --fail-with-body --data-binary @- "$arbiter/mine"
}

# rows NAME: read JSON from standard input and print the rows of this member, one per line
rows() { sed -E "s/.*\"$1\":\\[\"([^]]*)\"\\].*/\\1/; s/\",\"/\\n/g"; }

# first_covered: print the first safe cell that is still covered as "ROW COLUMN", or nothing if there is none
first_covered() {
    { echo "$field" | rows board && echo "$answer" | rows face; } | awk '
        { line[NR] = $0 }
        END {
            for (row = 1; row <= NR / 2; row++)
                for (column = 1; column <= length(line[row]); column++)
                    if (substr(line[NR / 2 + row], column, 1) == "#" && substr(line[row], column, 1) != "*") {
                        print row - 1, column - 1
                        exit
                    }
        }'
}

clicks=
answer=$(ask "$clicks")
while cell=$(first_covered) && [ -n "$cell" ]; do
    case $answer in
    *"\"turn\":\"$me\""*)
        # `wins` is empty in a lost position, and null if the winning clicks aren't known.
        click=$(echo "$answer" | sed -nE 's/.*"wins":\[\[([0-9]+),([0-9]+)\].*/\1 \2/p')
        click=${click:-$cell}
        echo "$me clicks $click"
        ;;
    *)
        read -r click || {
            echo 'the game is not over' >&2
            exit 1
        }
        ;;
    esac
    more="${clicks:+$clicks,}[$(echo "$click" | tr -s ' ' ,)]"
    if next=$(ask "$more"); then
        clicks=$more answer=$next
    else # this cell can't be clicked
        echo "$next" | sed -E 's/.*"status":[0-9]+,"detail":"(([^"\\]|\\.)*)".*/\1/; s/\\(.)/\1/g' >&2
    fi
done
echo "$answer" | rows face
case $answer in *'"turn":"Xiemao"'*) echo Fanglaoshi wins ;; *) echo Xiemao wins ;; esac
