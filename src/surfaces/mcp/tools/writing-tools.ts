import type { McpServer } from "@modelcontextprotocol/server";
import { z } from "zod";
import { addTool } from "./add-tool.ts";
import type { HeedSessions } from "./heed-sessions.ts";
import { LIMITS, WORDS } from "../../../memory/limits.ts";
import {
  attributeShape,
  bodyField,
  descriptionField,
  gatedText,
  handleField,
  reasonField,
  typeField,
} from "./tool-fields.ts";
import { withoutUndefined } from "./without-undefined.ts";
import { changeOutcome, changeSchema, writeOutcome, writeOutcomeSchema } from "./write-outcome.ts";

const pendingField = handleField.describe("The pending memory");
const ADDS = { readOnlyHint: false, destructiveHint: false, idempotentHint: true } as const;
const CHANGES = { readOnlyHint: false, destructiveHint: true, idempotentHint: true } as const;

/** What a memory is written from: four fields say it, the rest is derived where it is not given. */
const statementInput = z.object({
  type: typeField.describe("feedback, user, project, reference or solution"),
  statement: gatedText(LIMITS.descriptionChars).describe("One sentence that stands alone, in a year too"),
  quote: gatedText(LIMITS.reasonChars).optional().describe("The user's own words in this session, verbatim"),
  reason: gatedText(LIMITS.reasonChars).optional().describe("Why, only if they said why"),
  body: bodyField
    .optional()
    .describe(
      "Only where a sentence does not do, as for a solution: **Symptom:**, **Failed:**, **Solution:**, **Why:**, **How to apply:**. Default: the statement",
    ),
  name: gatedText(LIMITS.nameChars)
    .optional()
    .describe("Two to five words; default: made from the statement"),
  ...attributeShape,
  expires: z.string().max(40).optional().describe("ISO date after which it is not brought up"),
  store: z.enum(["user", "project"]).optional().describe("project: shared through the repository"),
  relation: z
    .object({ kind: z.enum(WORDS.relation), to: z.string().max(LIMITS.nameChars) })
    .optional()
    .describe("How it relates to a memory that a refusal named"),
});

/** The tools that change memories. */
export function addWritingTools(server: McpServer, sessions: HeedSessions): void {
  addTool(server, sessions, {
    name: "memory_write",
    title: "Write a memory",
    description:
      "Keep what the user will not want to say twice, in the turn in which they say it, before you go on: later sessions " +
      "know nothing else of it. A rule or correction of how to work, a complaint included ('why did you push without " +
      "testing?'): feedback. A decision, standard, owner, deadline or fact of the domain that outlives this task: project. " +
      "An address, board, account, channel or sibling repository: reference. Who they are and what they like: user. What " +
      "got a struggle unstuck: solution. Not: what only this task needs, what code, git or CLAUDE.md say, what you " +
      "concluded yourself. Give their words as quote, letter by letter, and a reason only if they gave one. What is quoted " +
      "from this session is in force at once; a statement about the user, and what they did not say, waits for their " +
      "word. Tell the user the announcement in one line.",
    input: statementInput,
    output: writeOutcomeSchema,
    annotations: ADDS,
    isAlwaysLoaded: true,
    run: async ({ statement, ...fields }, actor) => {
      const heed = await sessions.heed();
      const draft = withoutUndefined({ ...fields, description: statement });
      return writeOutcome(await heed.memories.write(draft, actor), heed.setup.stores());
    },
  });

  addTool(server, sessions, {
    name: "memory_confirm",
    title: "Confirm a pending memory",
    description:
      "Record the user's agreement to a pending memory. Only after the user has answered your question about it: quote " +
      "what they said after the proposal, word for word. Your own opinion is no confirmation.",
    input: z.object({
      name: pendingField,
      quote: z.string().min(1).max(2000).describe("The user's words, verbatim"),
    }),
    output: writeOutcomeSchema,
    annotations: ADDS,
    isAlwaysLoaded: true,
    run: async ({ name, quote }, actor) => {
      const heed = await sessions.heed();
      return writeOutcome(await heed.inbox.confirm(name, { quote }, actor), heed.setup.stores());
    },
  });

  addTool(server, sessions, {
    name: "memory_reject",
    title: "Drop a pending memory",
    description: "Drop a pending memory that the user declined. It is not proposed again.",
    input: z.object({ name: pendingField, reason: reasonField }),
    output: z.looseObject({ outcome: z.literal("rejected"), name: z.string() }),
    annotations: CHANGES,
    run: async ({ name, reason }, actor) => {
      const heed = await sessions.heed();
      await heed.inbox.reject(name, reason, actor);
      return { value: { outcome: "rejected", name } };
    },
  });

  addTool(server, sessions, {
    name: "memory_update",
    title: "Change a memory",
    description:
      "Change a memory that turned out wrong or incomplete; what you leave out stays as it is. Show it first and give " +
      "its hash as if_hash. Passes the same gates as memory_write and returns the diff.",
    input: z.object({
      handle: handleField,
      description: descriptionField.optional(),
      body: bodyField.optional(),
      reason: gatedText(LIMITS.reasonChars)
        .optional()
        .describe("Why, where it was missing and the user has said it"),
      sections: z
        .object({
          symptom: bodyField,
          failed: bodyField,
          solution: bodyField,
          why: bodyField,
          "how-to-apply": bodyField,
        })
        .partial()
        .optional()
        .describe("Parts of the text to replace, the rest staying: improve a solution by what was learned"),
      type: typeField.optional(),
      ...attributeShape,
      status: z.enum(WORDS.status).optional(),
      expires: z.string().max(40).nullable().optional().describe("ISO date; null: never"),
      if_hash: z.string().max(100).optional().describe("Refuse when it has changed since this hash"),
    }),
    output: writeOutcomeSchema,
    annotations: CHANGES,
    run: async ({ handle, if_hash, ...fields }, actor) => {
      const heed = await sessions.heed();
      const changes = withoutUndefined({ ...fields, ifHash: if_hash });
      return writeOutcome(await heed.memories.update(handle, changes, actor), heed.setup.stores());
    },
  });

  addTool(server, sessions, {
    name: "memory_remove",
    title: "Remove a memory",
    description:
      "Remove a memory that is wrong or no longer wanted. It is kept aside with the reason; memory_restore brings it " +
      "back. Prefer memory_update when part of it still holds. A rule goes when the user has said so in this session; else " +
      "the wish waits, and the answer says what to ask.",
    input: z.object({ handle: handleField, reason: reasonField }),
    output: changeSchema,
    annotations: CHANGES,
    run: async ({ handle, reason }, actor) =>
      changeOutcome(await (await sessions.heed()).memories.remove(handle, reason, actor)),
  });

  addTool(server, sessions, {
    name: "memory_restore",
    title: "Restore a removed memory",
    description: "Bring a removed memory back under its handle.",
    input: z.object({ handle: handleField }),
    output: changeSchema,
    annotations: ADDS,
    run: async ({ handle }, actor) =>
      changeOutcome(await (await sessions.heed()).memories.restore(handle, actor)),
  });
}
