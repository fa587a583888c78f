import { type CommandArguments, readArguments } from "./shell/read-arguments.ts";
import { gitSettings, globalOptions } from "./shell/run-git.ts";
import type { ShellCommand, ShellPipeline, ShellWord } from "./shell/shell-command.ts";
import { commandText, HOLE, isKnown, knownWord } from "./shell/shell-command.ts";

/** What a condition is checked against: a command or pipeline of a shell text, or a call of another tool. */
export type GuardUnit = CommandUnit | PipelineUnit | CallUnit;

/** A command that a shell text would run; a push of several branches is one for each of them. */
export interface CommandUnit {
  kind: "command";
  text: string;
  command: ShellCommand;
  args: CommandArguments;
  /** For git: the branch that it concerns, `*` for all. */
  branch: ShellWord | undefined;
  /** For git: the branch that is checked out where it works. */
  current: ShellWord;
  /** For `git push` and the like. */
  remote: ShellWord | undefined;
}

/** The commands of a pipeline together; only patterns are checked against them. */
export interface PipelineUnit extends ShellPipeline {
  kind: "pipeline";
}

/** A call of a tool that runs no shell. */
export interface CallUnit {
  kind: "call";
  /** The input as JSON text. */
  text: string;
  /** Files that it names. */
  paths: readonly TouchedPath[];
  /** Texts that it writes into files. */
  contents: readonly string[];
}

const ALL = knownWord("*");
const UNKNOWN = knownWord(HOLE);
/** Settings that include other files. */
const INCLUDES = /^include(?:if\..*)?\.path$/;
const CONFIG_FILES = /^(?:GIT_CONFIG_(?:GLOBAL|SYSTEM|PARAMETERS)|GIT_CONFIG|XDG_CONFIG_HOME|HOME)$/;

/** Makes the units of a command. @param current the branch that is checked out where it works. */
export function commandUnits(command: ShellCommand, current: ShellWord = UNKNOWN): CommandUnit[] {
  const args = readArguments(command.words);
  const unit = { kind: "command", text: commandText(command), command, args, current } as const;
  if (command.words[0]?.text !== "git") return [{ ...unit, branch: undefined, remote: undefined }];
  const settings = gitSettings(command);
  const isOpen =
    settings.some(({ name }) => INCLUDES.test(name)) ||
    command.environment.some(({ name }) => CONFIG_FILES.test(name)) ||
    globalOptions(command.words).options.some(({ option, value }) => isForeignFolder(option, value));
  const options = [
    ...args.options,
    ...settings.map(({ name, value }) => ({
      names: ["-c"],
      value: { ...value, text: `${name}=${value.text}` },
    })),
    ...(isOpen ? [{ names: ["-c"], value: UNKNOWN }] : []),
  ];
  const here = { ...unit, args: { ...args, options }, branch: current, remote: undefined };
  const [sub, first, ...rest] = args.operands;
  if (sub?.text === "branch")
    return (first ? [first, ...rest] : [current]).map((word) => ({ ...here, branch: word }));
  if (sub?.text !== "push" && sub?.text !== "send-pack") return [here];
  const has = (name: string): boolean => options.some((option) => option.names.includes(name));
  const isMirror =
    has("--mirror") || settings.some(({ name }) => /^remote\.(?:.*\.mirror$|--mirror)/.test(name));
  const set = settings.flatMap(({ name, value }) => (/^remote\..*\.push$/.test(name) ? [value] : []));
  const specs = rest.filter(({ text }) => text !== "tag");
  const named = first ?? options.find(({ names }) => names.includes("--repo"))?.value ?? UNKNOWN;
  const isElsewhere = settings.some(
    ({ name }) => name === `remote.${named.text}.url` || name.startsWith("url."),
  );
  const remote = isElsewhere ? UNKNOWN : named;
  if (isMirror || has("--all") || has("--branches"))
    return [
      { ...here, args: { ...args, options: isMirror ? [...options, FORCE] : options }, branch: ALL, remote },
    ];
  const pushed = specs.length > 0 ? specs : set;
  const isMoved = settings.some(({ name }) => /^branch\.|^push\.default$/.test(name));
  // Tags alone are pushed to no branch.
  const pushedTo = specs.length === 0 && has("--tags") ? undefined : isMoved ? UNKNOWN : current;
  if (pushed.length === 0 || !pushedTo) return [{ ...here, branch: pushedTo, remote }];
  return pushed.map((spec) => ({
    ...here,
    args: {
      ...args,
      operands: [sub, remote, spec],
      options: spec.text.startsWith("+") ? [...options, FORCE] : options,
    },
    branch: targetOf(spec, current),
    remote,
  }));
}

/** An option that makes git use unknown programs or settings. */
function isForeignFolder(option: string, { text }: ShellWord): boolean {
  return option === "--exec-path" || (option === "--git-dir" && !/(?:^|\/)\.git\/?$/.test(text));
}

const FORCE = { names: ["-f", "--force"], value: undefined };

/** The branch that a refspec pushes to. */
function targetOf(spec: ShellWord, current: ShellWord): ShellWord {
  const target = spec.text.replace(/^\+/, "").split(":").at(-1) ?? "";
  if (!isKnown(spec)) return target.includes(HOLE) || spec.isMany ? UNKNOWN : knownWord(target);
  if (target === "HEAD" || target === "@") return current;
  if (target === "") return UNKNOWN;
  return target.includes("*") ? ALL : knownWord(target.replace(/^(?:refs\/)?heads\//, ""));
}

/**
 * A path that a call touches, and its reach: the file itself, all of a folder (`tree`), something in it (`some`), or the
 * file if its parent is a folder (`maybe`).
 */
export interface TouchedPath {
  word: ShellWord;
  reach: "file" | "tree" | "some" | "maybe";
  /** Unknown whether the program changes it. */
  isUnsure?: boolean;
}
