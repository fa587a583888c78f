import type { Decision, Explanation } from "../../../heed.ts";
import { type CommandSpec, type Invocation, limitTo, usageError } from "../arguments/command.ts";
import {
  type Text,
  alignTable,
  minuteOf,
  plural,
  bold,
  dim,
  green,
  oneLine,
  yellow,
  right,
} from "../output/output.ts";

/** Lists at most this many memories that were not injected; `--json` lists the rest. */
const MAX_UNTOLD = 10;

const why: CommandSpec = {
  arguments: [{ name: "PROMPT", isRest: true, isOptional: true }],
  options: {
    receipt: { value: "ID", onlyWith: ["--context"], help: "explain a past injection" },
    context: { help: "also print the text that enters the context" },
    map: { onlyWith: [], help: "the list of facts that a session starts with" },
    limit: limitTo(1000, 20, "without PROMPT: at most this many"),
  },
  details: [
    "With PROMPT: a dry run, which records nothing. Form says how a memory is injected: rule, body, passages, pointer or",
    "none. Without PROMPT: recent injections, newest first; --receipt explains one.",
    "The map has one line for each fact that applies here, ordered by salience, use, freshness and narrowness of scope;",
    "heed config map sets its size.",
  ],
  examples: [
    'heed why "where do I see request latency?"',
    "heed why",
    "heed why --receipt 01J… --context",
    "heed why --map",
  ],
  json: '{"receipt": {"decisions": [...], ...}, "context", "isDryRun"}; without PROMPT {"receipts": [...]}; --map {"text", "budgetChars", "handles", "leftCount"}',
  async run(invocation) {
    const { args, out, open } = invocation;
    const prompt = args.positionals.join(" ");
    const receipt = args.text("receipt");
    if (args.has("map")) return answerMap(invocation);
    if (prompt === "" && receipt === undefined) return listReceipts(invocation);
    const about = receipt === undefined ? { prompt } : { receipt };
    const explanation = await open().session.why(about);
    out.answer(explanation, () => explain(explanation, args.has("context")));
  },
};

async function answerMap({ out, open }: Invocation): Promise<void> {
  const { session, setup } = open();
  const shown = await session.map();
  const { text, budgetChars, handles, leftCount } = shown;
  const isWaiting = text === "" && setup.stores().some(({ isTrusted }) => !isTrusted);
  out.answer(shown, () => {
    if (isWaiting)
      return [
        "nothing is in force here yet: heed inbox trust shows the memories that came with this repository",
      ];
    if (budgetChars === 0)
      return ["no map is injected here: heed config map auto turns it on, in mode typed (heed config mode)"];
    if (text === "") return ["no facts here yet: heed write adds one"];
    const size = `${text.length} of ${budgetChars} characters`;
    return [text, "", dim(`${plural(handles.length, "fact")}, ${size}, ${leftCount} without a line`)];
  });
}

async function listReceipts({ args, out, open }: Invocation): Promise<void> {
  if (args.has("context"))
    throw usageError(
      '--context needs a prompt. For example: heed why "how do I deploy?" --context',
      "PROMPT",
    );
  const receipts = await open().session.receipts({ limit: args.count("limit") });
  out.answer({ receipts }, () => {
    if (receipts.length === 0) return out.nothing("Nothing was injected yet.");
    return out.rows(
      ["receipt", "time (UTC)", "event", right("injected"), right("chars"), "about"],
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

function explain({ receipt, context, isDryRun }: Explanation, isWithContext: boolean): Text[] {
  const injected = receipt.decisions.filter(({ form }) => form !== "none");
  const untold = receipt.decisions.filter(({ form }) => form === "none");
  const shown = untold.slice(0, MAX_UNTOLD);
  const heading: Text = isDryRun
    ? [bold("dry run"), dim(" (nothing was injected or recorded)")]
    : [bold(`receipt ${receipt.id}`), dim(`  ${minuteOf(receipt.time)}, session ${receipt.session}`)];
  const verb = isDryRun ? "would enter" : "entered";
  return [
    heading,
    [dim(`${receipt.kind}: `), oneLine(receipt.about)],
    injected.length === 0
      ? `nothing ${verb} the context`
      : `${plural(injected.length, "memory", "memories")} ${verb} the context, ${receipt.chars} characters`,
    ...(receipt.isCut ? [yellow("time ran out: memories may be missing")] : []),
    "",
    ...(receipt.decisions.length === 0 ? ["no memory matched"] : decisionTable([...injected, ...shown])),
    ...(shown.length < untold.length
      ? [dim(`and ${untold.length - shown.length} more that were not injected (--json lists them)`)]
      : []),
    ...(isWithContext && context !== "" ? ["", dim("── context ──"), context] : []),
  ];
}

function decisionTable(decisions: readonly Decision[]): Text[] {
  return alignTable(
    ["form", right("chars"), "memory", "type", "why"],
    decisions.map(({ form, chars, name, type, reason }) => [
      form === "none" ? dim(form) : green(form),
      String(chars),
      name,
      type,
      reason,
    ]),
  );
}

export const commands: Readonly<Record<string, CommandSpec>> = { why };
