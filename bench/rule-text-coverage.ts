import { pooledRate } from "./bootstrap.ts";
import type { Tally } from "./bootstrap.ts";
import type { Figure } from "./figure.ts";
import type { InjectionData, LabelledMemory } from "./injection-data.ts";
import { replayStore } from "./replay.ts";
import { findHostile } from "../src/memory/screening/find-hostile.ts";
import { plainWords } from "../src/memory/handle.ts";
import { readSections, withoutQuotations } from "../src/memory/codec/sections.ts";

/** Rules of one generated store; the data's stores have as many as they have. */
const GENERATED = 60;
/** A rule's first sentence counts up to here: a whole page cannot be in a context. */
const MAX_IMPERATIVE_CHARS = 120;

/** Share of rules whose imperative a fresh session is given, in stores where every description is a mere summary. */
export async function ruleTextCoverage(data: InjectionData): Promise<Figure> {
  const stores = new Map<string, string[]>([["generated", generated()]]);
  for (const { storeId, type, text } of data.memories) {
    const body = /^---\n[^]*?\n---\n([^]*)$/.exec(text)?.[1] ?? "";
    // What speaks to a model waits until a person has read it.
    if (type === "feedback" && imperativeOf(body) !== "" && findHostile(body).length === 0)
      stores.set(storeId, [...(stores.get(storeId) ?? []), body]);
  }
  const tallies: Tally[] = [];
  for (const [storeId, bodies] of stores) {
    const store = await replayStore(bodies.map((body, i) => summarised(body, i, storeId)));
    try {
      const context = ` ${plainWords((await store.opening()).context)} `;
      const isThere = (body: string): boolean => context.includes(` ${imperativeOf(body)} `);
      tallies.push({ successes: bodies.filter(isThere).length, trials: bodies.length });
    } finally {
      await store.close();
    }
  }
  return pooledRate("rule_text_coverage", tallies);
}

/** The whole words of a body's first sentence, as far as they count. */
function imperativeOf(body: string): string {
  const said = withoutQuotations(readSections(body).statement).trim();
  const [sentence = ""] = said.split(/(?<=[.!?])\s|\n\s*\n/);
  const words = plainWords(sentence.slice(0, MAX_IMPERATIVE_CHARS + 1));
  return sentence.length > MAX_IMPERATIVE_CHARS ? words.replace(/ ?\S*$/, "") : words;
}

function summarised(body: string, i: number, storeId: string): LabelledMemory {
  const name = `convention-${i}`;
  const head = [
    `name: ${name}`,
    `description: convention ${i} of this project`,
    "metadata:",
    "  type: feedback",
  ];
  return {
    id: name,
    storeId,
    type: "feedback",
    file: `${name}.md`,
    text: `---\n${head.join("\n")}\n---\n${body}\n`,
  };
}

function generated(): string[] {
  const orders = ["Never edit", "Always test", "Ask before you move", "Do not log", "Review", "Keep"];
  const things = [
    "the ledger",
    "a migration",
    "the parser",
    "user data",
    "the cache",
    "a queue",
    "the build",
    "old flags",
  ];
  return Array.from({ length: GENERATED }, (_, i) => {
    const text = `${orders[i % orders.length]} ${things[i % things.length]} of part ${i} without a second look at its tests.`;
    return `${text}\n\n**Why:** it broke in release ${i}.\n\n**How to apply:** in every change.`;
  });
}
