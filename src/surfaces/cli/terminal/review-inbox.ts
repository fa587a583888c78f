import { readSync } from "node:fs";
import type { Actor, Confirmation, Heed, PendingItem } from "../../../heed.ts";
import type { Output } from "../output/output.ts";
import type { Text } from "../output/styled-text.ts";
import { styled } from "../output/styled-text.ts";
import { refusalLines } from "./write-answer.ts";

/** What came of a review. */
export interface Review {
  accepted: string[];
  rejected: string[];
}

const HELP =
  "[y] keep   [e] edit, then keep   [t] change type   [d] keep as distinct   [n] drop   [s] later   [q] stop";

/** What a person puts right in an item before it counts. */
type Edited = NonNullable<Confirmation["edited"]>;

/** How an item is put right: in an editor, which may be left without a change; by another type. */
export interface ReviewTools {
  /** Waits for a key; empty at the end of input. */
  readKey: () => string;
  /** The text of the item as the person left it; undefined when they gave up. */
  edit: (item: PendingItem) => Edited | undefined;
  /** The types to choose from. */
  types: readonly string[];
  describe: (item: PendingItem) => readonly Text[];
}

/**
 * Goes through what waits, one keystroke an item; an unknown one asks again, the end of input stops. What is edited
 * counts as it was edited, and not before. One that is refused is shown with the reason and asked about again.
 */
export async function reviewInbox(
  pending: readonly PendingItem[],
  inbox: Pick<Heed["inbox"], "confirm" | "reject">,
  actor: Actor,
  out: Output,
  tools: ReviewTools,
): Promise<Review> {
  const review: Review = { accepted: [], rejected: [] };
  for (const [i, item] of pending.entries()) {
    out.note(styled("dim", `${i + 1}/${pending.length}`), ...tools.describe(item), styled("cyan", HELP));
    const answer = await answerOne(item, inbox, actor, out, tools);
    if (answer === "stop") break;
    if (answer === "kept") review.accepted.push(item.name);
    if (answer === "dropped") review.rejected.push(item.name);
  }
  return review;
}

async function answerOne(
  item: PendingItem,
  inbox: Pick<Heed["inbox"], "confirm" | "reject">,
  actor: Actor,
  out: Output,
  { readKey, edit, types }: ReviewTools,
): Promise<"kept" | "dropped" | "later" | "stop"> {
  // What is put right stays so over a refusal.
  let edited: Edited = {};
  for (;;) {
    const key = askKey(readKey, ["y", "e", "t", "d", "n", "s", "q"]);
    if (key === "q") return "stop";
    if (key === "s") return "later";
    if (key === "n") {
      await inbox.reject(item.name, "dropped in a review", actor);
      return "dropped";
    }
    const put = key === "e" ? edit({ ...item, ...edited }) : key === "t" ? askType(readKey, types, out) : {};
    if (put === undefined) {
      out.note(styled("dim", "nothing changed"), styled("cyan", HELP));
      continue;
    }
    edited = { ...edited, ...put, ...(key === "d" && { isDistinct: true }) };
    const isPut = Object.keys(edited).length > 0;
    const result = await inbox.confirm(item.name, isPut ? { edited } : {}, actor);
    if (result.outcome !== "refused") {
      out.note([styled("green", "✓ "), result.announcement]);
      return "kept";
    }
    out.note(...refusalLines(result.refusals), styled("cyan", HELP));
  }
}

function askType(readKey: () => string, types: readonly string[], out: Output): Edited | undefined {
  out.note(styled("cyan", types.map((type, i) => `[${i + 1}] ${type}`).join("   ")));
  const type =
    types[
      Number(
        askKey(
          readKey,
          types.map((_, i) => String(i + 1)),
        ),
      ) - 1
    ];
  return type === undefined ? undefined : { type };
}

function askKey(readKey: () => string, keys: readonly string[]): string {
  for (;;) {
    const key = readKey().toLowerCase();
    if (keys.includes(key)) return key;
    // Ctrl-C, Ctrl-D, Escape and the end of input.
    if (["", "\u0003", "\u0004", "\u001b"].includes(key)) return "q";
  }
}

/** How often to look for a key where the terminal does not let a reader wait, in milliseconds. */
const WAIT_MS = 20;

/** One key from the terminal, without waiting for the end of a line; empty at the end of the input. */
export function readTerminalKey(): string {
  const buffer = Buffer.alloc(16);
  process.stdin.setRawMode(true);
  try {
    for (;;) {
      try {
        const length = readSync(0, buffer, 0, buffer.length, null);
        return buffer.toString("utf8", 0, length).slice(0, 1);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "EAGAIN") return "";
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, WAIT_MS);
      }
    }
  } finally {
    process.stdin.setRawMode(false);
  }
}
