import type { WriteResult } from "../src/heed.ts";
import type { Figure } from "./figure.ts";
import { exactInterval } from "./statistics.ts";
import type { DateSentence } from "./truth/date-sentences.ts";
import { DATE_SENTENCES, HELD_OUT_DATE_SENTENCES, WRITTEN_ON } from "./truth/date-sentences.ts";
import type { RelatedStatements } from "./truth/statement-relations.ts";
import { FAMILIES, HELD_OUT_STATEMENTS, STATEMENTS } from "./truth/statement-relations.ts";
import { CHOICES_AND_FAMILIES, MORE_CHOICES_AND_FAMILIES } from "./truth/fourth-table.ts";
import { SECOND_DATE_SENTENCES, SECOND_STATEMENTS, SECOND_VALUES } from "./truth/second-table.ts";
import { THIRD_STATEMENTS, THIRD_VALUES } from "./truth/third-table.ts";
import type { ValueStatement } from "./truth/value-statements.ts";
import { VALUE_STATEMENTS } from "./truth/value-statements.ts";
import { withThrowawayHeed } from "./truth/throwaway-heed.ts";

const PERSON = { kind: "person" } as const;

/**
 * Whether heed is ever the source of a wrong fact, over tables of this repository: sentences with and without dates,
 * pairs of statements, families of look-alikes, values that must be so. Everything goes through the library as a writer
 * goes. `held_out_` figures are of the parts that were not looked at while the rules were made.
 */
export async function run(): Promise<Figure[]> {
  return [
    ...(await dateFigures("", [...DATE_SENTENCES, ...HELD_OUT_DATE_SENTENCES])),
    ...(await dateFigures("held_out_", HELD_OUT_DATE_SENTENCES)),
    ...(await pairFigures("", [...STATEMENTS, ...HELD_OUT_STATEMENTS])),
    ...(await pairFigures("held_out_", HELD_OUT_STATEMENTS)),
    ...(await normFigures("", VALUE_STATEMENTS)),
    await siblingFigure(),
    ...(await dateFigures("second_", SECOND_DATE_SENTENCES)),
    ...(await pairFigures("second_", SECOND_STATEMENTS)),
    ...(await normFigures("second_", SECOND_VALUES)),
    ...(await pairFigures("third_", THIRD_STATEMENTS)),
    ...(await normFigures("third_", THIRD_VALUES)),
    ...(await pairFigures("choices_", CHOICES_AND_FAMILIES)),
    ...(await pairFigures("more_choices_", MORE_CHOICES_AND_FAMILIES)),
  ];
}

function rate(name: string, outcomes: readonly boolean[]): Figure {
  const hits = outcomes.filter(Boolean).length;
  return {
    name,
    value: outcomes.length === 0 ? null : hits / outcomes.length,
    unit: "rate",
    n: outcomes.length,
    ci95: exactInterval(hits, outcomes.length),
  };
}

/** What came of one sentence: the text that was kept, or what the refusal offers. */
interface Written {
  sentence: DateSentence;
  kept?: string;
  offered?: string;
}

async function dateFigures(prefix: string, sentences: readonly DateSentence[]): Promise<Figure[]> {
  const written = await withThrowawayHeed(WRITTEN_ON, async ({ heed }) => {
    const all: Written[] = [];
    for (const sentence of sentences) {
      const { text } = sentence;
      const draft = {
        type: "project",
        description: text,
        body: text,
        isDistinct: true,
      };
      const result = await heed.memories.write(draft, PERSON);
      const asked =
        result.outcome === "refused"
          ? result.refusals.find(({ gate }) => gate === "relative-dates")
          : undefined;
      if (asked) all.push({ sentence, offered: asked.remedy });
      else if ("card" in result) all.push({ sentence, kept: result.card.description });
      else throw new Error(`"${text}" was neither kept nor asked about: ${JSON.stringify(result)}`);
    }
    return all;
  });
  const expected = ({ text, becomes }: DateSentence): string => becomes ?? text;
  const wrong = written.filter(({ sentence, kept }) => kept !== undefined && kept !== expected(sentence));
  const dated = written.filter(({ sentence }) => sentence.becomes !== undefined || sentence.asks);
  const plain = written.filter(
    ({ sentence }) => sentence.becomes === undefined && sentence.asks === undefined,
  );
  return [
    { name: `${prefix}text_changed_wrongly`, value: wrong.length, unit: "texts", n: written.length },
    rate(
      `${prefix}dates_resolved`,
      dated.map(({ sentence, kept, offered }) =>
        sentence.becomes === undefined
          ? offered?.includes(`"${sentence.asks}"`) === true
          : kept === sentence.becomes,
      ),
    ),
    rate(
      `${prefix}asked_for_nothing`,
      plain.map(({ offered }) => offered !== undefined),
    ),
  ];
}

async function pairFigures(prefix: string, pairs: readonly RelatedStatements[]): Promise<Figure[]> {
  const said: { meant: RelatedStatements["relation"]; gate: string | undefined }[] = [];
  for (const { first, second, relation } of pairs)
    await withThrowawayHeed(WRITTEN_ON, async ({ heed }) => {
      const write = (text: string): Promise<WriteResult> =>
        heed.memories.write({ type: "project", description: text, body: text }, PERSON);
      await write(first);
      const result = await write(second);
      const gates = result.outcome === "refused" ? result.refusals.map(({ gate }) => gate) : [];
      said.push({
        meant: relation,
        gate: gates.find((gate) => gate === "duplicate" || gate === "contradiction"),
      });
    });
  const figures = (name: string, meant: RelatedStatements["relation"], gate: string): Figure[] => [
    rate(
      `${prefix}${name}_precision`,
      said.filter((one) => one.gate === gate).map((one) => one.meant === meant),
    ),
    rate(
      `${prefix}${name}_recall`,
      said.filter((one) => one.meant === meant).map((one) => one.gate === gate),
    ),
  ];
  return [...figures("twins", "same", "duplicate"), ...figures("contradictions", "other", "contradiction")];
}

/** Of what a question about one member of a family is told, in whatever form: the share that is another member. */
async function siblingFigure(): Promise<Figure> {
  const told = await withThrowawayHeed(WRITTEN_ON, async ({ heed }) => {
    const names = new Map<string, string>();
    for (const text of FAMILIES.flatMap(({ members }) => members)) {
      const result = await heed.memories.write(
        { type: "project", description: text, body: text },
        PERSON,
      );
      if (result.outcome !== "written") throw new Error(`"${text}" was not kept: ${JSON.stringify(result)}`);
      names.set(text, result.card.name);
    }
    const wrong: boolean[] = [];
    for (const { members, question, meant } of FAMILIES) {
      const { receipt } = await heed.session.why({ prompt: question });
      const forms = receipt.decisions.filter(({ form }) => form !== "none");
      for (const { name } of forms) wrong.push(name !== names.get(members[meant] ?? ""));
    }
    return wrong;
  });
  return {
    ...rate("siblings_told_wrongly", told),
    note: "of what was told to questions that mean one member",
  };
}

/** What came of a statement once the file said otherwise. */
interface Broken {
  isNorm: boolean;
  isAlarm: boolean;
  /** Its value is a claim of the memory at all. */
  isClaimed: boolean;
  /** `heed repair` wrote the new value into the text. */
  isRepaired: boolean;
}

/** Values that a memory names, changed in the code by a commit: an alarm where they must be so, else none. */
async function normFigures(prefix: string, statements: readonly ValueStatement[]): Promise<Figure[]> {
  const all: Broken[] = [];
  for (const { text, name, value, isNorm } of statements)
    await withThrowawayHeed(WRITTEN_ON, async ({ heed, commit }) => {
      commit("src/limits.ts", `export const OTHER = 1;\nexport const ${name} = ${value};\n`);
      const draft = { type: "project", name: "limit", description: text, body: text };
      const written = await heed.memories.write(draft, PERSON);
      if (!("card" in written)) throw new Error(`"${text}" was not kept: ${JSON.stringify(written)}`);
      commit("src/limits.ts", `export const OTHER = 1;\nexport const ${name} = ${Number(value) * 2};\n`);
      const shown = await heed.memories.show("limit");
      await heed.upkeep.repair("limit", { isApplied: true }, PERSON);
      const after = await heed.memories.show("limit");
      all.push({
        isNorm,
        isAlarm:
          shown.verdict?.isAlarm === true &&
          shown.verdict.claims.broken.some(({ since }) => since !== undefined),
        isClaimed: shown.card.claims.some((claim) => claim.includes(`${name}=${value}`)),
        isRepaired: after.card.description !== shown.card.description,
      });
    });
  const norms = all.filter(({ isNorm }) => isNorm);
  const facts = all.filter(({ isNorm }) => !isNorm);
  return [
    rate(
      `${prefix}values_claimed`,
      all.map(({ isClaimed }) => isClaimed),
    ),
    rate(
      `${prefix}norms_alarmed`,
      norms.map(({ isAlarm }) => isAlarm),
    ),
    rate(
      `${prefix}norms_repaired_away`,
      norms.map(({ isRepaired }) => isRepaired),
    ),
    rate(
      `${prefix}facts_alarmed`,
      facts.map(({ isAlarm }) => isAlarm),
    ),
  ];
}
