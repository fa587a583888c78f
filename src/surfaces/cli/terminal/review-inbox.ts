import { readSync } from "node:fs";
import type { Actor, Heed, PendingItem } from "../../../heed.ts";
import type { Output } from "../output/output.ts";
import type { Text } from "../output/styled-text.ts";
import { styled } from "../output/styled-text.ts";
import { refusalLines } from "./write-answer.ts";

/** What came of a review. */
export interface Review {
  accepted: string[];
  rejected: string[];
  /** Those that the person accepted in order to edit them: their handles. */
  toEdit: string[];
}

const HELP = "[y] keep   [e] keep and edit   [n] drop   [s] later   [q] stop";

/**
 * Goes through what waits, one keystroke an item. `readKey` waits for a key; an unknown one asks again, the end of
 * input stops.
 */
export async function reviewInbox(
  pending: readonly PendingItem[],
  inbox: Pick<Heed["inbox"], "confirm" | "reject">,
  actor: Actor,
  out: Output,
  readKey: () => string,
  describe: (item: PendingItem) => readonly Text[],
): Promise<Review> {
  const review: Review = { accepted: [], rejected: [], toEdit: [] };
  for (const [i, item] of pending.entries()) {
    out.note(styled("dim", `${i + 1} of ${pending.length}`), ...describe(item), styled("cyan", HELP));
    const key = askKey(readKey);
    if (key === "q") break;
    if (key === "s") continue;
    if (key === "n") {
      await inbox.reject(item.name, "dropped in a review", actor);
      review.rejected.push(item.name);
      continue;
    }
    const result = await inbox.confirm(item.name, {}, actor);
    if (result.outcome === "refused") out.note(...refusalLines(result.refusals));
    else {
      review.accepted.push(item.name);
      out.note([styled("green", "✓ "), result.announcement]);
      if (key === "e" && result.outcome !== "pending") review.toEdit.push(result.card.id);
    }
  }
  return review;
}

function askKey(readKey: () => string): string {
  for (;;) {
    const key = readKey().toLowerCase();
    if (["y", "e", "n", "s", "q"].includes(key)) return key;
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
