import { nearestNames } from "../../../memory/nearest-names.ts";
import { realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { servePage } from "../../web/serve-page.ts";
import type { CommandSpec, Completes, Invocation, OptionSpecs } from "../arguments/command.ts";
import { EXIT, didYouMean, usageError } from "../arguments/command.ts";
import { GLOBAL_OPTIONS } from "../arguments/parse-command-line.ts";
import { dim, oneLine, renderText } from "../output/text.ts";
import { helpForAll, helpForCommand, helpForEveryDay, HELP_TOPICS } from "../terminal/help-text.ts";

const ui: CommandSpec = {
  options: {
    port: { value: "PORT", help: "the port on 127.0.0.1; default: a free one" },
    "no-open": { help: "open no browser, print the address alone" },
  },
  details: [
    "Serves a page for you alone on 127.0.0.1, about this directory, until you end it with Ctrl-C or half an hour without",
    "a visit. An address opens the page once, within two minutes: press Enter for another.",
    "",
    "Over SSH: heed ui --no-open --port 4711 there, ssh -L 4711:127.0.0.1:4711 HOST here, then open the address.",
  ],
  examples: ["heed ui", "heed ui --no-open --port 4711"],
  json: '{"address", "note"}',
  async run({ args, out, actor, env, open }) {
    const script = process.argv[1] ?? "heed";
    const why = await servePage({
      heed: open(),
      actor,
      env,
      // Beside the bundle that `heed` started.
      directory: join(dirname(realpathSync(script)), "web"),
      port: args.count("port", { min: 1, max: 65_535 }),
      isOpening: !args.has("no-open") && !out.isJson,
      onServed: (served) =>
        out.answer(served, () => [
          served.address === undefined
            ? (served.note ?? "")
            : [served.address, served.note === undefined ? "" : dim(`  (${served.note})`)],
        ]),
    });
    out.note(why === "idle" ? "No visit for half an hour: ended." : "Ended.");
    return EXIT.done;
  },
};

/** A bundle of its own (see scripts/build.mjs) runs it; here it is known to help and completion. */
function elsewhere(name: string): CommandSpec["run"] {
  return () => Promise.reject(usageError(`run it as the first word: heed ${name}`, name));
}

const hook: CommandSpec = {
  options: {
    client: { value: "NAME", help: "the client whose event it is, where the event does not tell" },
    event: { value: "NAME", help: "the event, for clients whose messages do not name it" },
    "unless-plugin": { help: "say nothing where Claude Code runs heed as a plugin too" },
  },
  details: [
    "Reads one event of the client's session from stdin and answers in the client's own format. Never fails.",
  ],
  run: elsewhere("hook"),
};

const mcp: CommandSpec = {
  options: { "with-rules": { help: "put rules and map into the instructions, for clients without hooks" } },
  details: [
    "heed init connects it with your clients. With --with-rules the instructions that a client shows to its model begin",
    "with what a new context is given; they are read again at each connection.",
  ],
  run: elsewhere("mcp"),
};

/**
 * The scripts know one command of heed: `heed completion --words` gets the words so far (the last one is being typed) and
 * prints the candidates, one a line. They take the lines as they are: nothing in a name is expanded.
 */
const COMPLETION_SCRIPTS: Readonly<Record<string, string>> = {
  bash: `# bash completion for heed
_heed() {
  local line
  COMPREPLY=()
  while IFS= read -r line; do
    COMPREPLY+=("$line")
  done < <(heed completion --words -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o default -F _heed heed`,
  zsh: `#compdef heed
# zsh completion for heed
_heed() {
  local -a candidates
  candidates=("\${(@f)$(heed completion --words -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
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
  heed completion --words -- $words[2..-1] 2>/dev/null
end
complete -c heed -f -a '(__heed_complete)'`,
};

const MAX_CANDIDATES = 200;

const completion: CommandSpec = {
  arguments: [{ name: "SHELL", isOptional: true, isRest: true, completes: "shell" }],
  options: { words: { help: "print the candidates for the last of these words; the scripts call it" } },
  details: [
    "bash:  mkdir -p ~/.local/share/bash-completion/completions",
    "       heed completion bash > ~/.local/share/bash-completion/completions/heed",
    "zsh:   heed completion zsh > a file _heed in a directory of $fpath",
    "fish:  mkdir -p ~/.config/fish/completions",
    "       heed completion fish > ~/.config/fish/completions/heed.fish",
  ],
  json: '{"script"}; --words {"candidates"}',
  async run(invocation) {
    const { args, out } = invocation;
    if (args.has("words")) {
      const words = [...args.positionals];
      const typed = words.pop() ?? "";
      const candidates = (await candidatesFor(words, typed, invocation))
        .map(oneLine)
        .filter((candidate) => candidate !== "" && candidate.startsWith(typed))
        .slice(0, MAX_CANDIDATES);
      out.answer({ candidates }, () => candidates);
      return;
    }
    const script = COMPLETION_SCRIPTS[args.first];
    if (script === undefined)
      throw usageError(`give a shell: ${Object.keys(COMPLETION_SCRIPTS).join(", ")}.`, "SHELL", args.first);
    out.answer({ script }, () => [script]);
  },
};

async function candidatesFor(
  before: readonly string[],
  typed: string,
  invocation: Invocation,
): Promise<string[]> {
  const [name] = before;
  if (name === undefined) return Object.keys(invocation.commands);
  const command = await invocation.load(name);
  if (!command) return [];
  const { arguments: specs, options } = command;
  const flags: OptionSpecs = { ...options, ...GLOBAL_OPTIONS };
  const flag = flags[before.at(-1)?.replace(/^--/, "") ?? ""];
  if (flag?.value !== undefined && before.at(-1)?.startsWith("--"))
    return [...(flag.words ?? []), ...(await candidatesOf(flag.completes, invocation))];
  if (typed.startsWith("-")) return Object.keys(flags).map((word) => `--${word}`);
  const position = before.slice(1).filter((word) => !word.startsWith("-")).length;
  const spec = specs[Math.min(position, specs.length - 1)];
  if (!spec || (position >= specs.length && !spec.isRest)) return [];
  return [...(spec.words ?? []), ...(await candidatesOf(spec.completes, invocation))];
}

async function candidatesOf(what: Completes | undefined, { open, commands }: Invocation): Promise<string[]> {
  switch (what) {
    case "memory":
      return (await open().memories.list()).map(({ name }) => name);
    case "pending":
      return (await open().inbox.list()).map(({ name }) => name);
    case "type":
      return open()
        .memories.types()
        .map(({ name }) => name);
    case "shell":
      return Object.keys(COMPLETION_SCRIPTS);
    case "command":
      return [...Object.keys(commands), ...Object.keys(HELP_TOPICS)];
    default:
      // Directories and files: the shell knows better.
      return [];
  }
}

const help: CommandSpec = {
  arguments: [{ name: "COMMAND|TOPIC", isOptional: true, completes: "command" }],
  options: { all: { help: "every command and topic" } },
  json: '{"help"}',
  async run({ args, out, commands, load }) {
    const [about] = args.positionals;
    const command = await load(about ?? "");
    const topic = Object.hasOwn(HELP_TOPICS, about ?? "") ? HELP_TOPICS[about ?? ""] : undefined;
    const overview = args.has("all") ? helpForAll : helpForEveryDay;
    const lines = about === undefined ? overview(commands) : command ? helpForCommand(command) : topic;
    if (!lines) {
      const suggestions = nearestNames(about ?? "", [...Object.keys(commands), ...Object.keys(HELP_TOPICS)]);
      const message = `there is no help on "${about}".${didYouMean(suggestions)} See: heed help`;
      throw usageError(message, "COMMAND|TOPIC", about, suggestions);
    }
    out.answer({ help: lines.map((line) => renderText(line, false)).join("\n") }, () => lines);
  },
};

/** The commands of this file. */
export const commands: Readonly<Record<string, CommandSpec>> = { ui, hook, mcp, completion, help };
