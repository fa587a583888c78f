import { existsSync, readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { parseArgs } from "node:util";
import { type Passage, emptyConversation, passagesOf } from "../src/here/records/past-conversations.ts";
import { readSessionOn } from "../src/past/transcripts/read-session.ts";
import { foldEvent } from "../src/past/capture/fold-event.ts";
import { isAsked, withoutHeredocs } from "../src/past/capture/tool-calls.ts";
import { type Figure, rateFigure } from "./figure.ts";
import { readJsonLines } from "./json-lines.ts";

interface Label {
  session_file: string;
  repo: string;
  failing: { input: unknown }[];
  kind: string;
  durable: boolean;
}

/**
 * Reads real transcripts: which of the struggles that a person found in them are kept in history as what failed and what
 * worked then, and about which the model is asked. `--list` prints what was found and what was missed.
 */
export async function run(args: string[]): Promise<Figure[]> {
  const options = { data: { type: "string" }, list: { type: "boolean", default: false } } as const;
  const { values } = parseArgs({ args, options });
  const folder = join(values.data ?? "", "sessions");
  const files = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith(".jsonl")) : [];
  if (files.length === 0)
    throw new Error("give --data DIR, a folder with sessions/*.jsonl and episodes.jsonl");
  const labels = readJsonLines<Label>(join(values.data ?? "", "episodes.jsonl")).filter(
    ({ durable }) => durable,
  );
  const found = files
    .toSorted()
    .flatMap((file) => fixedIn(join(folder, file)).map((passage) => ({ file, passage })));
  const isOf = (label: Label, file: string, passage: Passage): boolean =>
    basename(label.session_file) === file && isSame(passage, label);
  if (values.list) {
    for (const { file, passage } of found) {
      const label = labels.find((one) => isOf(one, file, passage));
      console.log(
        `--- ${file.slice(0, 50)} failed ${passage.failures} times ${label ? `= ${label.kind}` : ""}\n${passage.text}\n`,
      );
    }
    for (const label of labels)
      if (!found.some(({ file, passage }) => isOf(label, file, passage)))
        console.log(`missed: ${label.kind}`);
  }
  const scored = (
    least: number,
    isCounted: (file: string) => boolean,
    isKept: (passage: Passage) => boolean = () => true,
  ): Score => {
    const kept = found.filter(
      ({ file, passage }) => isCounted(file) && (passage.failures ?? 1) >= least && isKept(passage),
    );
    const wanted = labels.filter((label) => isCounted(basename(label.session_file)));
    const hits = wanted.filter((label) => kept.some(({ file, passage }) => isOf(label, file, passage)));
    const right = kept.filter(({ file, passage }) => wanted.some((label) => isOf(label, file, passage)));
    return { hits: hits.length, wanted: wanted.length, right: right.length, kept: kept.length };
  };
  const owners = [...new Set(files.map(ownerOf))];
  const heldOut = owners.map((owner) => {
    const best = LEAST_FAILURES.toSorted(
      (a, b) =>
        f1(scored(b, (file) => ownerOf(file) !== owner)) - f1(scored(a, (file) => ownerOf(file) !== owner)),
    )[0];
    return scored(best ?? 1, (file) => ownerOf(file) === owner);
  });
  const sum = (part: keyof Score): number => heldOut.reduce((all, one) => all + one[part], 0);
  const all = scored(1, () => true);
  const asked = scored(1, () => true, isAsked);
  return [
    rateFigure("struggle_recall", sum("hits"), sum("wanted")),
    rateFigure("struggle_precision", sum("right"), sum("kept")),
    rateFigure("struggle_recall_as_kept", all.hits, all.wanted),
    rateFigure("asked_recall", asked.hits, asked.wanted),
    rateFigure("asked_precision", asked.right, asked.kept),
  ];
}

interface Score {
  hits: number;
  wanted: number;
  right: number;
  kept: number;
}

/** The choice that is made with each owner left out: how often it has to have failed. */
const LEAST_FAILURES: readonly number[] = [1, 2, 3];

const f1 = ({ hits, wanted, right, kept }: Score): number =>
  hits === 0 ? 0 : 2 / (wanted / hits + kept / Math.max(1, right));

const ownerOf = (file: string): string => file.split("+")[0] ?? "";

function fixedIn(file: string): Passage[] {
  const conversation = emptyConversation();
  readSessionOn({ offsets: {}, client: "" }, file, (event, agent) => {
    foldEvent({ conversation }, event, agent);
  });
  return passagesOf(conversation).filter(({ kind }) => kind === "fixed");
}

/** The same struggle when one of its failed calls is one of those labelled. */
function isSame({ text }: Passage, { failing }: Label): boolean {
  const fold = (part: string): string => part.replace(/[\s"\\{}]+/g, "");
  const failed = text
    .split("\n")
    .filter((line) => line.startsWith("failed: "))
    .map(fold);
  return failing.some(({ input }) => {
    const given = typeof input === "string" ? withoutHeredocs(input) : JSON.stringify(input);
    // A command is kept on one line and cut, the texts in other inputs too.
    return failed.some((line) => line.includes(fold(given).slice(0, MAX_COMPARED)));
  });
}

const MAX_COMPARED = 120;
