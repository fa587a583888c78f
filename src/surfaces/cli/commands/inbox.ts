import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Heed, PendingItem } from "../../../heed.ts";
import { MAX_GIVEN_BYTES } from "../terminal/read-given.ts";
import { readRegularFile } from "../../../platform/regular-file.ts";
import type { Command, Invocation } from "../arguments/command.ts";
import { EXIT } from "../arguments/exit-code.ts";
import { usageError } from "../arguments/usage-error.ts";
import type { Text } from "../output/styled-text.ts";
import { cleanText, oneLine, styled } from "../output/styled-text.ts";
import { openEditor } from "../terminal/open-editor.ts";
import { diffLines } from "../terminal/write-answer.ts";

/** Of a longer text so many lines are shown, and that there are more. */
const MAX_BODY_LINES = 40;

/** `heed inbox` */
export const command: Command = {
  name: "inbox",
  summary: "what needs your approval",
  arguments: [],
  options: {
    review: {
      short: "r",
      help: "go through it, one key an item: keep, edit, change type, drop, later, take back",
    },
    restore: { value: "NAME", help: "bring back what was dropped, so that it waits again" },
  },
  details: [
    "Statements about you, edits from two sides, and memories from elsewhere wait here until heed confirm or heed reject.",
  ],
  async run(invocation) {
    const { args, out, open, actor } = invocation;
    const dropped = args.text("restore");
    if (dropped !== undefined) {
      await open().inbox.restore(dropped, actor);
      out.answer({ restored: dropped }, () => [[styled("green", "✓ "), `${dropped} waits again`]]);
      return EXIT.done;
    }
    const heed = open();
    const pending = await heed.inbox.list({ reader: actor });
    const describe = (item: PendingItem): Text[] => describeItem(item, heed);
    if (args.has("review")) return review(invocation, pending, describe);
    out.answer({ pending }, () => {
      if (pending.length === 0) return out.isTerminal ? ["The inbox is empty."] : [];
      if (!out.isTerminal)
        return out.rows(
          [],
          pending.map((item) => [
            item.type,
            item.name,
            item.description,
            groundOf(item),
            placeOf(item, heed),
          ]),
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

/** One line and its quote: type, statement, repository; what it rests on or why it waits; the diff where it is a change. */
function describeItem(item: PendingItem, heed: Heed): Text[] {
  const { name, type, description, target, guard, diff } = item;
  return [
    [
      styled("cyan", type),
      "  ",
      styled("bold", description),
      styled("dim", `  ${[placeOf(item, heed), `[${name}]`].filter((part) => part !== "").join("  ")}`),
    ],
    styled("dim", `  ${groundOf(item)}`),
    ...(target === undefined ? [] : [[styled("dim", "  changes: "), target]]),
    ...(guard === undefined ? [] : [[styled("dim", "  with a guard, which stops tools: "), guard]]),
    // What a person confirms is the whole of it.
    ...(diff === undefined ? bodyLines(item) : diffLines(diff).map((line): Text => ["    ", line])),
  ];
}

/** What it rests on: the user's words, else why it waits. */
function groundOf({ description, quote, reason }: PendingItem): string {
  return quote === undefined || quote === description ? reason : `you said: "${oneLine(quote)}"`;
}

/** Where it would hold, as a person calls it; empty where that is everywhere. */
function placeOf({ repo }: PendingItem, heed: Heed): string {
  return repo === undefined ? "" : heed.setup.repositoryLabel(repo);
}

/** What the text says beyond the statement and the quotation, which stand above. */
function bodyLines({ name, description, body }: PendingItem): Text[] {
  const plain = (text: string): string => cleanText(text).trim().replace(/[.!]$/, "").toLowerCase();
  const lines = cleanText(body)
    .split("\n")
    .filter(
      (line) => line.trim() !== "" && plain(line) !== plain(description) && !/^> ".*\(the user/.test(line),
    );
  const shown = lines.slice(0, MAX_BODY_LINES).map((line): Text => [styled("dim", "  | "), line]);
  const rest = lines.length - shown.length;
  return rest > 0 ? [...shown, styled("yellow", `  | and ${rest} more lines: heed show ${name}`)] : shown;
}

/** The statement and the text of an item in the person's editor; undefined when they changed nothing. */
function editItem(
  { name, description, body }: PendingItem,
  { env }: Invocation,
): { description: string; body: string } | undefined {
  const file = join(mkdtempSync(join(tmpdir(), "heed-edit-")), `${name}.md`);
  const before = `# The first line is the statement, the rest the text.\n${description}\n\n${body}\n`;
  try {
    writeFileSync(file, before, { mode: 0o600 });
    openEditor(file, env);
    const after = readRegularFile(file, { maxBytes: MAX_GIVEN_BYTES });
    const [statement = "", ...rest] = after
      .replace(/^# The first line.*\n/, "")
      .trim()
      .split("\n");
    return after === before || statement === ""
      ? undefined
      : { description: statement.trim(), body: rest.join("\n").trim() || statement.trim() };
  } finally {
    rmSync(dirname(file), { recursive: true, force: true });
  }
}

async function review(
  invocation: Invocation,
  pending: readonly PendingItem[],
  describe: (item: PendingItem) => Text[],
): Promise<number> {
  const { out, actor, open } = invocation;
  if (!process.stdin.isTTY || !out.isTerminal || out.isJson)
    throw usageError("a review needs a terminal. Use heed confirm and heed reject.", "review");
  if (actor.kind !== "person")
    throw usageError("a review is a person's: inside an agent's shell use heed confirm --quote.", "review");
  const { readTerminalKey, reviewInbox } = await import("../terminal/review-inbox.ts");
  const heed = open();
  const result = await reviewInbox(pending, heed, actor, out, {
    readKey: readTerminalKey,
    describe,
    edit: (item) => editItem(item, invocation),
    types: heed.memories.types().flatMap(({ name, layer }) => (layer === "episodic" ? [] : [name])),
  });
  out.answer(result, () => [
    `${result.accepted.length} kept, ${result.rejected.length} dropped, ${pending.length - result.accepted.length - result.rejected.length} left`,
  ]);
  return EXIT.done;
}
