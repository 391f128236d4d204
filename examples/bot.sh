#!/bin/sh
# A bot for Minesweeper for two.
#
#     examples/bot.sh [--at http://127.0.0.1:8080] FIELD.json [Xiemao|Fanglaoshi]
#
# The bot plays Xiemao, who clicks first, unless it is to play Fanglaoshi. FIELD.json is a case: {"board":[...]}. Your clicks come on
# standard input, "ROW COLUMN" from 0 at the top left. It keeps no state but the clicks: each question has all of them, and the
# answer has whose turn it is, the clicks that win, and what the players see.
set -eu
arbiter=http://127.0.0.1:8080
if [ "${1:-}" = --at ]; then
    arbiter=$2
    shift 2
fi
field=$(tr -d ' \n' <"$1")
me=${2:-Xiemao}

# ask CLICKS: the answer; the status is 22 if the clicks are refused
ask() {
    echo "${field%\}},\"clicks\":[$1],\"include\":[\"wins\",\"face\"]}" |
        curl --silent --fail-with-body --data-binary @- "$arbiter/mine"
}

# rows NAME: the rows of a board in the JSON on standard input, a line each
rows() { sed -E "s/.*\"$1\":\\[\"([^]]*)\"\\].*/\\1/; s/\",\"/\\n/g"; }

# first_covered: the first safe cell that can still be clicked, "ROW COLUMN"; nothing if there is none
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
        # No click wins where the position is lost; and `wins` is null where they are not known.
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
    else # not a cell that can be clicked
        echo "$next" | sed -E 's/.*"status":[0-9]+,"detail":"(([^"\\]|\\.)*)".*/\1/; s/\\(.)/\1/g' >&2
    fi
done
echo "$answer" | rows face
case $answer in *'"turn":"Xiemao"'*) echo Fanglaoshi wins ;; *) echo Xiemao wins ;; esac
