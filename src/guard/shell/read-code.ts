import type { RunContext } from "./run-context.ts";
import { runInside, within } from "./run-context.ts";
import { type ShellWord, knownWord, UNKNOWN_WORDS } from "./shell-command.ts";

/** Programs that run code which is given as text. */
export const INTERPRETERS: RegExp =
  /^(?:node|bun|deno|tsx|(?:i?python|pypy)[\d.]*|ruby|perl|php|lua|Rscript|osascript|pwsh|powershell|julia|elixir|g?awk|emacs)$/;

/** Longer code is searched for what guards name, but its calls are not read. */
const MAX_CODE_CHARS = 4000;
const MAX_CALLS = 100;
/** So much of a text before a literal is looked at for the functions that it is given to. */
const BEFORE_CHARS = 80;

const REMOVES =
  /(?:^|[.:])(?:rmtree|unlink(?:Sync)?|rm(?:dir)?Sync|rmdir|removeSync|rm_rf?|rm_r|remove_dir|removedirs|rimraf|send2trash|remove_tree|deltree|truncateSync|emptyDirSync|delete-(?:directory|file))$|^rm$|^(?:os|fs|fse|fsp|promises|Deno|File|FileUtils|FileSystem|Files|Dir|file|.*\.promises)[.:]+(?:remove|delete|rm|rm_f|truncate|unlink)\w*$/;
const MOVES =
  /^(?:os|fs|fsp|fse|shutil|File|FileUtils|promises|Deno|.*\))?\.?(?:rename|renameSync|move|moveSync|mv)$|^os\.replace$/;
const WRITES =
  /(?:^|[.:])(?:writeFile|appendFile|outputFile|writeTextFile|createWriteStream|file_put_contents|makedirs|mkdirSync|touch)(?:Sync)?$|^(?:File|IO|Bun)\.(?:bin)?write$/;
const COPIES = /(?:^|[.:])(?:copy|cp|copyfile|copy2|copytree|copyFile|cp_r)(?:Sync)?$/;
const OPENS = /(?:^|[.:])f?open$/;
const RUNS =
  /(?:^|[.:])(?:system|popen|Popen|exec|execSync|execFile|execFileSync|spawn|spawnSync|call|check_call|check_output|getoutput|run|execute|shell_exec|passthru|script)$/;
/** Methods of a path: `Path("data/x").unlink()`. */
const OF_PATHS = /^\s*\)\s*\.(\w+)\(/;
const PATHS = /(?:^|\.)(?:Path|PurePath|Pathname|File|file)(?:\.new)?$/;

interface CodeCall {
  /** The functions around the literals, the innermost last. */
  names: readonly string[];
  values: readonly string[];
  /** What follows the last literal. */
  after: string;
  isBackquoted: boolean;
}

/**
 * Notes what literal one-liners of other languages do: files that a call of a well-known function removes, moves or
 * writes, and commands that it runs. Everything else in them stays what nobody can tell.
 */
export function readCode(program: string, code: string, context: RunContext): void {
  if (code.length > MAX_CODE_CHARS) return;
  context.shell.budget.spend(5 + code.length / 16);
  const runsQuoted = /^(?:ruby|perl|php|julia)$/.test(program);
  const removes: ShellWord[] = [];
  const writes: ShellWord[] = [];
  for (const { names, values, after, isBackquoted } of callsIn(code)) {
    const words = values.map(knownWord);
    const [first, second] = words;
    const is = (test: RegExp): boolean => names.some((name) => test.test(name));
    const [, method = ""] = names.some((name) => PATHS.test(name)) ? (OF_PATHS.exec(after) ?? []) : [];
    if (!first) continue;
    if (is(RUNS) || (isBackquoted && runsQuoted && names.length === 0)) {
      if (words.length === 1) runInside(program, first.text, context);
      else context.shell.runPrepared({ words, environment: [], writes: [] }, within(program, context));
    } else if (is(REMOVES) || /^(?:unlink|rmdir|rmtree)$/.test(method)) removes.push(first);
    else if (is(MOVES) || /^(?:rename|replace)$/.test(method)) {
      removes.push(first);
      if (second) writes.push(second);
    } else if (is(COPIES) && second) writes.push(second);
    else if (is(WRITES) || /^(?:write_\w+|touch|mkdir)$/.test(method)) writes.push(first);
    else if (is(OPENS) && /^[rb]*[wax+>]/.test(second?.text ?? "")) writes.push(words[2] ?? first);
  }
  // What is not literal may name any file.
  const called = Array.from(code.matchAll(/([\w.:]+)[!?]?\s*\(/g), ([, name = ""]) => name);
  if (called.filter((name) => REMOVES.test(name)).length > removes.length) removes.push(UNKNOWN_WORDS);
  if (called.filter((name) => WRITES.test(name)).length > writes.length) writes.push(UNKNOWN_WORDS);
  if (removes.length + writes.length > 0)
    context.shell.note({
      words: [],
      environment: [],
      // What is opened to be written keeps no more than what is written then.
      writes: writes.map((word) => ({ ...word, isAppended: true })),
      removes,
      fed: { text: "", isWhole: true },
      cwd: context.state.cwd,
      route: [...context.route, program],
    });
}

/** The calls that are given literal texts alone, up to the first that is not. */
function callsIn(code: string): CodeCall[] {
  const calls: (CodeCall & { values: string[] })[] = [];
  let end = -1;
  for (const { 0: whole, 1: mark = "", 2: value = "", index } of code.matchAll(
    /(["'`])((?:\\.|(?!\1)[^\\\n])*)\1/g,
  )) {
    const last = calls.at(-1);
    const between = code.slice(end, index);
    end = index + whole.length;
    const after = code.slice(end, end + BEFORE_CHARS);
    if (last && index > 0 && /^\s*(?:,|=>)\s*\[?\s*$/.test(between)) {
      last.values.push(value);
      last.after = after;
    } else if (calls.length >= MAX_CALLS) break;
    else {
      const names = namesBefore(code.slice(Math.max(0, index - BEFORE_CHARS), index));
      calls.push({ names, values: [value], after, isBackquoted: mark === "`" });
    }
  }
  return calls;
}

/** `shutil.rmtree(Path(` gives both; perl and ruby need no bracket. */
function namesBefore(text: string): string[] {
  const [, chain = ""] =
    /((?:[\w.$:)'"-]+[!?]?\s*[([]\s*\[?\s*)+|(?:^|[\s;{(])[\w.:-]+[!?]?\s+)[rbfu]?$/.exec(text) ?? [];
  return chain.split(/[([\s]+/).flatMap((name) => {
    // `require('fs').rmSync(` keeps its end.
    const plain = name.replace(/^.*["')]+(?=\.)/, "fs").replace(/[!?]$/, "");
    return plain === "" ? [] : [plain];
  });
}
