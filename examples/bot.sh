#!/bin/sh
# A bot for Minesweeper for two players.
#
#     examples/bot.sh [--at http://127.0.0.1:8080] FIELD.json [Xiemao|Fanglaoshi]
#
# The last argument names the player that the bot plays; Xiemao, the default, clicks first. FIELD.json is a case: {"board":[...]}.
# Type your clicks, "ROW COLUMN" from 0 at the top left. The only state is the list of clicks: each question has all of them, and
# the answer has the player whose turn it is, the clicks that win, and the field as the players see it.
set -eu
arbiter=http://127.0.0.1:8080
if [ "${1:-}" = --at ]; then
    arbiter=$2
    shift 2
fi
field=$(tr -d ' \n' <"$1")
me=${2:-Xiemao}

# ask CLICKS: print the answer; the status is 22 if a click is refused
ask() {
    echo "${field%\}},\"clicks\":[$1],\"include\":[\"wins\",\"face\"]}" |
        curl --silent --fail-with-body --data-binary @- "$arbiter/mine"
}

# rows NAME: print the rows of this member of the JSON on standard input, one a line
rows() { sed -E "s/.*\"$1\":\\[\"([^]]*)\"\\].*/\\1/; s/\",\"/\\n/g"; }

# first_covered: print the first safe cell that can still be clicked, "ROW COLUMN", or nothing if there is none
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
        # If the position is lost, `wins` is empty; if the winning clicks are not known, it is null.
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
    else # this cell cannot be clicked
        echo "$next" | sed -E 's/.*"status":[0-9]+,"detail":"(([^"\\]|\\.)*)".*/\1/; s/\\(.)/\1/g' >&2
    fi
done
echo "$answer" | rows face
case $answer in *'"turn":"Xiemao"'*) echo Fanglaoshi wins ;; *) echo Xiemao wins ;; esac
