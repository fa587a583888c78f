import type { PreparedCommand, RunContext, ShellState } from "./run-context.ts";
import {
  absolutePath,
  asScript,
  behindLink,
  fedTo,
  fileText,
  keepFile,
  MAX_EACH,
  noteForeign,
  runAlias,
  runInside,
  within,
} from "./run-context.ts";
import { gitFolder, SET_BEFORE, foundBy, runInner } from "./run-inner.ts";
import { gitUse, runnableWords, SHELLS, wordUse } from "./programs.ts";
import { INTERPRETERS } from "./read-code.ts";
import { type ShellAssignment, type ShellWord, HOLE, isKnown, knownWord, UNKNOWN } from "./shell-command.ts";

/** Deeper scripts in scripts, functions that call themselves and wrappers of wrappers are not followed. */
const MAX_DEPTH = 12;

const CODE_RUNNERS = [...SHELLS, "fish|parallel", INTERPRETERS.source.replace(/[$^]/g, "")].join("|");
/** A shell or an interpreter without a script, maybe behind what runs it elsewhere, or with code that nobody knows. */
const RUNS_INPUT = new RegExp(`(?:^|[ /])(?:${CODE_RUNNERS})(?: -[\\w-]*)*(?: -[ce] \0)?$`);

/** Programs that do with a link itself what they do. */
const OF_LINKS = /^(?:rm|rmdir|unlink|mv|ln|find|readlink|ls|stat|trash|git)$/;

/** Follows one command: notes it, and what it would run in turn. Returns its output, where that is known. */
export function runCommand(command: PreparedCommand, context: RunContext): string | undefined {
  const { state, depth } = context;
  if (depth > MAX_DEPTH) return (context.shell.blind("commands are nested too deeply"), undefined);
  const environment = [...exportedOf(state), ...command.environment];
  context.shell.budget.spend(2 + command.words.length + environment.length / 4);
  const isFound = state.variables.has("PATH") || environment.some(({ name }) => name === "PATH");
  const named = withoutPath(command.words, isFound ? [...state.files.keys()] : []);
  const isFollowed = !OF_LINKS.test(named[0]?.text ?? "");
  const words = named.map((word) => behindLink(word, state, isFollowed));
  const [name, ...rest] = words;
  const seen = seenFromHere(words);
  context.shell.note({
    words: seen,
    environment,
    writes: command.writes.map((word) => behindLink(word, state)),
    fed: fedTo([...command.words, ...command.environment.map(({ value }) => value)], context),
    from: context.from && behindLink(context.from, state),
    cwd: name?.text === "git" ? gitFolder(words, state.cwd) : state.cwd,
    route: context.route,
    before: state.said,
  });
  if (!name || !isKnown(name) || name.stream !== undefined) {
    // An unknown program may be none, `$SUDO git …`, or one that runs its words.
    if (rest.length > 0 || name?.isMany) noteForeign(words, "", context);
    return undefined;
  }
  const asAlias = state.aliases.get(name.text);
  if (asAlias !== undefined && !context.route.includes(`alias ${name.text}`))
    return runAlias(`alias ${name.text}`, asAlias, rest, context);
  const body = state.functions.get(name.text);
  if (body && !context.route.includes(`${name.text}()`)) {
    const inner = within(`${name.text}()`, context, { positionals: rest });
    const output = context.shell.runBody(body, inner);
    state.cwd = inner.state.cwd;
    return output;
  }
  // Some of them show what is set.
  if (runBuiltin(name.text, rest, context))
    return /^(?:alias|eval|set|trap|export|declare|typeset)$/.test(name.text) ? undefined : "";
  keepSaid(command, state);
  const inner = runInner({ ...command, words, environment }, command.words[0] ?? name, context);
  if (!/^(?:plain|removes|writes|formats)$/.test(wordUse(name.text) ?? "")) {
    const said = words.map(({ text }) => text).join(" ");
    const isOpen = context.input?.includes(HOLE) !== false || said.endsWith(HOLE);
    if (isOpen && name.text !== "git" && RUNS_INPUT.test(said))
      context.shell.blind(`${name.text} runs a text that only the shell knows`);
    // A program may run what a variable holds: `EDITOR='git commit -n #' crontab -e`.
    const values = environment.flatMap(({ value }) => (/\S\s+\S/.test(value.text) ? value : []));
    if (!inner || values.length > 0)
      noteForeign([...(inner ? [] : runnableWords(name.text, seen.slice(1))), ...values], name.text, context);
  }
  keepMade(name.text, rest, context);
  return inner?.output ?? outputOf(words, context);
}

/** What a builtin of the shell changes for the commands after it. Returns whether it does nothing else. */
function runBuiltin(name: string, args: readonly ShellWord[], context: RunContext): boolean {
  const { state, shell } = context;
  const texts = args.map(({ text }) => text);
  switch (name) {
    case "export":
    case "declare":
    case "typeset":
    case "local":
    case "readonly":
      for (const { text } of args) declare(text, name, texts, state);
      return true;
    case "cd":
    case "pushd":
    case "popd": {
      const target = args.find(({ text }) => text === "-" || !text.startsWith("-"));
      const path = target && absolutePath(target.text, state.cwd);
      state.said += ` ${target?.text ?? ""}`;
      if (!target && name === "cd") state.cwd = shell.home;
      else if (!target || !isKnown(target) || target.text === "-") state.cwd = undefined;
      else state.cwd = state.leads.get(path ?? "") ?? path;
      return true;
    }
    case "unalias":
      for (const text of texts) state.aliases.delete(text);
      return true;
    case "unset":
    case "read":
    case "mapfile":
    case "readarray":
    case "getopts":
      for (const text of texts) {
        state.variables.delete(text);
        if (name === "unset") state.exported.delete(text);
      }
      // One line stands for all lines of a list of files.
      if (/^.*\0.*\n?$/.test(context.input ?? ""))
        state.variables.set(texts.at(-1) ?? "", knownWord((context.input ?? "").trim()));
      // `mapfile -C` runs a text.
      return !texts.includes("-C");
    case "printf":
      if (texts[0] === "-v") state.variables.delete(texts[1] ?? "");
      return texts[0] === "-v";
    case "hash":
      if (texts[0] === "-p") shell.blind("hash gives a program another name");
      return true;
    case "shift":
      state.positionals = texts.length === 0 ? state.positionals?.slice(1) : undefined;
      return true;
    case "set":
      // `set -- git push -f; "$@"`
      state.positionals = texts.includes("--") ? args.slice(texts.indexOf("--") + 1) : undefined;
      // By `set -a` each variable is exported.
      if (/^-(?:\w*a|o allexport)/.test(texts.join(" "))) state.exported.add(HOLE);
      return true;
    case "alias":
      for (const text of texts) {
        const [, alias, said] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
        if (alias !== undefined && said !== undefined) state.aliases.set(alias, asScript(said));
      }
      return true;
    case "eval":
      // eval runs in the shell itself: what it sets stays.
      runInside("eval", texts.join(" "), context);
      return true;
    case "trap": {
      const [script] = texts[0] === "--" ? args.slice(1) : args;
      if (script && isKnown(script) && !script.text.startsWith("-")) runInside("trap", script.text, context);
      return true;
    }
    default:
      return false;
  }
}

/** What `declare` and its like do to one variable; the walk made the assignments before. */
function declare(text: string, name: string, args: readonly string[], state: ShellState): void {
  const isExported = name === "export" || args.some((one) => /^-[a-z]*x/.test(one));
  const variable = /^[A-Za-z_]\w*/.exec(text)?.[0] ?? "";
  // `export $(cat x)` sets unknown variables.
  if (isExported && (variable !== "" || text.startsWith(HOLE))) state.exported.add(variable || HOLE);
  // A reference, or a value that is changed on its way.
  if (args.some((one) => /^-[a-z]*[nlui]/.test(one))) state.variables.delete(variable);
}

/** The output of `printf` with one `%s` at most; that of other formats follows a hole. */
function printed([format = "", ...values]: readonly string[]): string | undefined {
  if (/\\[^nt0]|\\0\d/.test(format)) return undefined;
  const said = format.replace(/\\[n0]/g, "\n").replaceAll("\\t", "\t");
  if (!said.includes("%")) return said;
  if (!/^[^%]*%s[^%]*$/.test(said)) return [HOLE, said, ...values].join(" ");
  return values.map((value) => said.replace("%s", () => value)).join("");
}

const LISTS = /^(?:find|ls|git|grep|rg|sort|head|tail|mktemp)$/;

/**
 * The output of `echo`, `printf`, `cat`, `tee` and `which`, and of programs that list files: a hole below each folder
 * and wildcard that they are given. Undefined for anything else.
 */
function outputOf(words: readonly ShellWord[], { input, state }: RunContext): string | undefined {
  const [program, ...args] = words;
  const texts = args.map(({ text }) => text);
  const name = program?.text ?? "";
  const [word = ""] = texts;
  const said = texts.slice(/^-[nE]+$/.test(word) ? 1 : 0).join(" ");
  if (name === "echo") return /^-\w*e/.test(word) ? undefined : said + (/^-E*n[nE]*$/.test(word) ? "" : "\n");
  if (name === "printf") return printed(texts[0] === "--" ? texts.slice(1) : texts);
  if (/^(?:which|command|type)$/.test(name)) return texts.at(-1);
  if (name === "tee") return input;
  if (name === "pwd") return state.cwd;
  if (name === "cat") {
    const files = args.filter(({ text }) => !/^-./.test(text));
    if (files.length === 0) return input;
    const read = files.map((file) => file.stream ?? (file.text === "-" ? input : fileText(file, state)));
    return read.every((text) => text !== undefined) ? read.join("") : undefined;
  }
  if (/^(?::|true|false|cd)$/.test(name)) return "";
  return LISTS.test(name) ? listed(words, input) : undefined;
}

/** The files that are listed; `sort`, `head`, `tail` and `grep` pass a list on. */
function listed(words: readonly ShellWord[], input: string = ""): string | undefined {
  const [program = "", first] = words.map(({ text }) => text);
  const has = (option: RegExp): boolean => words.some(({ text }) => option.test(text));
  let roots: readonly ShellWord[] = [];
  if (program === "git" ? first === "ls-files" : /^(?:grep|rg)$/.test(program) && has(/^-\w*l/))
    roots = words.filter(({ text }, i) => i > 0 && !text.startsWith("-")).slice(1);
  else if (program === "find" && !has(/^-(?:printf|exec|ok|f?ls)/)) roots = foundBy(words);
  else if (program === "ls" && !has(/^-\w*[lnsR]/)) roots = words.filter(({ isGlob }) => isGlob);
  else if (program === "mktemp" && !has(/^-\w*[pt]|^--[st]/))
    roots = [words.find(({ text }) => text.includes("XXX")) ?? knownWord("/tmp/*")];
  const below = roots.map(({ text }) => text.replace(/\*+|\?|\[[^\]]*\]|X{3,}/g, HOLE));
  if (below.length > 0)
    return below.map((root) => `${root}${root.includes(HOLE) ? "" : `/${HOLE}`}\n`).join("");
  const isList = !/^[^\0\n]*$/m.test(input.trim());
  return isList && !has(/^-\w*[ocl]/) ? input : undefined;
}

const MOUNT = /(?:^|[,=])(?:source=|src=)?([^:,=]+)(?::|,(?:.*,)?(?:target|dst|destination)=)(\/[^:,]*)/g;
const IN_CONTAINER = /(?<![\w.:=/-])\/[\w./*-]+/g;

/** The words of a container's program, and its paths as they may be called here: by its mounts, or by any end. */
function seenFromHere(words: readonly ShellWord[]): readonly ShellWord[] {
  if (!/^(?:docker|podman|nerdctl|kubectl|oc|vagrant|lxc|wsl)$/.test(words[0]?.text ?? "")) return words;
  const texts = words.slice(0, 500).flatMap(({ text }) => (text.includes(":ro") ? [] : text));
  const mounts = texts.flatMap((text) => [...text.matchAll(MOUNT)]);
  const seen = texts
    .flatMap((text) => text.match(IN_CONTAINER) ?? [])
    .flatMap((path) => [
      ...mounts.flatMap(([, from = "", to = ""]) =>
        `${path}/`.startsWith(`${to}/`) ? from + path.slice(to.length) : [],
      ),
      ...[2, 3, 4].map((at) => path.split("/").slice(at).join("/")),
    ]);
  return [...words, ...seen.filter((path) => path !== "").map(knownWord)];
}

const MAX_SAID_CHARS = 2000;
/** Programs that leave the text of a file alone that they are given. */
const KEEPS_TEXT = /^(?:ch(?:mod|own|grp|attr)|setfacl|rm|touch|git)$/;
/** Scripts and settings of git, by name. */
const MADE = /[\w.-]+\.(?:[a-z]*sh|bash)$|(?:^|\/)(?:\.gitconfig|\.git\/config)$/;
const COPIES = /^(?:cp|mv|ln|install)$/;
/** What chooses where later commands work: `kubectl config use-context`, `kubectx`, `terraform workspace select`. */
const CHOOSES =
  /^kube(?:ctx|ns)|kubeconfig|credentials|^(?!git )(?:\S+ ){1,4}(?:config|configure|context|workspace|account|profile|project|stack|ctx|ns) (?!get|view|list|show|current|ls\b|-)/;
/** Remembers the words of commands that do more than show something: later ones may work by what they say. */
function keepSaid({ words, writes }: PreparedCommand, state: ShellState): void {
  if (wordUse(words[0]?.text ?? "") === "plain" && writes.length === 0) return;
  const said = [state.said, ...[...words, ...writes].map(({ text }) => text)].join(" ");
  state.said = said.slice(-MAX_SAID_CHARS);
}

/** Remembers what a command writes, copies, links, fetches or may write, and that later commands work elsewhere. */
function keepMade(program: string, args: readonly ShellWord[], context: RunContext): void {
  const { input, source, state } = context;
  const files = args.filter(({ text }) => !/^-./.test(text));
  const [from, to, more] = files;
  const texts = args.slice(0, MAX_EACH).map(({ text }) => text);
  if (CHOOSES.test(`${[program, ...texts].join(" ")} `)) state.settings.set("CONTEXT", UNKNOWN);
  if (/^(?:ln|mount|bindfs)$/.test(program) && from && isKnown(from) && state.leads.size < MAX_EACH) {
    const isFolder = !to || /(?:^|\/)\.{0,2}$|^\/\w+$/.test(to.text);
    const link = `${to?.text ?? "."}${isFolder ? `/${from.text.split("/").at(-1)}` : ""}`;
    state.leads.set(absolutePath(link, state.cwd) ?? HOLE, absolutePath(from.text, state.cwd) ?? HOLE);
  }
  const names = texts.flatMap((text) => /^[\w+.-]+:\/\/.*\/([^/?#]*?)(?:\.git)?$/.exec(text)?.[1] ?? []);
  const places = texts.map((text) => text.replace(/^-\w+(?=[/.~\0])|^--[\w-]+=/, ""));
  if (/^(?:curl|wget)$/.test(program)) names.push(".");
  for (const name of wordUse(program) === "plain" ? [] : names)
    for (const text of [name, ...places, ...places.map((place) => `${place}/${name}`)])
      if (!/^\.?$|\s|:\/\//.test(text)) keepFile({ text, isMany: false }, HOLE, context);
  if (/^(?:tee|sponge)$/.test(program))
    for (const file of files) keepFile(file, input ?? [HOLE, source].join("\n"), context);
  else if (COPIES.test(program) && from && to && !more) keepFile(to, fileText(from, state) ?? HOLE, context);
  else if (wordUse(program) !== "plain" && !SHELLS.has(program) && !KEEPS_TEXT.test(program))
    for (const { text } of args) {
      const named = MADE.exec(text.slice(-200));
      for (const file of named ? [named[0], text].map(knownWord) : [])
        if (fileText(file, state) === undefined) keepFile(file, HOLE, context);
    }
}

/**
 * The plain name of a program: `/usr/bin/git` is `git`, `git-commit` is `git commit`, `yarn workspace x add` is
 * `yarn add`. @param made files that a path of the text's own may lead to.
 */
function withoutPath(words: readonly ShellWord[], made: readonly string[]): readonly ShellWord[] {
  const [name, ...rest] = words;
  if (!name) return words;
  if (name.isGlob || made.some((path) => path.endsWith(`/${name.text}`))) return [UNKNOWN, ...rest];
  const file = name.text.replace(/^.*\/|\.(?:exe|cmd|bat)$|(?<=\w)@[\w.^~-]+$/gis, "");
  if (file === "" || file.includes(HOLE)) return words;
  const [, owner = "", plumbing = ""] = /^(git|docker)-([a-z][a-z-]*)$/.exec(file) ?? [];
  // Programs of others are called git-something too; only git's own are its subcommands.
  if (owner === "git" ? gitUse(plumbing) : plumbing === "compose")
    return [{ ...name, text: owner }, knownWord(plumbing), ...rest];
  // hub is git with more subcommands.
  if (file === "hub" && gitUse(rest[0]?.text ?? "")) return [{ ...name, text: "git" }, ...rest];
  if (file === "yarn" && /^workspace |^workspaces run$/.test(`${rest[0]?.text} ${rest[1]?.text}`))
    return [knownWord(file), ...rest.slice(2)];
  return file === name.text ? words : [{ ...name, text: file, isMany: false }, ...rest];
}

function exportedOf(state: ShellState): ShellAssignment[] {
  const exported = [...state.exported].map((name) => ({ name, value: state.variables.get(name) ?? UNKNOWN }));
  return [...exported, ...Array.from(state.settings, ([key, value]) => ({ name: SET_BEFORE + key, value }))];
}
