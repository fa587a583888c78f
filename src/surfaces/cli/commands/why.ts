import type { Decision, Explanation, SavedTest } from "../../../heed.ts";
import type { Command } from "../arguments/command.ts";
import { minuteOf, plural } from "../output/counted.ts";
import type { Output } from "../output/output.ts";
import { questionLine } from "../output/question-line.ts";
import { usageError } from "../arguments/usage-error.ts";
import type { Text } from "../output/styled-text.ts";
import { oneLine, styled } from "../output/styled-text.ts";

/** Memories that were not told are listed up to here; `--all` and `--json` list the rest. */
const MAX_UNTOLD = 10;

/** `heed why` */
export const command: Command = {
  name: "why",
  summary: "what would be injected for a prompt, and why",
  arguments: [{ name: "PROMPT", isRest: true, isOptional: true }],
  options: {
    receipt: { value: "ID", help: "explain a past injection (see heed receipts)" },
    all: { short: "a", help: `list every memory that was not told, not only the best ${MAX_UNTOLD}` },
    save: { help: "record it as a case of tests/recorded.yaml, for heed test" },
    context: { help: "also print the text that enters the context" },
  },
  details: [
    "A rehearsal: it leaves no trace. Form says how a memory is told: rule, body, passages, pointer or none.",
  ],
  examples: ['heed why "where do I see request latency?"', "heed why --receipt 01J… --context"],
  async run({ args, out, open }) {
    const prompt = args.positionals.join(" ");
    const receipt = args.text("receipt");
    if ((prompt === "") === (receipt === undefined))
      throw usageError(
        'give a prompt or --receipt ID, one of them. For example: heed why "how do I deploy?"',
        "PROMPT",
      );
    const about = receipt === undefined ? { prompt } : { receipt };
    const explanation = await open().session.why(about);
    const saved = args.has("save") ? await open().upkeep.saveTest(about) : undefined;
    out.answer(saved === undefined ? explanation : { ...explanation, saved }, () => [
      ...explain(explanation, out, { isAll: args.has("all"), isWithContext: args.has("context") }),
      ...questionLine(explanation),
      ...(saved === undefined ? [] : ["", ...savedLines(saved)]),
    ]);
  },
};

function explain(
  { receipt, context, isRehearsal }: Explanation,
  out: Output,
  { isAll, isWithContext }: { isAll: boolean; isWithContext: boolean },
): Text[] {
  const told = receipt.decisions.filter(({ form }) => form !== "none");
  const untold = receipt.decisions.filter(({ form }) => form === "none");
  const shown = isAll ? untold : untold.slice(0, MAX_UNTOLD);
  const heading: Text = isRehearsal
    ? [styled("bold", "rehearsal"), styled("dim", " (nothing was injected, no trace is left)")]
    : [
        styled("bold", `receipt ${receipt.id}`),
        styled("dim", `  ${minuteOf(receipt.time)}, session ${receipt.session}`),
      ];
  const verb = isRehearsal ? "would enter" : "entered";
  return [
    heading,
    [styled("dim", `${receipt.kind}: `), oneLine(receipt.about)],
    told.length === 0
      ? `nothing ${verb} the context`
      : `${plural(told.length, "memory", "memories")} ${verb} the context, ${receipt.chars} characters`,
    ...(receipt.isCut ? [styled("yellow", "the deadline cut the work: memories may be missing")] : []),
    "",
    ...(receipt.decisions.length === 0
      ? ["no memory came into question"]
      : decisionTable([...told, ...shown], out)),
    ...(shown.length < untold.length
      ? [styled("dim", `and ${untold.length - shown.length} more that were not told (--all lists them)`)]
      : []),
    ...termLines([...told, ...shown]),
    ...(isWithContext && context !== "" ? ["", styled("dim", "── context ──"), context] : []),
  ];
}

function savedLines({ path, case: saved, notes }: SavedTest): Text[] {
  const parts = [
    ...(saved.whole.length > 0 ? [`whole: ${saved.whole.join(", ")}`] : []),
    ...(saved.told.length > 0 ? [`told: ${saved.told.join(", ")}`] : []),
    ...(saved.isNothing ? ["nothing: true"] : []),
  ];
  return [
    [styled("green", "saved "), `${path}  (${parts.join("; ")})`],
    ...notes.map((note): Text => [styled("yellow", "note: "), note]),
  ];
}

function decisionTable(decisions: readonly Decision[], out: Output): Text[] {
  const isScored = decisions.some(({ score }) => score !== undefined);
  return out.report(
    [
      { title: "form" },
      { title: "chars", align: "right" },
      { title: "memory", isFlexible: true },
      { title: "type" },
      ...(isScored
        ? ([
            { title: "score", align: "right" },
            { title: "p", align: "right" },
          ] as const)
        : []),
      { title: "why", isFlexible: true },
    ],
    decisions.map(({ form, chars, name, type, score, probability, reason }) => [
      form === "none" ? styled("dim", form) : styled("green", form),
      String(chars),
      name,
      type,
      ...(isScored ? [score?.toFixed(2) ?? "", probability?.toFixed(2) ?? ""] : []),
      reason,
    ]),
  );
}

function termLines(decisions: readonly Decision[]): Text[] {
  const explained = decisions.filter(({ terms }) => terms && Object.keys(terms).length > 0);
  if (explained.length === 0) return [];
  return [
    "",
    styled("bold", "terms of score and relevance"),
    ...explained.map(({ name, terms = {} }): Text => [
      "  ",
      styled("cyan", name),
      `  ${Object.entries(terms)
        .filter(([, value]) => value !== 0)
        .map(([term, value]) => `${term} ${Number(value.toFixed(3))}`)
        .join(", ")}`,
    ]),
  ];
}
