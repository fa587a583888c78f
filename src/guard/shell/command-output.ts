import { reversed, unescaped } from "./decoded-texts.ts";
import { HOLE, isKnown } from "./shell-word.ts";
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
      return undefined;
  }
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
  const slots = format.match(/%[sbq]/g)?.length ?? 0;
  // The format is used again until there are no values left.
  const rounds = slots === 0 ? 1 : Math.max(1, Math.ceil(values.length / slots));
  let output = "";
  let next = 0;
  for (let round = 0; round < rounds && output.length < MAX_OUTPUT_CHARS; round++) {
    output += unescaped(format).replace(/%[sbq]|%%/g, (slot) => {
      if (slot === "%%") return "%";
      const value = values[next++] ?? "";
      return slot === "%b" ? unescaped(value) : value;
    });
  }
  return output;
}
