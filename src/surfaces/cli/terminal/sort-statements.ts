import type { ImportedMemory } from "../../../heed.ts";
import type { Output } from "../output/output.ts";
import { bold, dim, oneLine } from "../output/text.ts";
import { ask } from "./read-given.ts";

const HELP = "r rules, f facts, Enter leaves them, o one by one, q writes nothing";
const WORDS = ["y", "n", "r", "f", "o", "q"];
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
export async function sortStatements(
  open: readonly ImportedMemory[],
  out: Output,
): Promise<Record<string, string> | undefined> {
  const sections = sectionsOf(open);
  const types: Record<string, string> = {};
  for (let i = 0; i < sections.length;) {
    const { title, statements } = sections[i]!;
    // What a file does not say to be a rule is safe as a fact.
    const isRule = statements.every((one) => one.isRule);
    const shown = statements.slice(0, MAX_SHOWN).map((one) => `  ${oneLine(wordsOf(one))}`);
    const rest = statements.length - MAX_SHOWN;
    out.note([bold(title), dim(`  ${i + 1}/${sections.length}`)], ...shown);
    if (rest > 0) out.note(dim(`  and ${rest} more`));
    const answer = await ask(`${isRule ? "Rules" : "Facts"}? [y/N, ${HELP}] `, WORDS);
    const key = answer === "y" ? (isRule ? "r" : "f") : answer;
    if (key === "q") return undefined;
    if (key === "o") sections.splice(i, 1, ...statements.map((one) => ({ title, statements: [one] })));
    else {
      for (const { place } of statements) if (TYPES[key] !== undefined) types[place] = TYPES[key];
      i += 1;
    }
  }
  return types;
}
