import type { Change, GateRefusal, WriteResult } from "../../../../heed.ts";
import { call } from "../state/call.ts";
import { touch } from "../state/live.ts";
import { say } from "./toast.tsx";

/** Says a change that was made; `u` takes it back. */
export function sayChange({ id, summary }: Pick<Change, "id" | "summary">): void {
  touch("memories", "inbox");
  say(summary, id === "" ? undefined : () => void takeBack(id));
}

/** Takes a change back, and says how that went. */
export async function takeBack(change: string): Promise<void> {
  try {
    say((await call("history.undo", { change })).summary);
  } catch (error) {
    say(error instanceof Error ? error.message : String(error));
  }
  touch("memories", "inbox");
}

/** What a write came to: its refusals, or none, and then what it did was said. */
export async function concludeWrite(result: WriteResult): Promise<readonly GateRefusal[]> {
  if (result.outcome === "refused") return result.refusals;
  if (result.outcome === "pending") {
    touch("inbox");
    say(`${result.announcement}: ${result.reason}`);
    return [];
  }
  const last =
    result.outcome === "unchanged"
      ? undefined
      : (await call("history.list", { handle: result.card.id, limit: 1 }).catch(() => []))[0];
  sayChange({ id: last?.id ?? "", summary: [result.announcement, ...result.warnings].join(" · ") });
  return [];
}
