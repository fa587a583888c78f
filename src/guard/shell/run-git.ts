import type { PreparedCommand, RunContext, ShellRuntime } from "./run-context.ts";
import { asScript, runAlias } from "./run-context.ts";
import { isKnown } from "./shell-word.ts";
import type { ShellWord } from "./shell-word.ts";

/** Git's global options that take the next word. */
const VALUED = new Set([
  "-C",
  "-c",
  "--git-dir",
  "--work-tree",
  "--namespace",
  "--super-prefix",
  "--config-env",
  "--attr-source",
]);

/** Git's own ways to run something: aliases, given by `-c` or set by `git config` before, and `rebase --exec`. */
export function runGit(command: PreparedCommand, context: RunContext, runtime: ShellRuntime): void {
  const { words } = command;
  const { state } = context;
  const aliases = new Map<string, string>();
  let i = 1;
  for (; i < words.length; i++) {
    const { text = "" } = words[i] ?? {};
    if (!text.startsWith("-")) break;
    const setting = text === "-c" ? (words[i + 1]?.text ?? "") : /^-c./.test(text) ? text.slice(2) : "";
    const [, alias, value] = /^alias\.([\w-]+)=(.*)$/s.exec(setting) ?? [];
    if (alias !== undefined && value !== undefined) aliases.set(alias, value);
    if (VALUED.has(text)) i += 1;
  }
  const [sub, ...rest] = words.slice(i);
  if (!sub || !isKnown(sub)) return;
  if (sub.text === "config") setAlias(rest, state.aliases);
  if (sub.text === "rebase") runExec(rest, context, runtime);
  const label = `git alias ${sub.text}`;
  const text = aliases.get(sub.text) ?? state.aliases.get(`git ${sub.text}`);
  if (text === undefined || context.route.includes(label)) return;
  const script = text.startsWith("!") ? text.slice(1) : `git ${text}`;
  runAlias(label, asScript(script), rest, context, runtime);
}

/** `git config [--global] alias.NAME TEXT`, in its old and new spelling. */
function setAlias(args: readonly ShellWord[], aliases: Map<string, string>): void {
  const words = args.filter(({ text }) => !text.startsWith("-") && text !== "set");
  const name = /^alias\.([\w-]+)$/.exec(words[0]?.text ?? "")?.[1];
  if (name !== undefined && words[1]) aliases.set(`git ${name}`, words[1].text);
}

function runExec(args: readonly ShellWord[], context: RunContext, runtime: ShellRuntime): void {
  for (const [i, { text }] of args.entries()) {
    const script =
      text === "-x" || text === "--exec" ? args[i + 1]?.text : /^(?:-x|--exec=)(.+)$/s.exec(text)?.[1];
    if (script === undefined || script === "") continue;
    const inner = { ...context, route: [...context.route, "git rebase --exec"], depth: context.depth + 1 };
    runtime.runText(asScript(script), inner);
  }
}
