import { join } from "node:path";
import type { GuardAction } from "../../guard/guard.ts";
import { appendEvent, readEvents, rotateLog } from "../../platform/event-log.ts";
import { FORMATS } from "../../platform/versioned-file.ts";
import type { Places } from "../../platform/places.ts";

/** One line of the guards' log. */
type GuardEvent =
  | {
      kind: "fired";
      time: string;
      /** `<store id>:<memory id>`, and the guard's place in the memory. */
      rule: string;
      index: number;
      action: GuardAction;
      session: string;
      receipt: string;
    }
  /** It would have fired, and the user had allowed it in that session. */
  | { kind: "let-pass"; time: string; rule: string; index: number; session: string; receipt: string }
  /** A person said that a firing was wrong. */
  | { kind: "wrong"; time: string; rule: string; index: number; receipt: string };

/** How often a guard fired, as far back as the log goes. */
interface GuardUse {
  fired: number;
  wrong: number;
  /** How often it let pass what the user had allowed. */
  letPass: number;
  lastFired?: string;
}

/** Past this size the log is set aside as `guards.1.jsonl`; both are read. */
const MAX_LOG_BYTES = 1024 * 1024;

const fileOf = (places: Places, name: string): string => join(places.state, `${name}.jsonl`);

/** Adds events. Throws what the file system throws. */
export function appendGuardEvents(places: Places, events: readonly GuardEvent[]): void {
  const file = fileOf(places, "guards");
  rotateLog(file, MAX_LOG_BYTES, fileOf(places, "guards.1"));
  for (const event of events) appendEvent(file, FORMATS.guards, event);
}

/** How often each guard fired and fired wrongly, by `useKey`. */
export function readGuardUses(places: Places): Map<string, GuardUse> {
  const uses = new Map<string, GuardUse>();
  const wrong = new Set<string>();
  for (const event of [
    ...readEvents(fileOf(places, "guards.1"), FORMATS.guards),
    ...readEvents(fileOf(places, "guards"), FORMATS.guards),
  ]) {
    const { kind, rule, index, time, receipt } = event;
    if (typeof rule !== "string" || typeof index !== "number") continue;
    const key = useKey(rule, index);
    const use = uses.get(key) ?? { fired: 0, wrong: 0, letPass: 0 };
    if (kind === "fired") {
      use.fired += 1;
      if (typeof time === "string") use.lastFired = time;
    } else if (kind === "let-pass") {
      use.letPass += 1;
    } else if (kind === "wrong" && !wrong.has(`${key} ${String(receipt)}`)) {
      // Saying it twice of one firing counts once.
      wrong.add(`${key} ${String(receipt)}`);
      use.wrong += 1;
    }
    uses.set(key, use);
  }
  return uses;
}

/** The key of a guard in the uses. */
export function useKey(rule: string, index: number): string {
  return `${rule}#${index}`;
}
