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

/** The tools that change memories. */
export function addWritingTools(server: McpServer, sessions: HeedSessions): void {
  addTool(server, sessions, {
    name: "memory_write",
    title: "Write a memory",
    description:
      "Keep something for later sessions, when the user corrects or confirms how to work, says who they are, decides " +
      "something with a date or a reason, points to an external system, or a long struggle was won. Not for what the " +
      "code, git or CLAUDE.md already say, nor for the task at hand. Types and what the body needs: feedback (how to " +
      "work: the rule, **Why:**, **How to apply:**), user (a lasting fact about the person; waits for their word), " +
      "project (a decision or deadline with absolute dates), reference (where something is: URL, id), solution " +
      "(**Symptom:**, **Failed:**, **Solution:**, **Why:**, **How to apply:**, and trigger). A name that exists is " +
      "amended. Returns written, amended, unchanged, pending (ask the user, then memory_confirm) or refused, with the " +
      "gate, the reason and what would pass. Tell the user the announcement.",
    input: z.object({
      type: typeField,
      description: descriptionField,
      body: bodyField
        .optional()
        .describe("Markdown, with the sections that the type needs; default: the description"),
      name: gatedText(LIMITS.nameChars).optional().describe("kebab-case; default: from the description"),
      ...attributeShape,
      expires: z.string().max(40).optional().describe("ISO date after which it is not brought up"),
      store: z.enum(["user", "project"]).optional().describe("project: shared through the repository"),
      is_distinct: z.boolean().optional().describe("Not the near-duplicate that a refusal named"),
      is_not_derivable: z
        .boolean()
        .optional()
        .describe("The repository does not say it, although it looks so"),
    }),
    output: writeOutcomeSchema,
    annotations: ADDS,
    isAlwaysLoaded: true,
    run: async ({ is_distinct, is_not_derivable, ...fields }, actor) => {
      const heed = await sessions.heed();
      const draft = withoutUndefined({
        ...fields,
        isDistinct: is_distinct,
        isNotDerivable: is_not_derivable,
      });
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
      "back. Prefer memory_update when part of it still holds.",
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
