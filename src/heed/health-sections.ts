import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Verdict } from "../freshness/verdict.ts";
import { MANY_COMMITS } from "../freshness/verdict.ts";
import { RULE_BUDGET_CHARS } from "../inject/render-session-block.ts";
import { isPast } from "../inject/whether-admitted.ts";
import type { MemoryCard } from "../memory/memory-card.ts";
import { parseClaim } from "../memory/parse-claim.ts";
import type { Collection } from "./collection.ts";
import type { HealthFinding, HealthKind, HealthReport, HealthSection } from "./freshness-api.ts";
import { openedStore } from "./opened-stores.ts";
import { tagTypos } from "./tag-typos.ts";
import type { MemoryUse } from "./use-log.ts";
import type { Workspace } from "./workspace.ts";

/** What is judged by being told needs this much to rest on. */
const MIN_DAYS = 30;
const MIN_RECEIPTS = 20;
/** Told so often and never once cited or reported as applied: it takes room and helps nobody. */
const OFTEN_TOLD = 10;
/** Cited or applied so often: it carries weight. */
const OFTEN_USED = 5;
const DAY_MS = 86_400_000;

/** What the sections of a health report are made from. */
export interface Ward {
  workspace: Workspace;
  collection: Collection;
  cards: MemoryCard[];
  verdicts: ReadonlyMap<MemoryCard, Verdict>;
  told: ReadonlyMap<string, number>;
  telemetry: HealthReport["telemetry"];
  use: ReadonlyMap<string, MemoryUse>;
}

/** What one section found, or why it does not judge. */
export type Section = Pick<HealthSection, "findings" | "withheld">;

/** The sections in the order in which they are told: what is false first, what is only large last. */
export const HEALTH_SECTIONS: readonly [HealthKind, string, (ward: Ward) => Section][] = [
  ["stale", "What they name has changed", stale],
  ["contradicted", "Contradicted or corrected in the work", contradicted],
  ["verification-debt", "Not verified for longer than their type asks", verificationDebt],
  ["commit-drift", "Many commits on their files since", commitDrift],
  ["claim-debt", "Claims that cannot be read or checked, or are missing", claimDebt],
  ["expired", "Expired", expired],
  ["rule-budget", "Rules that do not fit into a session's context", ruleBudget],
  ["dead-weight", "Told often, never used", deadWeight],
  ["never-surfaced", "Never told", neverSurfaced],
  ["heavily-used", "Heavily used", heavilyUsed],
  ["tag-typos", "Tags used once that look like another", typos],
  ["tombstones", "Removed memories that are kept", tombstones],
  ["stores", "Stores", stores],
];

function stale({ verdicts }: Ward): Section {
  return {
    findings: [...verdicts].flatMap(([{ name }, { standing, claims, words, isGone }]): HealthFinding[] => {
      if (standing !== "stale") return [];
      const isKnown = claims.broken.some(({ became }) => became);
      const command = isKnown ? `heed repair ${name}` : isGone ? `heed remove ${name}` : `heed edit ${name}`;
      return [{ subject: name, words, command }];
    }),
  };
}

function contradicted({ cards, use }: Ward): Section {
  return {
    findings: cards.flatMap((card): HealthFinding[] => {
      const settled = card.verified ?? card.updated ?? card.created ?? "";
      const settledAt = card.updated !== undefined && card.updated > settled ? card.updated : settled;
      const open = (use.get(keyOf(card))?.questions ?? []).filter(({ time }) => time > settledAt);
      const last = open.at(-1);
      if (!last) return [];
      const note = last.note === undefined ? "" : `: ${last.note}`;
      const times = open.length === 1 ? "once" : `${open.length} times`;
      return [
        {
          subject: card.name,
          words: `${last.what} ${times}${note}; does it still hold?`,
          command: `heed edit ${card.name}, or heed verify ${card.name}`,
        },
      ];
    }),
  };
}

function verificationDebt({ verdicts }: Ward): Section {
  return {
    findings: [...verdicts].flatMap(([{ name, type }, { calendar }]): HealthFinding[] => {
      if (!calendar.isDue) return [];
      const age =
        calendar.ageDays === undefined
          ? "it has no date"
          : `${calendar.status === "never" ? "written" : "verified"} ${calendar.ageDays} days ago`;
      return [
        {
          subject: name,
          words: `${age}; ${type} asks for a look after ${calendar.checkAfterDays} days`,
          command: `heed verify ${name} --note "how it was checked"`,
        },
      ];
    }),
  };
}

function commitDrift({ verdicts }: Ward): Section {
  return {
    findings: [...verdicts].flatMap(([{ name }, { commits, standing }]): HealthFinding[] =>
      commits !== undefined && commits.count >= MANY_COMMITS && standing !== "stale"
        ? [
            {
              subject: name,
              words: `${commits.count} commits on its files since ${commits.since}`,
              command: `heed verify ${name}`,
            },
          ]
        : [],
    ),
  };
}

function claimDebt({ verdicts, collection }: Ward): Section {
  return {
    findings: [...verdicts].flatMap(([card, { claims }]): HealthFinding[] => {
      const unreadable = card.claims.filter((text) => !parseClaim(text).claim);
      const [first] = unreadable;
      if (first !== undefined) {
        const reading = parseClaim(first);
        return [
          {
            subject: card.name,
            words: reading.claim ? first : reading.message,
            command: `heed edit ${card.name}`,
          },
        ];
      }
      if (claims.unmeasured.length > 0)
        return [
          {
            subject: card.name,
            words: `${claims.unmeasured.length} of ${card.claims.length} claims unmeasured: ${claims.unmeasured[0]?.finding ?? ""}`,
            command: `heed show ${card.name}`,
          },
        ];
      // A solution ages by its claims alone: without any it never does.
      const isBare = card.claims.length === 0 && collection.types.get(card.type)?.injection === "symptom";
      return isBare
        ? [
            {
              subject: card.name,
              words: "it ages by its claims, and has none",
              command: `heed anchor ${card.name}`,
            },
          ]
        : [];
    }),
  };
}

function expired({ cards, workspace }: Ward): Section {
  const now = workspace.now();
  return {
    findings: cards.flatMap(({ name, expires }): HealthFinding[] =>
      expires !== undefined && isPast(expires, now)
        ? [
            {
              subject: name,
              words: `expired on ${expires.slice(0, 10)}, not told any more`,
              command: `heed remove ${name} --reason expired`,
            },
          ]
        : [],
    ),
  };
}

function ruleBudget({ cards, collection }: Ward): Section {
  const rules = cards.filter(
    (card) => collection.types.get(card.type)?.injection === "always" && card.scope.paths.length === 0,
  );
  const chars = rules.reduce((sum, card) => sum + card.description.length + card.bodyLength, 0);
  if (chars <= RULE_BUDGET_CHARS) return { findings: [] };
  const longest = rules.toSorted((a, b) => b.bodyLength - a.bodyLength).slice(0, 5);
  return {
    findings: [
      {
        subject: `${rules.length} rules`,
        words: `${chars} characters with their reasons, ${RULE_BUDGET_CHARS} are told: the reasons of the least salient ones are left out`,
        command: "heed list --type feedback",
      },
      ...longest.map(({ name, bodyLength }): HealthFinding => ({
        subject: name,
        words: `${bodyLength} characters`,
        command: `heed edit ${name}`,
      })),
    ],
  };
}

function deadWeight(ward: Ward): Section {
  const { cards, use, telemetry } = ward;
  const withheld =
    whyWithheld(ward) ?? (telemetry.uses === 0 ? "no citation or report of use is known yet" : undefined);
  if (withheld !== undefined) return { findings: [], withheld };
  return {
    findings: facts(ward, cards).flatMap((card): HealthFinding[] => {
      const told = toldOf(ward, card);
      const used = use.get(keyOf(card));
      return told >= OFTEN_TOLD && (used?.cited ?? 0) + (used?.applied ?? 0) === 0
        ? [
            {
              subject: card.name,
              words: `told ${told} times, never cited or applied`,
              command: `heed show ${card.name}, then heed remove ${card.name} --reason "not used"`,
            },
          ]
        : [];
    }),
  };
}

function neverSurfaced(ward: Ward): Section {
  const withheld = whyWithheld(ward);
  if (withheld !== undefined) return { findings: [], withheld };
  const since = ward.telemetry.since ?? "";
  return {
    findings: facts(ward, ward.cards).flatMap((card): HealthFinding[] =>
      toldOf(ward, card) === 0 && (card.created ?? card.updated ?? "9") < since
        ? [
            {
              subject: card.name,
              words: `not told once since ${since.slice(0, 10)}`,
              command: `heed why "a prompt that should bring it up", then heed update ${card.name} --trigger WORD`,
            },
          ]
        : [],
    ),
  };
}

function heavilyUsed({ cards, use, telemetry }: Ward): Section {
  if (telemetry.uses === 0) return { findings: [], withheld: "no citation or report of use is known yet" };
  return {
    findings: cards
      .map((card) => ({ card, used: use.get(keyOf(card)) }))
      .filter(({ used }) => (used?.cited ?? 0) + (used?.applied ?? 0) >= OFTEN_USED)
      .map(({ card, used }): HealthFinding => ({
        subject: card.name,
        words: `cited ${used?.cited ?? 0} times, applied ${used?.applied ?? 0} times`,
        command: `heed verify ${card.name}`,
      })),
  };
}

function typos({ cards }: Ward): Section {
  return {
    findings: tagTypos(cards).map(({ tag, like, name }) => ({
      subject: tag,
      words: `used once (${name}); ${like} is used more often`,
      command: `heed update ${name} --tag ${like}`,
    })),
  };
}

function tombstones({ workspace }: Ward): Section {
  return {
    findings: workspace.find().stores.flatMap((ref): HealthFinding[] => {
      const removed = openedStore(workspace, ref).listTombstones();
      const [last] = removed;
      return last
        ? [
            {
              subject: ref.kind,
              words: `${removed.length} removed, the last one ${last.memory.card.name} (${last.reason})`,
              command: `heed restore ${last.memory.card.name}`,
            },
          ]
        : [];
    }),
  };
}

function stores({ workspace, collection }: Ward): Section {
  return {
    findings: workspace.find().stores.map((ref, i): HealthFinding => {
      const size = folderSize(ref.root);
      return {
        subject: ref.kind,
        words: `${collection.readers[i]?.documentCount ?? 0} memories, ${Math.ceil(size / 1024)} KiB in ${ref.root}`,
        command: "heed status",
      };
    }),
  };
}

/** Why nothing is judged by what was told; undefined when there is enough to go by. */
function whyWithheld({ telemetry, workspace }: Ward): string | undefined {
  const days =
    telemetry.since === undefined ? 0 : (workspace.now().getTime() - Date.parse(telemetry.since)) / DAY_MS;
  if (telemetry.receipts >= MIN_RECEIPTS && days >= MIN_DAYS) return undefined;
  return `too little is known of what was told: ${telemetry.receipts} receipts over ${Math.floor(days)} days, ${MIN_RECEIPTS} over ${MIN_DAYS} are needed`;
}

/** Memories that are told when they bear on something; rules and episodes are told anyway. */
function facts({ collection }: Ward, cards: readonly MemoryCard[]): MemoryCard[] {
  return cards.filter((card) => {
    const injection = collection.types.get(card.type)?.injection;
    return (
      injection !== undefined && injection !== "always" && injection !== "resume" && injection !== "never"
    );
  });
}

function toldOf({ told, collection }: Ward, card: MemoryCard): number {
  return told.get(`${collection.storeOf(card).kind}:${card.name}`) ?? 0;
}

function keyOf(card: MemoryCard): string {
  return `${card.storeId}:${card.id}`;
}

/** Bytes of the files of a store; git's own count too. */
function folderSize(folder: string): number {
  let size = 0;
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isFile())
      size += statSync(join(entry.parentPath, entry.name), { throwIfNoEntry: false })?.size ?? 0;
  }
  return size;
}
