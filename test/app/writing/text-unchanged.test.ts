import * as fc from "fast-check";
import { expect, test } from "vitest";
import { TemporaryHeed } from "../temporary-heed.ts";

/** More with HEED_TEST_RUNS. */
const RUNS = Number(process.env["HEED_TEST_RUNS"] ?? 40);
const PERSON = { kind: "person" } as const;

const WORDS = (
  'the kiln sensor Ruby reports every 10 s 4,5 °C 0.5% `RETRY=3` "as is" ‘quoted’ «texte» #42 Jonas\'s café Größe naïve ' +
  "data/raw/*.csv x->y a&b <b> {{name}} $HOME %s \\n [link](https://acme.example/a?b=c) **bold** _em_ — – … ✓ 記憶 über-groß " +
  "weekly Fridays monthly at 04:30 v2.1.0 2026-05-02 e.g. i.e. Mr. Sunday's and, or; not: never! always"
).split(" ");
const sentence = fc
  .array(fc.constantFrom(...WORDS), { minLength: 3, maxLength: 14 })
  .map((words) => words.join(" "))
  .filter((text) => text.length <= 200);

test(
  "a sentence without a date phrase is read as it was written, in its line and in its text",
  async () => {
    const home = new TemporaryHeed();
    await home.heed.setup.init("user");
    let kept = 0;
    await fc.assert(
      fc.asyncProperty(sentence, fc.integer(), async (said, salt) => {
        const text = `note ${Math.abs(salt)}: ${said}`;
        const result = await home.heed.memories.write(
          {
            type: "project",
            name: `note-${Math.abs(salt)}`,
            description: text,
            body: text,
          },
          PERSON,
        );
        // What a gate refuses, or asks about, changes nothing.
        if (!("card" in result)) return;
        kept++;
        const { card, body } = await home.heed.memories.show(result.card.name, { reader: PERSON });
        expect([card.description, body.trim()]).toEqual([text, text]);
      }),
      { numRuns: RUNS },
    );
    // A property of refusals alone would hold for nothing.
    expect(kept).toBeGreaterThan(RUNS / 2);
    await home.remove();
  },
  60_000 + RUNS * 2_000,
);
