import type { McpServer } from "@modelcontextprotocol/server";
import { z } from "zod";
import { LIMITS } from "../../../memory/limits.ts";
import { addTool } from "./add-tool.ts";
import type { HeedSessions } from "./heed-sessions.ts";
import { bodyField, claimsField, gatedText, handleField, scopeField, words } from "./tool-fields.ts";
import type { Change, StoreRef, WriteResult } from "../../../heed.ts";
import type { ToolOutcome } from "./add-tool.ts";
import { viewMemory } from "./memory-view.ts";

const CHANGES = { readOnlyHint: false, destructiveHint: true, idempotentHint: true } as const;

const statementField = gatedText(LIMITS.descriptionChars).describe(
  "One sentence that stands alone, in a year too; days as dates",
);
const quoteField = gatedText(LIMITS.reasonChars).optional();
const reasonField = gatedText(LIMITS.reasonChars).optional();
const expiresField = z.string().max(40);

/** What came of a write: `written`, `amended`, `unchanged`, or `waits`. */
const OUTCOME = z.looseObject({ outcome: z.string(), announcement: z.string().optional() });

/** The tools that change memories: write, update, remove and restore. */
export function addWritingTools(server: McpServer, sessions: HeedSessions): void {
  addTool(server, sessions, {
    name: "memory_write",
    title: "Write a memory",
    description:
      "Keep what the user will not want to say twice, in the turn in which they say it, before you go on: later sessions " +
      "know nothing else of it. A rule or correction of how to work, a complaint or praise included ('why did you push " +
      "without testing?'): feedback. A decision, standard, owner, deadline or fact of the domain that outlives this task: " +
      "project. An address, board, account, channel or sibling repository: reference. Who they are and what they like: " +
      "user. What got a struggle unstuck: solution. Not: what only this task needs, what they took back in the same " +
      "message ('scratch that'), what code, git or CLAUDE.md say. A rule that you quote is in force at once; one without a " +
      "quote waits, and heed asks the user itself: do not ask. A fact without one is kept as your observation. Tell the " +
      "user the announcement in one line.",
    input: z.strictObject({
      type: gatedText(LIMITS.itemChars).describe("feedback, user, project, reference or solution"),
      statement: statementField,
      quote: quoteField.describe(
        "The user's whole sentence from this turn or the two before, letter by letter",
      ),
      reason: reasonField.describe("Why, only if they said why"),
      body: bodyField
        .optional()
        .describe(
          "Where a sentence does not do, as for a solution: **Symptom:**, **Failed:**, **Solution:**, **Why:**, **How to apply:**",
        ),
      expires: expiresField.optional().describe("ISO date after which it is not brought up"),
      relation: z
        .strictObject({
          kind: z.enum(["replaces", "adds", "distinct"]),
          to: handleField.describe("The memory near it"),
        })
        .optional()
        .describe("What it is to a memory near it, when a refusal names one"),
      scope: scopeField,
      claims: claimsField,
      guard: z
        .looseObject({})
        .optional()
        .describe(
          "For a rule that a tool call can break: the guard to propose, such as {command: git push, flags: [--force]} or {path: migrations/**}. The user decides",
        ),
    }),
    output: OUTCOME,
    annotations: { ...CHANGES, destructiveHint: false },
    isOfSession: true,
    isAlwaysLoaded: true,
    run: async ({ statement, ...fields }, { heed, actor }) => {
      const draft = withoutUndefined({ ...fields, description: statement });
      return writeOutcome(await heed.memories.write(draft, actor), heed.setup.stores());
    },
  });

  addTool(server, sessions, {
    name: "memory_update",
    title: "Change a memory",
    description:
      "Change a memory that turned out wrong or incomplete; what you leave out stays. Show it first and give its hash as " +
      "if_hash. What a rule says changes only by the user's words as quote, or once they agree. Returns the diff.",
    input: z.strictObject({
      handle: handleField,
      statement: statementField.optional(),
      quote: quoteField.describe("As in memory_write: the words that ask for this change"),
      reason: reasonField.describe("Why, where it was missing and they have said it"),
      body: bodyField.optional().describe("The whole new text"),
      tags: words("3-6 concrete nouns"),
      aliases: words("Other names of the same thing"),
      expires: expiresField.nullable().optional().describe("ISO date; null: never"),
      scope: scopeField,
      claims: claimsField,
      if_hash: z.string().max(100).optional().describe("Refuse when it has changed since this hash"),
    }),
    output: OUTCOME,
    annotations: CHANGES,
    isOfSession: true,
    run: async ({ handle, statement, if_hash, ...fields }, { heed, actor }) => {
      const changes = withoutUndefined({ ...fields, description: statement, ifHash: if_hash });
      return writeOutcome(await heed.memories.update(handle, changes, actor), heed.setup.stores());
    },
  });

  addTool(server, sessions, {
    name: "memory_remove",
    title: "Remove or restore a memory",
    description:
      "Remove a memory that is wrong or no longer wanted; it is kept aside with the reason, and restore brings it back. " +
      "Prefer memory_update when part of it still holds. The end of a rule waits until the user agrees: heed asks them.",
    input: z.strictObject({
      handle: handleField,
      reason: z
        .string()
        .max(LIMITS.reasonChars)
        .optional()
        .describe("Why it goes, in one sentence; it is kept"),
      restore: z.boolean().optional().describe("Bring back what was removed under this handle"),
    }),
    output: OUTCOME,
    annotations: CHANGES,
    isOfSession: true,
    run: async ({ handle, reason = "", restore }, { heed, actor }) =>
      restore === true
        ? changeOutcome("restored", await heed.memories.restore(handle, actor))
        : changeOutcome("removed", await heed.memories.remove(handle, reason, actor)),
  });
}

/** A type without `undefined` in its optional fields, deeply: what exact optional fields of the façade want. */
type Defined<T> = T extends readonly unknown[]
  ? T
  : T extends object
    ? { [K in keyof T]: Defined<Exclude<T[K], undefined>> }
    : T;

/** The fields of a record that are set: optional input comes as `undefined`, the façade wants it absent. */
function withoutUndefined<T extends object>(record: T): Defined<T> {
  const set = Object.entries(record).filter(([, value]) => value !== undefined);
  return Object.fromEntries(set) as Defined<T>;
}

/** Longest diff that a result carries. */
const MAX_DIFF_CHARS = 4000;

/** Turns what came of a write into a tool's answer; a refusal is marked, and says what would pass. */
function writeOutcome(result: WriteResult, stores: readonly StoreRef[]): ToolOutcome {
  switch (result.outcome) {
    case "refused":
      return { value: { outcome: "refused", refusals: result.refusals }, isRefused: true };
    case "pending":
      return {
        value: {
          outcome: "waits",
          name: result.name,
          announcement: result.announcement,
          reason: result.reason,
          next: "Do not ask the user, do not write it again, and go on.",
          ...("code" in result && { code: result.code }),
          ...diffOf(result.diff),
        },
      };
    default:
      return {
        value: {
          outcome: result.outcome,
          announcement: result.announcement,
          ...viewMemory(result.card, stores),
          hash: result.card.contentHash,
          path: result.path,
          ...(result.warnings.length > 0 && { warnings: result.warnings }),
          ...diffOf(result.diff),
        },
      };
  }
}

/** Turns a change of place into a tool's answer. */
function changeOutcome(outcome: "removed" | "restored", { id, summary, time, files }: Change): ToolOutcome {
  return { value: { outcome, announcement: summary, change: id, time, files } };
}

function diffOf(diff: string | undefined): { diff?: string } {
  if (diff === undefined || diff === "") return {};
  return { diff: diff.length > MAX_DIFF_CHARS ? `${diff.slice(0, MAX_DIFF_CHARS)}\n…` : diff };
}
