import { readSync } from "node:fs";
import type { ImportedMemory } from "../../../heed.ts";
import type { Output } from "../output/output.ts";
import { bold, cyan, dim, oneLine } from "../output/text.ts";

const HELP = "[r] rules   [f] facts   [Enter] leave   [o] one by one   [q] write nothing";
const KEYS = ["y", "n", "r", "f", "\r", "\n", "o", "q"];
const TYPES: Readonly<Record<string, string>> = { r: "feedback", f: "project" };
const MAX_SHOWN = 12;

/** A section of a source. */
export interface Section {
  title: string;
  statements: readonly ImportedMemory[];
}

/** Statements by the file and heading that they stand under. */
export function sectionsOf(statements: readonly ImportedMemory[]): Section[] {
  const sections = new Map<string, ImportedMemory[]>();
  const files = new Set(statements.map(({ place }) => place.replace(/:\d+$/, "")));
  for (const one of statements) {
    const file = files.size > 1 ? `${one.place.replace(/:\d+$/, "")}  ` : "";
    const title = `${file}${one.section || "(no heading)"}`;
    sections.set(title, [...(sections.get(title) ?? []), one]);
  }
  return [...sections].map(([title, held]) => ({ title, statements: held }));
}

/** What a statement says below its heading. */
export function wordsOf({ section = "", statement }: ImportedMemory): string {
  return statement.startsWith(`${section}: `) ? statement.slice(section.length + 2) : statement;
}

/** Asks section by section what its statements are: their types by place, of those that are not left. Undefined: nothing is to be written. */
export function sortStatements(
  open: readonly ImportedMemory[],
  out: Output,
  readKey: () => string,
): Record<string, string> | undefined {
  const sections = sectionsOf(open);
  const types: Record<string, string> = {};
  for (let i = 0; i < sections.length;) {
    const { title, statements } = sections[i]!;
    // What a file does not say to be a rule is safe as a fact.
    const isRule = statements.every((one) => one.isRule);
    const help = cyan(`${isRule ? "Rules" : "Facts"}? y/N   ${HELP}`);
    const shown = statements.slice(0, MAX_SHOWN).map((one) => `  ${oneLine(wordsOf(one))}`);
    const rest = statements.length - MAX_SHOWN;
    const more = rest > 0 ? [dim(`  and ${rest} more`)] : [];
    out.note([bold(title), dim(`  ${i + 1}/${sections.length}`)], ...shown, ...more, help);
    const pressed = askKey(readKey, KEYS, () => out.note(help));
    const key = pressed === "y" ? (isRule ? "r" : "f") : pressed;
    if (key === "q") return undefined;
    if (key === "o") sections.splice(i, 1, ...statements.map((one) => ({ title, statements: [one] })));
    else {
      for (const { place } of statements) if (TYPES[key] !== undefined) types[place] = TYPES[key];
      i += 1;
    }
  }
  return types;
}

/** Waits for one of the keys; at any other `showKeys` tells which there are. */
function askKey(readKey: () => string, keys: readonly string[], showKeys: () => void): string {
  for (;;) {
    const key = readKey().toLowerCase();
    if (keys.includes(key)) return key;
    // Escape, or the end of input.
    if (["", "\u001b", ...ENDS].includes(key)) return "q";
    showKeys();
  }
}

/** Ctrl-C and Ctrl-D. */
const ENDS = ["\u0003", "\u0004"];

/** How often to look for a key where the terminal does not let a reader wait, in milliseconds. */
const WAIT_MS = 20;

/** One key from the terminal, without waiting for the end of a line; empty at the end of the input. */
export function readTerminalKey(): string {
  const buffer = Buffer.alloc(16);
  process.stdin.setRawMode(true);
  try {
    for (;;) {
      try {
        const length = readSync(0, buffer, 0, buffer.length, null);
        const typed = buffer.toString("utf8", 0, length);
        // Of several at once the first counts (a paste answers nothing), and an end among them ends.
        return ENDS.find((end) => typed.includes(end)) ?? typed.slice(0, 1);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "EAGAIN") return "";
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, WAIT_MS);
      }
    }
  } finally {
    process.stdin.setRawMode(false);
  }
}
