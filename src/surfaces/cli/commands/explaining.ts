import type { Decision, Explanation } from "../../../heed.ts";
import { type CommandSpec, type Invocation, usageError } from "../arguments/command.ts";
import {
  type Text,
  minuteOf,
  plural,
  bold,
  cyan,
  dim,
  green,
  oneLine,
  yellow,
  flexible,
  right,
} from "../output/text.ts";
import type { Output } from "../output/output.ts";

/** Lists at most this many memories that were not injected; `--all` and `--json` list the rest. */
const MAX_UNTOLD = 10;

const why: CommandSpec = {
  arguments: [{ name: "PROMPT", isRest: true, isOptional: true }],
  options: {
    receipt: { value: "ID", help: "explain a past injection" },
    all: { short: "a", help: `list every memory that was not injected, not only the best ${MAX_UNTOLD}` },
    context: { help: "also print the text that enters the context" },
    limit: { value: "N", short: "n", help: "without PROMPT: at most this many (1 to 1000, default 20)" },
  },
  details: [
    "With PROMPT a dry run: it leaves no trace. Form says how a memory is injected: rule, body, passages, pointer or",
    "none. Without PROMPT: recent injections, newest first, each with the receipt that --receipt explains.",
  ],
  examples: ['heed why "where do I see request latency?"', "heed why", "heed why --receipt 01J… --context"],
  json: '{"receipt": {"decisions": [...], ...}, "context", "isDryRun"}; without PROMPT {"receipts": [...]}',
  async run(invocation) {
    const { args, out, open } = invocation;
    const prompt = args.positionals.join(" ");
    const receipt = args.text("receipt");
    if (prompt === "" && receipt === undefined) return listReceipts(invocation);
    if (prompt !== "" && receipt !== undefined)
      throw usageError("give a prompt or --receipt ID, not both", "receipt");
    const about = receipt === undefined ? { prompt } : { receipt };
    const explanation = await open().session.why(about);
    out.answer(explanation, () =>
      explain(explanation, out, { isAll: args.has("all"), isWithContext: args.has("context") }),
    );
  },
};

async function listReceipts({ args, out, open }: Invocation): Promise<void> {
  const lost = ["all", "context"].find((flag) => args.has(flag));
  if (lost !== undefined)
    throw usageError(
      `--${lost} needs a prompt. For example: heed why "how do I deploy?" --${lost}`,
      "PROMPT",
    );
  const receipts = await open().session.receipts({ limit: args.count("limit", { min: 1, max: 1000 }) });
  out.answer({ receipts }, () => {
    if (receipts.length === 0) return out.nothing("Nothing was injected yet.");
    return out.rows(
      ["receipt", "time (UTC)", "event", right("injected"), right("chars"), flexible("about")],
      receipts.map(({ id, time, kind, decisions, chars, about }) => [
        id,
        minuteOf(time),
        kind,
        String(decisions.filter(({ form }) => form !== "none").length),
        String(chars),
        about,
      ]),
    );
  });
}

function explain(
  { receipt, context, isDryRun }: Explanation,
  out: Output,
  { isAll, isWithContext }: { isAll: boolean; isWithContext: boolean },
): Text[] {
  const injected = receipt.decisions.filter(({ form }) => form !== "none");
  const untold = receipt.decisions.filter(({ form }) => form === "none");
  const shown = isAll ? untold : untold.slice(0, MAX_UNTOLD);
  const heading: Text = isDryRun
    ? [bold("dry run"), dim(" (nothing was injected, no trace is left)")]
    : [bold(`receipt ${receipt.id}`), dim(`  ${minuteOf(receipt.time)}, session ${receipt.session}`)];
  const verb = isDryRun ? "would enter" : "entered";
  return [
    heading,
    [dim(`${receipt.kind}: `), oneLine(receipt.about)],
    injected.length === 0
      ? `nothing ${verb} the context`
      : `${plural(injected.length, "memory", "memories")} ${verb} the context, ${receipt.chars} characters`,
    ...(receipt.isCut ? [yellow("the deadline cut the work: memories may be missing")] : []),
    "",
    ...(receipt.decisions.length === 0
      ? ["no memory came into question"]
      : decisionTable([...injected, ...shown], out)),
    ...(shown.length < untold.length
      ? [dim(`and ${untold.length - shown.length} more that were not told (--all lists them)`)]
      : []),
    ...termLines([...injected, ...shown]),
    ...(isWithContext && context !== "" ? ["", dim("── context ──"), context] : []),
  ];
}

function decisionTable(decisions: readonly Decision[], out: Output): Text[] {
  const isScored = decisions.some(({ score }) => score !== undefined);
  return out.report(
    [
      "form",
      right("chars"),
      flexible("memory"),
      "type",
      ...(isScored ? [right("score"), right("p")] : []),
      flexible("why"),
    ],
    decisions.map(({ form, chars, name, type, score, probability, reason }) => [
      form === "none" ? dim(form) : green(form),
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
    bold("terms of score and relevance"),
    ...explained.map(({ name, terms = {} }): Text => [
      "  ",
      cyan(name),
      `  ${Object.entries(terms)
        .filter(([, value]) => value !== 0)
        .map(([term, value]) => `${term} ${Number(value.toFixed(3))}`)
        .join(", ")}`,
    ]),
  ];
}

/** The commands of this file. */
export const commands: Readonly<Record<string, CommandSpec>> = { why };
