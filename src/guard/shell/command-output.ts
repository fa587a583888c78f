import { unescaped } from "./decoded-texts.ts";
import { HOLE, knownTexts } from "./shell-word.ts";
import type { ShellWord } from "./shell-word.ts";

/** A format that is used again and again prints so much. */
const MAX_OUTPUT_CHARS = 100_000;

/**
 * What a command prints, where that can be told without running it: `echo`, `printf` with plain formats, `cat` and
 * `tee` of what comes in or was written before. Undefined for anything else.
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
    case "base64":
    case "xxd":
    case "rev":
      return input?.includes(HOLE) === false ? decode(input, name.text, rest) : undefined;
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
        ? `${knownTexts(rest.slice(-1))?.[0] ?? HOLE}\n`
        : undefined;
    case ":":
    case "true":
    case "cd":
      return "";
    default:
      return undefined;
  }
}

/** Text that is encoded in the text itself; other ways to decode are not followed. */
function decode(input: string, program: string, options: readonly ShellWord[]): string | undefined {
  if (program === "rev") return input.split("\n").map(reversed).join("\n");
  const given = options.map(({ text }) => text).join(" ");
  const isDecoding = program === "xxd" ? /^-(?:r -p|p -r|rp|pr|r -ps)$/ : /^(?:-d|-D|--decode)$/;
  if (!isDecoding.test(given)) return undefined;
  return Buffer.from(input.replace(/\s+/g, ""), program === "xxd" ? "hex" : "base64").toString("utf8");
}

function reversed(line: string): string {
  return Array.from(line).reverse().join("");
}

/** Unknown pieces stay holes: what stands around them can still be read. */
function echo(args: readonly ShellWord[]): string {
  let words = args;
  let isEscaped = false;
  while (words[0] && /^-[neE]+$/.test(words[0].text)) {
    isEscaped ||= words[0].text.includes("e");
    words = words.slice(1);
  }
  const text = words.map(({ text }) => text).join(" ");
  return `${isEscaped ? unescape(text) : text}\n`;
}

function printf(args: readonly ShellWord[]): string | undefined {
  const texts = knownTexts(args);
  if (!texts) return undefined;
  const [format, ...values] = texts[0] === "--" ? texts.slice(1) : texts;
  if (format === undefined || /%(?![sbq%])/.test(format)) return undefined;
  const slots = format.match(/%[sbq]/g)?.length ?? 0;
  // The format is used again until there are no values left.
  const rounds = slots === 0 ? 1 : Math.max(1, Math.ceil(values.length / slots));
  let output = "";
  let next = 0;
  for (let round = 0; round < rounds && output.length < MAX_OUTPUT_CHARS; round++) {
    output += unescape(format).replace(/%[sbq]|%%/g, (slot) => {
      if (slot === "%%") return "%";
      const value = values[next++] ?? "";
      return slot === "%b" ? unescape(value) : value;
    });
  }
  return output;
}

const ESCAPES: Readonly<Record<string, string>> = { n: "\n", t: "\t", "\\": "\\" };

function unescape(text: string): string {
  return unescaped(text).replace(/\\([nt\\])/g, (_, char: string) => ESCAPES[char] ?? "");
}
