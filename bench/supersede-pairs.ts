import type { StatementPair } from "./statement-pairs.ts";
import { LOOKALIKES, RETOLD } from "./statement-pairs.ts";

/** How the store knows that the old version is old. */
export const KINDS = ["status", "link", "date", "reworded"] as const;
type Kind = (typeof KINDS)[number] | "retold" | "lookalike";

/** A memory's file. */
interface Version {
  name: string;
  text: string;
}

/** A fact that changed. */
export interface FactPair {
  /** The system that it is about; questions about one are alike. */
  subject: string;
  kind: Kind;
  question: string;
  current: Version;
  stale: Version;
}

const SUBJECTS = [
  "invoice importer",
  "search gateway",
  "billing worker",
  "avatar service",
  "nightly exporter",
  "consent banner",
  "ledger replica",
  "courier webhook",
  "pricing engine",
  "login proxy",
  "stock forecaster",
  "print spooler",
];

interface Aspect {
  slug: string;
  question: (subject: string) => string;
  statement: (subject: string, value: string) => string;
  /** The current version in other words. */
  reworded: (subject: string, value: string) => string;
  values: readonly [old: string, current: string];
}

const ASPECTS: readonly Aspect[] = [
  {
    slug: "host",
    question: (subject) => `on which host does the ${subject} run?`,
    statement: (subject, value) => `the ${subject} runs on the host ${value}`,
    reworded: (subject, value) => `moved the ${subject} over to ${value}; the former host is switched off`,
    values: ["kestrel-2", "osprey-7"],
  },
  {
    slug: "owner",
    question: (subject) => `who owns the ${subject}? I need a review`,
    statement: (subject, value) => `the ${subject} is owned by ${value}, who reviews its changes`,
    reworded: (subject, value) => `${value} took over the ${subject} and is who to ask for reviews`,
    values: ["Marta Lindqvist", "Tomas Okafor"],
  },
  {
    slug: "deadline",
    question: (subject) => `until when is the ${subject} frozen?`,
    statement: (subject, value) => `the ${subject} is frozen until ${value} for the audit`,
    reworded: (subject, value) =>
      `auditors asked for more time: nothing is merged into the ${subject} before ${value}`,
    values: ["2031-03-05", "2031-05-19"],
  },
  {
    slug: "timeout",
    question: (subject) => `what timeout do requests to the ${subject} have?`,
    statement: (subject, value) => `requests to the ${subject} have a timeout of ${value}`,
    reworded: (subject, value) =>
      `clients give up on the ${subject} after ${value}, raised since reports were cut off`,
    values: ["800 ms", "2500 ms"],
  },
  {
    slug: "queue",
    question: (subject) => `which queue does the ${subject} read from?`,
    statement: (subject, value) => `the ${subject} reads its jobs from the queue ${value}`,
    reworded: (subject, value) => `${value} is what the ${subject} consumes, since the split of the queues`,
    values: ["jobs-legacy", "jobs-priority"],
  },
];

/**
 * Facts about {@link SUBJECTS}, in an old and a current wording. The old version is `superseded` by its status, or
 * linked to by the current one, or known as old by its date alone, the current one in the same or in other words. Which of the two comes first by name changes.
 */
export function supersedePairs(): FactPair[] {
  return SUBJECTS.flatMap((subject, i) =>
    ASPECTS.map((aspect, j): FactPair => {
      const kind = KINDS[(i + j) % KINDS.length] as Kind;
      const slug = `${subject.replaceAll(" ", "-")}-${aspect.slug}`;
      const [first, second] = (i + j) % 2 === 0 ? ["a", "b"] : ["b", "a"];
      const names = { current: `${slug}-${first}`, stale: `${slug}-${second}` };
      const [old, value] = aspect.values;
      return {
        subject,
        kind,
        question: aspect.question(subject),
        current: version(
          names.current,
          kind === "reworded" ? aspect.reworded(subject, value) : aspect.statement(subject, value),
          "2026-06-01",
          kind === "status" || kind === "link" ? [`links: [{ rel: supersedes, to: ${names.stale} }]`] : [],
        ),
        stale: version(
          names.stale,
          aspect.statement(subject, old),
          "2026-01-10",
          kind === "status" ? ["status: superseded"] : [],
        ),
      };
    }),
  );
}

/** The pairs written by hand (statement-pairs.ts), known as old and current by their dates alone. */
export function statementPairs(): FactPair[] {
  const pairsOf = (kind: Kind, pairs: readonly StatementPair[]): FactPair[] =>
    pairs.map(({ question, older, newer }, i) => ({
      subject: `${kind}-${i}`,
      kind,
      question,
      current: version(`${kind}-${i}-${i % 2 === 0 ? "a" : "b"}`, newer, "2026-06-01", []),
      stale: version(`${kind}-${i}-${i % 2 === 0 ? "b" : "a"}`, older, "2026-01-10", []),
    }));
  return [...pairsOf("retold", RETOLD), ...pairsOf("lookalike", LOOKALIKES)];
}

function version(name: string, statement: string, day: string, further: readonly string[]): Version {
  const metadata = ["type: project", `created: ${day}T09:00:00Z`, ...further].map((line) => `  ${line}`);
  return {
    name,
    text: [
      "---",
      `name: ${name}`,
      `description: ${JSON.stringify(statement)}`,
      "metadata:",
      ...metadata,
      "---",
      `${statement}.`,
      "",
    ].join("\n"),
  };
}
