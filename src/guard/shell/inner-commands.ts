import { type CommandSpec, parseOptions, readArguments, readOption } from "./read-arguments.ts";
import { type ShellAssignment, type ShellCommand, type ShellWord, HOLE, knownWord } from "./shell-command.ts";

const SHELLS: ReadonlySet<string> = new Set("sh bash zsh dash ksh ash".split(" "));

interface Wrapper {
  /** Operands before the command, such as the duration of `timeout`. */
  operands: number;
  /** Its options with a value. */
  options: CommandSpec;
  /** The one whose value is a shell text. */
  script: string;
  /** The words that are left are joined to a shell text. */
  isScript: boolean;
}

/** Programs that run another. `=`: operands first; after `:` options with a value; `;`: one with a shell text; `!`: joined text. */
const WRAPPERS: ReadonlyMap<string, Wrapper> = new Map(
  `env:uC;S sudo:CDghpRrTtUu doas:Cu time:fo nohup setsid command builtin exec:a nice:n ionice:cnp timeout=1:ks stdbuf:ioe
   chronic unbuffer caffeinate:tw cross-env dotenv:efpc xargs:adEILnPRsJS su=9:gGsw;c watch!:n direnv+exec=1
   npx:pw;c bunx pnpx npm+exec:pw;c npm+x:pw;c pnpm+exec:C pnpm+dlx yarn+exec yarn+dlx bundle+exec poetry+run
   pipenv+run uv+run:p uvx git+submodule+foreach! git+bisect+run`
    .match(/\S+/g)!
    .map((text) => {
      const [, name = "", mark, count, letters = "", script = ""] =
        /^([^!=:;]+)(!)?(?:=(\d))?(?::(\w+))?(?:;(\w))?$/.exec(text) ?? [];
      const valued = Array.from(letters, (letter) => `${letter}=`);
      const row = script === "" ? valued : [...valued, `${script},call,command,split-string=`];
      const options = parseOptions(row.join(" "));
      const more = {
        operands: Number(count ?? 0),
        options,
        script: `-${script}`,
        isScript: mark !== undefined,
      };
      return [name.replaceAll("+", " "), more];
    }),
);

export type InnerCommand = {
  label: string;
  environment?: readonly ShellAssignment[];
} & ({ text: string } | { words: readonly ShellWord[] });

export function findInner({
  words,
  input,
}: Pick<ShellCommand, "words" | "environment" | "input">): InnerCommand[] {
  const [{ text: program } = knownWord(""), ...args] = words;
  if (SHELLS.has(program)) return scriptOfShell(program, args, input);
  if (program === "eval") {
    // Here `X=1 …` begins a text.
    const text = args.slice(Number(args[0]?.text === "--")).map((one) => one.text);
    return [{ label: program, text: text.join(" ") }];
  }
  if (program === "trap") return args.slice(0, 1).map(({ text }) => ({ label: program, text }));
  if (program === "find") return runByFind(args);
  return [...(program === "git" ? runByGit(words) : []), ...runByWrapper(words, input)];
}

function scriptOfShell(label: string, args: readonly ShellWord[], input: string | undefined): InnerCommand[] {
  // `-o pipefail` takes the next word. The script comes behind all options.
  const at = args.findIndex(
    ({ text }, i) =>
      !/^[-+]/.test(text) && !/^[-+]\w*[oO]$|^--(?:rc|init-)file$/.test(args[i - 1]?.text ?? ""),
  );
  const options = args.slice(0, at < 0 ? undefined : at).map(({ text }) => text);
  if (options.some((text) => /^-[a-z]*c$/.test(text)) && at >= 0)
    return args.slice(at, at + 1).map(({ text }) => ({ label: `${label} -c`, text }));
  const isInput = at < 0 || options.some((text) => /^-[a-z]*s$/.test(text));
  return isInput && input !== undefined ? [{ label: `input of ${label}`, text: input }] : [];
}

const TESTS =
  /^-(?:i?name|i?path|i?wholename|i?regex|type|size|[acm]time|[acm]min|newer.*|user|perm|empty|prune)$/;

/** The files that `find` finds, as wildcards: all below its folders, or those of the one name or path that it asks for. */
export function foundBy(args: readonly ShellWord[]): { word: ShellWord; isAll: boolean }[] {
  const end = args.findIndex(({ text }) => /^[-(!]/.test(text));
  const roots = args.slice(0, end < 0 ? undefined : end);
  const isAll = !args.some(({ text }) => TESTS.test(text));
  const isEither = args.some(({ text }) => /^-or?$/.test(text));
  const at = args.findIndex(
    ({ text }, i) => /^-(?:name|path|wholename)$/.test(text) && !/^(?:!|-not)$/.test(args[i - 1]?.text ?? ""),
  );
  const [how, asked] = isEither || at < 0 ? [] : args.slice(at, at + 2).map(({ text }) => text);
  return (roots.length > 0 ? roots : [knownWord(".")]).map(({ text: root }) => {
    if (isAll) return { word: { text: root }, isAll };
    const path = asked?.replace(/\*+/g, "**").replace(/^\*\*(?!\/)/, "**/*");
    const text =
      how === "-name" || path === undefined
        ? `${root}/**${asked === undefined ? "" : `/${asked}`}`
        : `${path.startsWith("*") ? `${root}/` : ""}${path}`;
    return { word: { text, isGlob: true }, isAll };
  });
}

function runByFind(args: readonly ShellWord[]): InnerCommand[] {
  return args.flatMap(({ text: label }, at): InnerCommand[] => {
    if (!/^-(?:exec|execdir|ok|okdir)$/.test(label)) return [];
    const rest = args.slice(at + 1);
    const end = rest.findIndex(({ text }) => text === ";" || text === "+");
    const found = foundBy(args).map(({ word }) => word);
    const words = rest
      .slice(0, end < 0 ? undefined : end)
      .flatMap((word) => (word.text === "{}" ? found : [word]));
    return [{ label: `find ${label}`, words }];
  });
}

function runByGit(words: readonly ShellWord[]): InnerCommand[] {
  const { options, operands } = readArguments(words);
  return operands[0]?.text === "rebase"
    ? options.flatMap(({ names, value }) =>
        value && names.includes("-x") ? [{ label: "git rebase -x", text: value.text }] : [],
      )
    : [];
}

/** The longest name that is a wrapper, ignoring options between its words, and the index of the word after it. */
function wrapperOf(
  words: readonly ShellWord[],
): { label: string; wrapper: Wrapper; next: number } | undefined {
  const first = words[0]?.text ?? "";
  const own = WRAPPERS.get(first);
  if (own) return { label: first, wrapper: own, next: 1 };
  const operands = readArguments(words)
    .operands.slice(0, 2)
    .map(({ text }) => text);
  for (let count = operands.length; count > 0; count--) {
    const label = [first, ...operands.slice(0, count)].join(" ");
    const wrapper = WRAPPERS.get(label);
    if (wrapper)
      return { label, wrapper, next: words.findIndex(({ text }) => text === operands[count - 1]) + 1 };
  }
  return undefined;
}

function runByWrapper(words: readonly ShellWord[], input: string | undefined): InnerCommand[] {
  const found = wrapperOf(words);
  if (!found) return [];
  const { label, wrapper } = found;
  const args = words.slice(found.next);
  const environment: ShellAssignment[] = [];
  let place: string | undefined;
  let { operands } = wrapper;
  let at = 0;
  for (; at < args.length; at++) {
    const word = args[at] ?? knownWord("");
    const { text } = word;
    const [, name, value = ""] = /^([A-Za-z_]\w*)=(.*)$/s.exec(text) ?? [];
    if (name !== undefined) environment.push({ name, value: knownWord(value) });
    else if (/^-./.test(text) && text !== "--") {
      if (label === "command" && /^-[vV]$/.test(text)) return [];
      const { options, isNextTaken } = readOption(word, args[at + 1], wrapper.options);
      at += Number(isNextTaken);
      const script = options.find(({ names }) => names.includes(wrapper.script))?.value;
      // What `env` splits is followed by the words behind it.
      const more = label === "env" ? args.slice(at + 1) : [];
      const said = script && [script, ...more].map((one) => one.text).join(" ");
      if (said !== undefined) return [{ label, environment, text: said }];
      const value = text === "--replace" ? undefined : options[0]?.value;
      if (label === "xargs" && /^(?:-I|-J|--replace)/.test(text)) place = value?.text ?? "{}";
    } else if (text === "--" || operands === 0) {
      at += Number(text === "--");
      break;
    } else operands -= 1;
  }
  const inner = args.slice(at);
  if (inner.length === 0) return [];
  const more = { label, environment };
  if (wrapper.isScript) return [{ ...more, text: inner.map(({ text }) => text).join(" ") }];
  if (label !== "xargs") return [{ ...more, words: inner }];
  const isEach = place !== undefined;
  const items = (input ?? HOLE)
    .split(isEach ? "\n" : /\s+/)
    .filter((text) => text !== "")
    .map(knownWord);
  if (!isEach) return [{ ...more, words: [...inner, ...items] }];
  return items.slice(0, 32).map((item) => ({
    ...more,
    words: inner.map((word) =>
      place && word.text.includes(place) ? { ...word, text: word.text.replaceAll(place, item.text) } : word,
    ),
  }));
}

/** The plain name of a program: `/usr/bin/git` is `git`, `docker-compose` is `docker compose`, `x@1.2` is `x`. */
export function plainName(words: readonly ShellWord[]): readonly ShellWord[] {
  const [name, ...rest] = words;
  if (!name) return words;
  const file = name.text.replace(/^.*\/|\.(?:exe|cmd|bat)$|(?<=\w)@[\w.^~-]+$/gis, "");
  if (file === "docker-compose") return [knownWord("docker"), knownWord("compose"), ...rest];
  return file === "" || file === name.text ? words : [{ ...name, text: file }, ...rest];
}
