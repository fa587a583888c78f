import type { PendingItem } from "../../../heed.ts";
import type { Command, Invocation } from "../arguments/command.ts";
import { EXIT } from "../arguments/exit-code.ts";
import { parseCommandLine } from "../arguments/parse-command-line.ts";
import { usageError } from "../arguments/usage-error.ts";
import { minuteOf } from "../output/counted.ts";
import type { Text } from "../output/styled-text.ts";
import { cleanText, styled } from "../output/styled-text.ts";
import { diffLines } from "../terminal/write-answer.ts";

/** Of a longer text so many lines are shown, and that there are more. */
const MAX_BODY_LINES = 40;

/** `heed inbox` */
export const command: Command = {
  name: "inbox",
  summary: "what waits for your word",
  arguments: [],
  options: {
    review: { short: "r", help: "go through it, one key an item: keep, keep and edit, drop, later" },
  },
  details: [
    "Statements about you, edits from two sides, and memories from elsewhere wait here until heed confirm or heed reject.",
  ],
  async run(invocation) {
    const { args, out, open, actor } = invocation;
    const pending = await open().inbox.list({ reader: actor });
    if (args.has("review")) return review(invocation, pending);
    out.answer({ pending }, () => {
      if (pending.length === 0) return out.isTerminal ? ["The inbox is empty."] : [];
      if (!out.isTerminal)
        return out.rows(
          [],
          pending.map(({ type, name, description, reason }) => [type, name, description, reason]),
        );
      return pending.flatMap((item): Text[] => [
        ...describe(item),
        styled("dim", `  heed confirm ${item.name}   |   heed reject ${item.name} --reason "…"`),
        "",
      ]);
    });
    return EXIT.done;
  },
};

function describe(item: PendingItem): Text[] {
  return [
    [
      styled("bold", item.name),
      "  ",
      styled("cyan", item.type),
      styled("dim", `  ${minuteOf(item.proposedAt)}`),
    ],
    `  ${item.description}`,
    [styled("yellow", "  waits: "), item.reason],
    ...(item.target === undefined ? [] : [[styled("dim", "  changes: "), item.target]]),
    ...(item.statedGuard === undefined
      ? []
      : [[styled("dim", "  states a guard: "), `${item.statedGuard} (heed guard add, once it counts)`]]),
    // What a person confirms is the whole of it.
    ...(item.diff === undefined ? bodyLines(item) : diffLines(item.diff).map((line): Text => ["    ", line])),
  ];
}

/** The text without a first line that says the description again. */
function bodyLines({ name, description, body }: PendingItem): Text[] {
  const lines = cleanText(body).trim().split("\n");
  if (lines[0]?.replace(/[.!]$/, "") === cleanText(description).replace(/[.!]$/, "")) lines.shift();
  const shown = lines.slice(0, MAX_BODY_LINES).map((line): Text => [styled("dim", "  | "), line]);
  const rest = lines.length - shown.length;
  return rest > 0 ? [...shown, styled("yellow", `  | and ${rest} more lines: heed show ${name}`)] : shown;
}

async function review(invocation: Invocation, pending: readonly PendingItem[]): Promise<number> {
  const { out, actor, open } = invocation;
  if (!process.stdin.isTTY || !out.isTerminal || out.isJson)
    throw usageError("a review needs a terminal. Use heed confirm and heed reject.", "review");
  if (actor.kind !== "person")
    throw usageError("a review is a person's: inside an agent's shell use heed confirm --quote.", "review");
  const { readTerminalKey, reviewInbox } = await import("../terminal/review-inbox.ts");
  const result = await reviewInbox(pending, open().inbox, actor, out, readTerminalKey, describe);
  for (const id of result.toEdit) {
    const { command: edit } = await import("./edit.ts");
    await edit.run({ ...invocation, args: parseCommandLine(edit, [id]) });
  }
  out.answer(result, () => [
    `${result.accepted.length} kept, ${result.rejected.length} dropped, ${pending.length - result.accepted.length - result.rejected.length} left`,
  ]);
  return EXIT.done;
}
