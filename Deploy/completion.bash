# Completion of flyscreen's commands, options and settings in bash.
_flyscreen() {
  local words
  if [[ ${COMP_WORDS[COMP_CWORD - 1]} == --config ]]; then
    mapfile -t COMPREPLY < <(compgen -f -- "${COMP_WORDS[COMP_CWORD]}")
    return
  fi
  words=$(flyscreen --complete "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "${COMP_WORDS[COMP_CWORD]}")
}
complete -o default -F _flyscreen flyscreen
