import type { Confidence, Salience, Source, Status, MemoryHeader } from "./memory.ts";

/** When a memory of a type may enter the context. */
export const INJECTIONS = [
  "always", // its statement is in every fresh context (rules)
  "personal", // first in the map, and when the prompt matches it
  "related", // when related work is in scope
  "mentioned", // when the system that it points to is mentioned
  "symptom", // when its symptom appears, in a prompt or in a failed tool call
  "listed", // its line is in the map; whole only when asked for (procedures)
  "resume", // the last one of this repository and branch, at session start (episodes)
  "never", // only when asked for
] as const;
export type Injection = (typeof INJECTIONS)[number];

/** How facts are told: they have a line in the map, and a prompt may bring them. */
export const FACT_INJECTIONS: ReadonlySet<Injection> = new Set<Injection>([
  "personal",
  "related",
  "mentioned",
  "symptom",
  "listed",
]);

/** What a write of a type must bring. */
export const NEEDS = [
  "grounds", // what a rule rests on: the user's words as a quotation, or a Why
  "why", // this and the next five: a section of the body with that label
  "how-to-apply",
  "symptom",
  "failed",
  "solution",
  "steps",
  "absolute-dates", // days are written as dates
  "trigger", // at least one trigger word
  "confirmation", // a statement about the user, pending until the user confirmed it
  "approval", // the user approves its whole text, which takes force like a rule's: no quote is enough
] as const;
export type Need = (typeof NEEDS)[number];

export interface TypePolicy {
  name: string;
  holds: string;
  needs: readonly Need[];
  /** Sections that are worth having: a memory without them is written, and what it lacks is shown. Default: none. */
  asks?: readonly Need[];
  injection: Injection;
  /** Days after which the calendar asks for a check; null: it never does. */
  checkAfterDays: number | null;
  /** Where such a memory applies when the writer does not say: this repository, or everywhere. */
  reach: "repository" | "everywhere";
  defaults: { confidence: Confidence; source: Source; status: Status; salience: Salience };
}

const FIRM = { confidence: "high", source: "observed", status: "confirmed", salience: "medium" } as const;

/** The closed taxonomy. A store may declare further types (see store config), each with a whole policy. */
export const BUILT_IN_TYPES: readonly TypePolicy[] = [
  {
    name: "feedback",
    holds: "corrections and confirmations of how to work",
    needs: ["grounds", "absolute-dates"],
    injection: "always",
    checkAfterDays: null,
    reach: "repository",
    defaults: { ...FIRM, source: "instructed" },
  },
  {
    name: "user",
    holds: "who the user is: expertise, preferences, role",
    needs: ["confirmation", "absolute-dates"],
    injection: "personal",
    checkAfterDays: 180,
    reach: "everywhere",
    defaults: FIRM,
  },
  {
    name: "project",
    holds: "decisions, deadlines, who and why",
    needs: ["absolute-dates"],
    injection: "related",
    checkAfterDays: 30,
    reach: "repository",
    defaults: FIRM,
  },
  {
    name: "reference",
    holds: "where things are in external systems",
    needs: ["absolute-dates"],
    injection: "mentioned",
    checkAfterDays: 90,
    reach: "repository",
    defaults: { ...FIRM, source: "referenced" },
  },
  {
    name: "solution",
    holds: "a hard problem solved: symptom, what failed, what worked, why",
    needs: ["symptom", "solution", "absolute-dates"],
    asks: ["failed", "why", "how-to-apply"],
    injection: "symptom",
    checkAfterDays: null,
    reach: "repository",
    defaults: FIRM,
  },
  {
    name: "procedure",
    holds: "a task of several steps that worked: when, what is needed, steps, how to check",
    needs: ["steps", "approval", "absolute-dates"],
    injection: "listed",
    checkAfterDays: null,
    reach: "repository",
    defaults: FIRM,
  },
  {
    name: "episode",
    holds: "one session: goal, files, commands, outcome, where it stopped",
    needs: [],
    injection: "resume",
    checkAfterDays: null,
    reach: "repository",
    defaults: { confidence: "medium", source: "observed", status: "open", salience: "medium" },
  },
];

export class TypeTable {
  readonly #byName: ReadonlyMap<string, TypePolicy>;

  constructor(declared: readonly TypePolicy[] = []) {
    this.#byName = new Map([...BUILT_IN_TYPES, ...declared].map((policy) => [policy.name, policy]));
  }

  get(name: string): TypePolicy | undefined {
    return this.#byName.get(name);
  }

  all(): TypePolicy[] {
    return [...this.#byName.values()];
  }
}

/** After so many days a session's record is looked at, and leaves for the history of conversations. */
const EPISODE_DAYS = 90;

export function decayDay(updated: string): string {
  return new Date(Date.parse(updated) + EPISODE_DAYS * 86_400_000).toISOString().slice(0, 10);
}

/** Whether a memory is told as a fact: a line in the map, and by a prompt. */
export function isFact({ type }: Pick<MemoryHeader, "type">, types: TypeTable): boolean {
  const policy = types.get(type);
  return policy !== undefined && FACT_INJECTIONS.has(policy.injection);
}

/** Whether a memory does more than tell something: it is a rule or a procedure, or carries a guard. */
export function takesForce(
  memory: Pick<MemoryHeader, "type"> & { guard?: unknown },
  types: TypeTable,
): boolean {
  const policy = types.get(memory.type);
  return policy?.injection === "always" || needsApproval(policy) || memory.guard !== undefined;
}

export function needsApproval(policy: Pick<TypePolicy, "needs"> | undefined): boolean {
  return policy?.needs.includes("approval") === true;
}

/** Whether memories of a type are statements about the user. */
export function isPersonal(policy: Pick<TypePolicy, "needs"> | undefined): boolean {
  return policy?.needs.includes("confirmation") === true;
}
