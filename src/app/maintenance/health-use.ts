import type { HealthFinding, Remedy, HealthReport, HealthSection } from "../api/maintenance-reports.ts";
import { injectedKey, type Injected } from "../records/receipt-log.ts";
import { type MemoryMetadata, memoryKey } from "../../memory/memory.ts";
import type { Verdict } from "../../freshness/verdict.ts";
import type { Collection } from "../place/collection.ts";
import type { Place } from "../place/place.ts";

/** What is concluded from being told needs this much to rest on. */
const MIN_DAYS = 30;
const MIN_RECEIPTS = 20;
/** Told so often and never once cited: it takes room and helps nobody. */
const OFTEN_INJECTED = 10;
/** Cited so often: it carries weight. */
const OFTEN_USED = 5;
const DAY_MS = 86_400_000;

/** Told often, and nobody ever used it. */
export function deadWeight(input: HealthInput): Section {
  const { memories, use, uses } = input;
  const withheld = whyWithheld(input) ?? (uses === 0 ? "no citation is known yet" : undefined);
  if (withheld !== undefined) return { findings: [], withheld };
  return {
    findings: facts(input, memories).flatMap((metadata): HealthFinding[] => {
      const injected = injectedOf(input, metadata);
      return injected >= OFTEN_INJECTED && !use.has(memoryKey(metadata))
        ? [
            {
              subject: metadata.name,
              words: `told ${injected} times, never cited`,
              remedies: [
                remedy("show", metadata.name),
                remedy("remove", metadata.name, { reason: "not used" }),
              ],
            },
          ]
        : [];
    }),
  };
}

/** Older than what is known of the telling, and never told in it. */
export function neverSurfaced(input: HealthInput): Section {
  const withheld = whyWithheld(input);
  if (withheld !== undefined) return { findings: [], withheld };
  const since = input.telemetry.since ?? "";
  return {
    findings: facts(input, input.memories).flatMap((metadata): HealthFinding[] =>
      injectedOf(input, metadata) === 0 && (metadata.created ?? metadata.updated ?? "9") < since
        ? [
            {
              subject: metadata.name,
              words: `not told once since ${since.slice(0, 10)}`,
              remedies: [
                { command: "why", args: ["A PROMPT THAT SHOULD BRING IT UP"] },
                remedy("edit", metadata.name, { trigger: "WORD" }),
              ],
            },
          ]
        : [],
    ),
  };
}

/** What the work rests on. */
export function heavilyUsed({ memories, use, uses }: HealthInput): Section {
  if (uses === 0) return { findings: [], withheld: "no citation is known yet" };
  return {
    findings: memories
      .map((metadata) => ({ metadata, used: use.get(memoryKey(metadata)) ?? 0 }))
      .filter(({ used }) => used >= OFTEN_USED)
      .map(({ metadata, used }): HealthFinding => ({
        subject: metadata.name,
        words: `cited ${used} times`,
        remedies: [remedy("verify", metadata.name)],
      })),
  };
}

/** Why nothing is concluded from what was told; undefined when there is enough to go by. */
function whyWithheld({ telemetry, place }: HealthInput): string | undefined {
  const days =
    telemetry.since === undefined ? 0 : (place.now().getTime() - Date.parse(telemetry.since)) / DAY_MS;
  if (telemetry.receipts >= MIN_RECEIPTS && days >= MIN_DAYS) return undefined;
  return `too little is known of what was told: ${telemetry.receipts} receipts over ${Math.floor(days)} days, ${MIN_RECEIPTS} over ${MIN_DAYS} are needed`;
}

/** Memories that are told when they are relevant to something; rules and episodes are told anyway. */
function facts({ collection }: HealthInput, memories: readonly MemoryMetadata[]): MemoryMetadata[] {
  return memories.filter((metadata) => {
    const injection = collection.types.get(metadata.type)?.injection;
    return (
      injection !== undefined && injection !== "always" && injection !== "resume" && injection !== "never"
    );
  });
}

function injectedOf({ injected, collection }: HealthInput, metadata: MemoryMetadata): number {
  return injected.get(injectedKey(collection.storeOf(metadata).kind, metadata.name))?.count ?? 0;
}

/** A guard may be idle for so many days before anybody is asked about it. */
const IDLE_DAYS = 90;

/** Guards of which a person said that they fired wrongly, the most often wrong first. */
export function guardsWrong({ guards }: HealthInput): Section {
  const wrong = guards.filter((guard) => guard.wrong > 0);
  return {
    findings: wrong
      .toSorted((a, b) => b.wrong / b.fired - a.wrong / a.fired)
      .map((guard): HealthFinding => ({
        subject: nameOf(guard),
        words: `wrong ${guard.wrong} of ${guard.fired} times: ${guard.summary}`,
        remedies: [remedy("edit", guard.metadata.name)],
      })),
  };
}

/** Guards in force that never fired since they were written: what they stop may never happen, or they may not see it. */
export function guardsNeverFired({ guards, telemetry, place }: HealthInput): Section {
  const idle = guards.filter(({ fired, whyNot }) => fired === 0 && whyNot === undefined);
  if (idle.length === 0) return { findings: [] };
  const now = place.now().getTime();
  const known = telemetry.since === undefined ? 0 : (now - Date.parse(telemetry.since)) / DAY_MS;
  if (known < IDLE_DAYS)
    return {
      findings: [],
      withheld: `what heed does here is known for ${Math.floor(known)} days, ${IDLE_DAYS} are needed`,
    };
  return {
    findings: idle.flatMap((guard): HealthFinding[] => {
      const since = guard.metadata.updated ?? guard.metadata.created;
      const days = since === undefined ? known : (now - Date.parse(since)) / DAY_MS;
      if (days < IDLE_DAYS) return [];
      return [
        {
          subject: nameOf(guard),
          words: `not once in ${Math.floor(Math.min(days, known))} days: ${guard.summary}`,
          remedies: [{ command: "guard test", args: ["A COMMAND THAT IT SHOULD STOP"] }],
        },
      ];
    }),
  };
}

function nameOf({ metadata, number }: WardGuard): string {
  return number === 1 ? metadata.name : `${metadata.name} (guard ${number})`;
}

/** What the sections of a health report are made from. */
export interface HealthInput {
  place: Place;
  collection: Collection;
  memories: MemoryMetadata[];
  verdicts: ReadonlyMap<MemoryMetadata, Verdict>;
  injected: Injected["byMemory"];
  telemetry: Omit<HealthReport["telemetry"], "uses">;
  /** How many citations and reports of use are known. */
  uses: number;
  use: ReadonlyMap<string, number>;
  /** The guards that memories here carry, with how often each fired. */
  guards: readonly WardGuard[];
}

/** A guard and what is known of its use. */
export interface WardGuard {
  metadata: MemoryMetadata;
  /** Its place in the memory, from 1. */
  number: number;
  summary: string;
  /** Why it does nothing here; undefined: it is in force. */
  whyNot: string | undefined;
  fired: number;
  wrong: number;
}

/** What to do about a memory. */
export function remedy(command: string, name: string, options?: Remedy["options"]): Remedy {
  return { command, args: [name], ...(options && { options }) };
}

/** What one section found, or why it says nothing. */
export type Section = Pick<HealthSection, "findings" | "withheld">;
