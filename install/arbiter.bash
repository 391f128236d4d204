# Bash completion for arbiter. The build installs this file, and `arbiter --completion-bash` prints it.
#
# Options come from the --help of whichever arbiter is on the command line, and routes from its manual page, so they always match its
# version.

# Set `about` to the description of an option in `help`, or to nothing if the word isn't an option that takes a value.
_arbiter_about() {
    about=
    [[ $1 == --[a-z]* && $'\n'$help =~ $'\n  '"$1"' '+([^$'\n']*) ]] && about=${BASH_REMATCH[1]}
    [[ $about == *']' && $about != *'[false]' ]] || about=
}

_arbiter() {
    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} program=${COMP_WORDS[0]/#'~/'/$HOME/}
    local about commands help i name='' operands=0 words=''
    # --to=json arrives as three words.
    if [[ $word == = ]]; then
        word=
    elif [[ $before == = ]]; then
        before=${COMP_WORDS[COMP_CWORD - 2]}
    fi
    help=$(command "$program" --help 2>/dev/null)
    commands=$(sed -n 's/^  \([a-z][a-z]*\) .*/\1/p' <<<"$help")
    if ((COMP_CWORD > 1)) && [[ $'\n'$commands$'\n' == *$'\n'"${COMP_WORDS[1]}"$'\n'* ]]; then
        name=${COMP_WORDS[1]}
        help=$(command "$program" "$name" --help 2>/dev/null)
    fi
    COMPREPLY=()
    _arbiter_about "$before"
    if [[ $before == --profile && -n $about ]]; then
        words='trusted public'
    elif [[ $about =~ (^|': ')(([A-Za-z]+', ')*[A-Za-z]+' or '[a-z]+)' [' ]]; then
        words=${BASH_REMATCH[2]//, / }
        words=${words/ or / }
    elif [[ -n $about ]]; then
        return
    elif [[ $name == help ]]; then
        words=$commands
    elif [[ ($name == solve || $name == make) && $word != -* ]]; then
        # A route, then, for solve, files.
        for ((i = 2; i < COMP_CWORD; i++)); do
            _arbiter_about "${COMP_WORDS[i]}"
            if [[ ${COMP_WORDS[i + 1]} == = ]]; then
                ((i += 2))
            elif [[ -n $about ]]; then
                ((i += 1))
            elif [[ ${COMP_WORDS[i]} != -?* ]]; then
                ((operands += 1))
            fi
        done
        [[ $name == make ]] || ((operands == 0)) || compopt -o default
        ((operands != 0)) || words=$(command "$program" --man 2>/dev/null | sed -n 's,^\.B POST /,,p')
    else
        words="--help -h $(sed -n '/^  --help/d; s/^  \(--[a-z][a-z-]*\),* \(-[A-Z]\)*.*/\1 \2/p' <<<"$help")"
        ((COMP_CWORD > 1)) || words+=" $commands"
    fi
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
}
complete -F _arbiter arbiter
