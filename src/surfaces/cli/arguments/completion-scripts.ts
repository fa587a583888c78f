/**
 * The scripts know nothing of heed but one command: `heed __complete` gets the words so far (the last one is being
 * typed) and prints the candidates, one a line. They take the lines as they are: nothing in a name is expanded.
 */
export const COMPLETION_SCRIPTS: Readonly<Record<string, string>> = {
  bash: `# bash completion for heed
_heed() {
  local line
  COMPREPLY=()
  while IFS= read -r line; do
    COMPREPLY+=("$line")
  done < <(heed __complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o default -F _heed heed`,
  zsh: `#compdef heed
# zsh completion for heed
_heed() {
  local -a candidates
  candidates=("\${(@f)$(heed __complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  candidates=("\${(@)candidates:#}")
  if (( \${#candidates} )); then
    compadd -- "\${candidates[@]}"
  else
    _files
  fi
}
if [ "$funcstack[1]" = "_heed" ]; then
  _heed "$@"
else
  compdef _heed heed
fi`,
  fish: `# fish completion for heed
function __heed_complete
  set -l words (commandline -opc) (commandline -ct)
  heed __complete -- $words[2..-1] 2>/dev/null
end
complete -c heed -f -a '(__heed_complete)'`,
};
