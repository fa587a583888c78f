import { reversed, unescaped } from "./decoded-texts.ts";
import { readArguments } from "./read-arguments.ts";
import { HOLE, isKnown, knownWord } from "./shell-word.ts";
import type { ShellWord } from "./shell-word.ts";

/** A format that is used again and again prints so much. */
const MAX_OUTPUT_CHARS = 100_000;

/**
 * What a command prints, where that can be told without running it: `echo`, `printf` with plain formats, `cat` and
 * `tee` of what comes in or was written before; of lists of files where they lie. Undefined for anything else.
 */
export function outputOf(
  words: readonly ShellWord[],
  input: string | undefined,
  readFile: (file: ShellWord) => string | undefined,
): string | undefined {
  const [name, ...rest] = words;
  switch (name?.text) {
    case "echo":
      return echo(rest);
    case "printf":
      return printf(rest);
    case "tee":
      return input;
    case "rev":
      return input?.split("\n").map(reversed).join("\n");
    case "base64":
    case "xxd": {
      const isDecoding = /^(?:-d|-D|--decode|-r-p|-p-r|-rp|-pr)$/.test(rest.map(({ text }) => text).join(""));
      if (!isDecoding || input === undefined || input.includes(HOLE)) return undefined;
      return Buffer.from(input.replace(/\s+/g, ""), name.text === "xxd" ? "hex" : "base64").toString("utf8");
    }
    case "cat": {
      const files = rest.filter(({ text }) => !/^-./.test(text));
      const texts = files.map((file) => file.stream ?? (file.text === "-" ? input : readFile(file)));
      if (files.length === 0) return input;
      return texts.every((text) => text !== undefined) ? texts.join("") : undefined;
    }
    case "which":
    case "command":
    case "type":
      return rest.length > 0 && rest.slice(0, -1).every(({ text }) => /^-[a-zA-Z]+$/.test(text))
        ? `${rest.at(-1)?.text}\n`
        : undefined;
    case ":":
    case "true":
    case "cd":
      return "";
    default:
      return LISTS.test(name?.text ?? "") ? listed(words, input) : undefined;
  }
}

const LISTS = /^(?:find|ls|git|grep|rg|sort|head|tail|mktemp)$/;

/** What is printed of files: a hole for what is below each folder and wildcard that is given; a list is passed on. */
function listed(words: readonly ShellWord[], input: string = ""): string | undefined {
  const [program = "", first] = words.map(({ text }) => text);
  const has = (option: RegExp): boolean => words.some(({ text }) => option.test(text));
  let roots: readonly ShellWord[] = [];
  if (program === "git" ? first === "ls-files" : /^(?:grep|rg)$/.test(program) && has(/^-\w*l/))
    roots = readArguments(words).operands.slice(1);
  else if (program === "find" && !has(/^-(?:printf|exec|ok|f?ls)/)) roots = foundBy(words);
  else if (program === "ls" && !has(/^-\w*[lnsR]/)) roots = words.filter(({ isGlob }) => isGlob);
  else if (program === "mktemp" && !has(/^-\w*[pt]|^--[st]/))
    roots = [words.find(({ text }) => text.includes("XXX")) ?? knownWord("/tmp/*")];
  const below = roots.map(({ text }) => text.replace(/\*+|\?|\[[^\]]*\]|X{3,}/g, HOLE));
  const text = below.map((root) => `${root}${root.includes(HOLE) ? "" : `/${HOLE}`}\n`).join("");
  return (
    text ||
    (!has(/^-\w*[ocl]/) &&
    input
      .trim()
      .split("\n")
      .every((line) => line.includes(HOLE))
      ? input
      : undefined)
  );
}

/** What `find` finds, as globs: files of the name or path that is asked below its folders, as far as it is told. */
export function foundBy([program, ...args]: readonly ShellWord[]): ShellWord[] {
  const end = args.findIndex(({ text }) => /^[-(!]/.test(text));
  const roots = (end < 0 ? args : args.slice(0, end)).map(({ text }) => text);
  const isAny = args.some(({ text }) => /^(?:!|-not|-or?)$/.test(text));
  const at = isAny ? -1 : args.findIndex(({ text }) => /^-(?:path|wholename|name)$/.test(text));
  const [how = "-name", asked = ""] = at < 0 ? [] : args.slice(at).map(({ text }) => text);
  const bases = program?.text !== "find" ? [HOLE] : roots.length > 0 ? roots : ["."];
  const found = bases.map((base) =>
    how === "-name" ? `${base}/**${asked && "/"}${asked}` : asked.replace(/\*+/g, "**"),
  );
  return found.map((text) => ({ text, isMany: true, isOperand: true, isGlob: true }));
}

/** Unknown pieces stay holes: what stands around them can still be read. */
function echo(args: readonly ShellWord[]): string {
  const texts = args.map(({ text }) => text);
  const at = texts.findIndex((text) => !/^-[neE]+$/.test(text));
  const said = at < 0 ? "" : texts.slice(at).join(" ");
  return `${at > 0 && texts.slice(0, at).join("").includes("e") ? unescaped(said) : said}\n`;
}

function printf(args: readonly ShellWord[]): string | undefined {
  const texts = args.map(({ text }) => text);
  const [format, ...values] = texts[0] === "--" ? texts.slice(1) : texts;
  if (!args.every(isKnown) || format === undefined || /%(?![sbq%])/.test(format)) return undefined;
  let output = "";
  const left = [...values];
  // The format is used again until there are no values left.
  do {
    output += unescaped(format).replace(/%[sbq]|%%/g, (slot) => {
      if (slot === "%%") return "%";
      const value = left.shift() ?? "";
      return slot === "%b" ? unescaped(value) : value;
    });
  } while (left.length > 0 && left.length < values.length && output.length < MAX_OUTPUT_CHARS);
  return output;
}
