import type { Command } from "../arguments/command.ts";

/**
 * The scripts know nothing of heed but one command: `heed __complete` gets the words so far (the last one is being
 * typed) and prints the candidates, one a line. They take the lines as they are: nothing in a name is expanded.
 */
const COMPLETION_SCRIPTS: Readonly<Record<string, string>> = {
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

/** `heed completion` */
export const command: Command = {
  name: "completion",
  summary: "print the completion script of a shell",
  arguments: [{ name: "SHELL", words: Object.keys(COMPLETION_SCRIPTS) }],
  options: {},
  details: [
    "bash:  mkdir -p ~/.local/share/bash-completion/completions",
    "       heed completion bash > ~/.local/share/bash-completion/completions/heed",
    "zsh:   heed completion zsh > a file _heed in a directory of $fpath",
    "fish:  mkdir -p ~/.config/fish/completions",
    "       heed completion fish > ~/.config/fish/completions/heed.fish",
  ],
  run({ args, out }) {
    const script = COMPLETION_SCRIPTS[args.positionals[0] ?? ""] ?? "";
    out.answer({ script }, () => [script]);
    return Promise.resolve();
  },
};
