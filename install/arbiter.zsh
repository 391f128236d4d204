#compdef arbiter
# Zsh completion for arbiter. The build installs this file, and `arbiter --completion-zsh` prints it.
#
# Options come from the --help of whichever arbiter is on the command line, and routes from its manual page, so they always match its
# version.

_arbiter() {
    local program=${~${(Q)words[1]}} command= line name letter about MATCH MBEGIN MEND
    local -a names routes specifications match mbegin mend
    setopt local_options extended_glob
    for line in ${(f)"$(command $program --help 2>/dev/null)"}; do
        [[ $line =~ '^  ([a-z]+) +(.*)$' ]] && names+=("$match[1]:${match[2]//:/\\:}")
    done
    if ((CURRENT > 2)) && [[ -n ${(M)names:#$words[2]:*} ]]; then
        command=$words[2]
        shift words
        ((CURRENT -= 1))
    fi
    if [[ $command == help ]]; then
        _arguments -S '1:command:{ _describe command names }'
        return
    fi
    for line in ${(f)"$(command $program $command --help 2>/dev/null)"}; do
        [[ $line =~ '^  (--[a-z][a-z-]*)(, (-[A-Z]))? +(.*)$' && $match[1] != --help ]] || continue
        name=$match[1] letter=$match[3] about="[${match[4]//(#m)[][:\\]/\\$MATCH}]"
        if [[ $match[4] != *']' ]]; then # it prints something and exits
            specifications+=("(- *)$name$about" ${letter:+"(- *)$letter$about"})
        elif [[ $match[4] == *'[false]' ]]; then
            specifications+=("$name$about")
        elif [[ $name == --profile ]]; then
            specifications+=("$name=$about:value:(trusted public)")
        elif [[ $match[4] =~ '(^|: )(([A-Za-z]+, )*[A-Za-z]+ or [a-z]+) \[' ]]; then
            specifications+=("$name=$about:value:(${${match[2]//, / }/ or / })")
        else
            specifications+=("$name=$about:value: ")
        fi
    done
    specifications+=('(- *)'{--help,-h}'[show this help and exit]')
    case $command in
    solve | make)
        routes=(${(f)"$(command $program --man 2>/dev/null | sed -n 's,^\.B POST /,,p')"})
        specifications+=("1:route:($routes)")
        [[ $command == make ]] || specifications+=('*:file:_files')
        ;;
    '')
        specifications+=('1:command:{ _describe command names }')
        ;;
    esac
    _arguments -S $specifications
}
_arbiter "$@"
