import { isDeepStrictEqual } from "node:util";
import { parse, TomlError } from "smol-toml";
import { type Piece, EditRefusal } from "../entry/client.ts";

type TomlPiece = Extract<Piece, { kind: "toml" }>;

const BEGIN = "# heed: begin (written by `heed init`; `heed uninit` takes it out)";
const END = "# heed: end";
const BLOCK = /(?:\r?\n)*(?:^|(?<=\n))# heed: begin[^\n]*\n[\s\S]*?# heed: end[^\n]*(?:\n|$)/;

/** Puts heed's tables in one marked block at the end. @throws EditRefusal where the file would say something else. */
export function addToToml(text: string, pieces: readonly TomlPiece[]): string {
  const eol = text.includes("\r\n") ? "\r\n" : "\n";
  const block = [BEGIN, ...pieces.map((piece) => piece.text.trim()), END].join("\n").replaceAll("\n", eol);
  if (text.includes(block)) return text;
  const rest = removeFromToml(text);
  const before = read(rest);
  for (const { table } of pieces) {
    const there = table.reduce<unknown>((value, key) => (value as typeof before | undefined)?.[key], before);
    if (there !== undefined)
      throw new EditRefusal(`it has a table [${table.join(".")}] that heed did not write`);
  }
  const gap = rest === "" ? "" : rest.endsWith("\n") ? eol : eol + eol;
  const edited = `${rest}${gap}${block}${eol}`;
  const after = read(edited, "heed's tables cannot be at its end: ");
  const others = Object.keys(before).filter((key) => pieces.every(({ table }) => table[0] !== key));
  if (!others.every((key) => isDeepStrictEqual(before[key], after[key])))
    throw new EditRefusal("heed's tables would change others");
  return edited;
}

/** heed's own tables in its block; a program that adds one at the file's end puts it before the block's last comment. */
const OWN_TABLE =
  /^\[(?:mcp_servers\.heed\b|shell_environment_policy\.set\](?:\s|# heed.*)*$|\[hooks\]\][^]*\bheed\b)/;
/** heed's variables in a table in which others are set too: TOML takes it once. */
const OWN_VARIABLE = /^(?:BASH_ENV = ".*bash-env\.sh"|HEED_BASH_ENV = .*)\r?\n/gm;

/** Takes heed's block out; tables of others in it stay. */
export function removeFromToml(text: string): string {
  const found = BLOCK.exec(text);
  if (found === null) return text;
  const head = text.slice(0, found.index);
  const tail = text.slice(found.index + found[0].length);
  const others = found[0]
    .split(/^(?=\[)/m)
    .slice(1)
    .map((table) => table.replace(OWN_VARIABLE, ""))
    .filter((table) => !OWN_TABLE.test(table))
    .join("")
    .replace(/^# heed: end.*\n?/m, "");
  const gap = /^\r?\n/.exec(found[0])?.[0] ?? "";
  return head === "" ? others + tail : head + gap + (others === "" ? "" : gap) + others + tail;
}

function read(text: string, why = ""): Record<string, unknown> {
  try {
    return parse(text.replace(/^\uFEFF/, ""));
  } catch (error) {
    const [message = ""] = (error instanceof Error ? error.message : String(error)).split("\n");
    throw new EditRefusal(why + (error instanceof TomlError ? `line ${error.line}: ` : "") + message);
  }
}
