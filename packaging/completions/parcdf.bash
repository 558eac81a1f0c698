# Completion of `parcdf` for bash. What there is to complete the program says itself (`parcdf help --list`), so nothing
# here names a command or an option.

# The rows of `parcdf help --list`, asked for once for each program.
_parcdf_rows() {
    if [[ $_parcdf_rows_of != "$1" ]]; then
        _parcdf_rows=$("$1" help --list 2>/dev/null)
        _parcdf_rows_of=$1
    fi
    printf '%s\n' "$_parcdf_rows"
}

_parcdf() {
    local program=${COMP_WORDS[0]} word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}
    local command=${COMP_WORDS[1]} commands options= kind name flags argument meaning

    program=${program/#\~/$HOME}
    commands=$(_parcdf_rows "$program" | cut -f 2 -s | sort -u)
    COMPREPLY=()
    if ((COMP_CWORD == 1)); then
        [[ $word == -* ]] && commands='--help --version'
        COMPREPLY=($(compgen -W "$commands help" -- "$word"))
        return
    fi
    if [[ $command == help ]]; then
        COMPREPLY=($(compgen -W "$commands --list" -- "$word"))
        return
    fi
    if [[ $command == hints ]]; then
        COMPREPLY=($(compgen -W "$("$program" hints 2>/dev/null | grep '^[a-z]')" -- "$word"))
        return
    fi
    while IFS=$'\t' read -r kind name flags argument meaning; do
        [[ $kind == option && $name == "$command" ]] || continue
        options+=" $flags"
        # What stands behind such an option is a word of the user's, unless it is a file.
        if [[ " $flags " == *" $before "* && $argument != - && $argument != *FILE* && $argument != *FOLDER* && $argument != OUT* ]]; then
            return
        fi
    done < <(_parcdf_rows "$program")
    if [[ $word == -* ]]; then
        COMPREPLY=($(compgen -W "$options --help" -- "$word"))
    else
        compopt -o filenames 2>/dev/null
        local IFS=$'\n'
        COMPREPLY=($(compgen -f -- "$word"))
    fi
}

complete -F _parcdf parcdf
