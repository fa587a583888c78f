import { rmSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { memoryFile, TemporaryHeed } from "../../home/temporary-heed.ts";

/** More with HEED_TEST_RUNS. */
const RUNS = Number(process.env["HEED_TEST_RUNS"] ?? 8);
const WORDS =
  "gateway ledger parcel carrier invoice surcharge label sandbox contract retry queue token shard replica webhook cursor tariff manifest depot pallet".split(
    " ",
  );
const statement = fc
  .uniqueArray(fc.constantFrom(...WORDS), { minLength: 4, maxLength: 7 })
  .chain((words) => fc.integer({ min: 10, max: 99 }).map((n) => `The ${words.join(" ")} takes ${n} units.`));

const item = fc.oneof(
  fc.record({
    kind: fc.constant("episode" as const),
    statements: fc.array(statement, { minLength: 1, maxLength: 5 }),
    isExpired: fc.boolean(),
  }),
  fc.record({ kind: fc.constant("fact" as const), text: statement, copies: fc.integer({ min: 1, max: 3 }) }),
);

/** Whether a search over memories or past conversations leads to a text that says this. */
async function isFound(home: TemporaryHeed, wanted: string): Promise<boolean> {
  const { hits } = await home.heed.memories.search({ query: wanted, limit: 20 });
  for (const { metadata } of hits)
    if (`${metadata.statement}\n${(await home.heed.memories.show(metadata.id)).body}`.includes(wanted))
      return true;
  const { conversations } = await home.heed.conversations.search({
    text: wanted,
    limit: 20,
    isEverywhere: true,
  });
  for (const { session } of conversations) {
    const { passages } = await home.heed.conversations.show({ session, limit: 500 });
    if (passages.some(({ text }) => text.includes(wanted))) return true;
  }
  return false;
}

const says = (...words: string[]): string => `The ${words.join(" ")} takes 10 units.`;
/** A duplicate of three whose names lost one another when each went into the next. */
const CHAIN = [
  { kind: "episode" as const, statements: [says("gateway", "queue", "depot", "parcel")], isExpired: false },
  { kind: "fact" as const, text: says("gateway", "contract", "label", "carrier"), copies: 1 },
  { kind: "fact" as const, text: says("gateway", "sandbox", "invoice", "label"), copies: 3 },
];

test.each([["on"], ["off"]])(
  "no maintenance step reduces what a search can find, history %s",
  async (history) => {
    await fc.assert(
      fc.asyncProperty(fc.array(item, { minLength: 1, maxLength: 6 }), async (items) => {
        const home = new TemporaryHeed();
        try {
          home.write(join(home.userStore, "config.yaml"), `store: user\nhistory: ${history}\n`);
          const said: string[] = [];
          for (const [i, one] of items.entries()) {
            if (one.kind === "episode") {
              said.push(...one.statements);
              const body = `**Goal:** work ${i}\n\n**Decisions:**\n\n${one.statements.map((text) => `- ${text}`).join("\n")}`;
              const metadata = [
                "status: open",
                `decay_after: ${one.isExpired ? "2026-08-01" : "2027-08-01"}`,
              ];
              const file = memoryFile({
                type: "episode",
                name: `e-${i}`,
                statement: `Session: work ${i}`,
                body,
                metadata,
              });
              home.write(join(home.userStore, "episodes", `e-${i}.md`), file);
              continue;
            }
            said.push(one.text);
            for (let copy = 0; copy < one.copies; copy++)
              home.remember({
                type: "project",
                name: `f-${i}-${copy}`,
                statement: one.text,
                metadata: [`tags: [t${copy}]`],
              });
          }
          const tags = items.flatMap((one, i) =>
            one.kind === "fact" ? Array.from({ length: one.copies }, (_, copy) => `f-${i}-${copy}`) : [],
          );
          for (let round = 0; round < 2; round++) await home.heed.maintenance.tidy({ isApplied: true });
          for (const text of said) expect([text, await isFound(home, text)]).toEqual([text, true]);
          // A duplicate that was merged is still found by its name.
          for (const name of tags)
            expect([name, (await home.heed.memories.search({ query: name })).hits.length > 0]).toEqual([
              name,
              true,
            ]);
        } finally {
          await home.remove();
          rmSync(home.folder, { recursive: true, force: true, maxRetries: 10 });
        }
      }),
      { numRuns: RUNS, examples: [[CHAIN]] },
    );
  },
  RUNS * 30_000,
);
