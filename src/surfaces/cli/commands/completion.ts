import type { Command } from "../arguments/command.ts";
import { COMPLETION_SCRIPTS } from "../arguments/completion-scripts.ts";

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
