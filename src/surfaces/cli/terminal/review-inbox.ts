import { readSync } from "node:fs";
import type { Actor, Confirmation, Heed, PendingItem } from "../../../heed.ts";
import type { Output } from "../output/output.ts";
import { type Text, cyan, dim, green, yellow } from "../output/text.ts";
import { nearLines, refusalLines } from "./answers.ts";

type ReviewedHeed = Pick<Heed, "history"> & {
  inbox: Pick<Heed["inbox"], "confirm" | "reject" | "restore">;
};

export interface Review {
  accepted: string[];
  rejected: string[];
}

const HELP =
  "[k] keep   [e] edit, then keep   [t] change type   [d] drop   [s] later   [u] take the last one back   [q] stop";

/** The page's; [y] and [n] as well. */
const KEYS = ["k", "y", "e", "t", "d", "n", "s", "u", "q"];

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

interface Answer {
  what: "kept" | "dropped" | "later" | "stop" | "back";
  takeBack?: () => Promise<unknown>;
}

/** One keystroke an item; an unknown key asks again, the end of input stops, a refusal is shown and asked about again. */
export async function reviewInbox(
  pending: readonly PendingItem[],
  heed: ReviewedHeed,
  actor: Actor,
  out: Output,
  tools: ReviewTools,
): Promise<Review> {
  const answers: Answer[] = [];
  for (let item = pending[0]; item !== undefined; item = pending[answers.length]) {
    const counted = `${answers.length + 1}/${pending.length}`;
    out.note(dim(counted), ...tools.describe(item), cyan(HELP));
    const answer = await answerOne(item, heed, actor, out, tools);
    if (answer.what === "stop") break;
    if (answer.what !== "back") answers.push(answer);
    else if (answers.length === 0) out.note(dim("nothing was answered yet"));
    else await answers.pop()?.takeBack?.().catch(tell(out));
  }
  const namesOf = (what: Answer["what"]): string[] =>
    pending.filter((_, i) => answers[i]?.what === what).map(({ name }) => name);
  return { accepted: namesOf("kept"), rejected: namesOf("dropped") };
}

async function answerOne(
  item: PendingItem,
  heed: ReviewedHeed,
  actor: Actor,
  out: Output,
  { readKey, edit, types }: ReviewTools,
): Promise<Answer> {
  const { inbox, history } = heed;
  // What is put right stays so over a refusal.
  let edited: Edited = {};
  for (;;) {
    const key = askKey(readKey, KEYS, () => out.note(cyan(HELP)));
    const waitsAgain = (): Promise<void> => inbox.restore(item.name, actor);
    if (key === "q") return { what: "stop" };
    if (key === "s") return { what: "later" };
    if (key === "u") return { what: "back" };
    if (key === "n" || key === "d") {
      await inbox.reject(item.name, "dropped in a review", actor);
      return { what: "dropped", takeBack: waitsAgain };
    }
    const put = key === "e" ? edit({ ...item, ...edited }) : key === "t" ? askType(readKey, types, out) : {};
    if (put === undefined) {
      out.note(dim("nothing changed"), cyan(HELP));
      continue;
    }
    edited = { ...edited, ...put };
    const isPut = Object.keys(edited).length > 0;
    const { code } = item;
    const result = await inbox.confirm(item.name, isPut ? { edited, code } : { code }, actor);
    if (result.outcome !== "refused") {
      const warnings = "warnings" in result ? result.warnings : [];
      out.note(
        [green("✓ "), result.announcement],
        ...warnings.map((warning): Text => [yellow("  note: "), warning]),
        ...nearLines(result.near),
      );
      const { outcome } = result;
      if (outcome === "pending") return { what: "later" };
      if (outcome === "unchanged") return { what: "kept", takeBack: waitsAgain };
      const [change] = await history.list({ handle: result.metadata.id, limit: 1 });
      return { what: "kept", takeBack: () => history.undo({ change: change?.id }, actor) };
    }
    out.note(...refusalLines(result.refusals), cyan(HELP));
  }
}

/** What cannot be taken back is said, and the review goes on. */
function tell(out: Output): (error: unknown) => void {
  return (error) => out.note(yellow(error instanceof Error ? error.message : String(error)));
}

function askType(readKey: () => string, types: readonly string[], out: Output): Edited | undefined {
  const ask = (): void => out.note(cyan(types.map((type, i) => `[${i + 1}] ${type}`).join("   ")));
  ask();
  const keys = types.map((_, i) => String(i + 1));
  const type = types[Number(askKey(readKey, keys, ask)) - 1];
  return type === undefined ? undefined : { type };
}

/** Waits for one of the keys; at any other `showKeys` tells which there are. */
export function askKey(readKey: () => string, keys: readonly string[], showKeys: () => void): string {
  for (;;) {
    const key = readKey().toLowerCase();
    if (keys.includes(key)) return key;
    // Escape, or the end of input.
    if (["", "\u001b", ...ENDS].includes(key)) return "q";
    showKeys();
  }
}

/** Ctrl-C and Ctrl-D. */
const ENDS = ["\u0003", "\u0004"];

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
        const typed = buffer.toString("utf8", 0, length);
        // Of several at once the first counts (a paste answers nothing), and an end among them ends.
        return ENDS.find((end) => typed.includes(end)) ?? typed.slice(0, 1);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "EAGAIN") return "";
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, WAIT_MS);
      }
    }
  } finally {
    process.stdin.setRawMode(false);
  }
}
