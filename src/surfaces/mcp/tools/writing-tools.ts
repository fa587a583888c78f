import {
  type Schema,
  MEMORY_FIELDS,
  anyText,
  data,
  either,
  list,
  flag,
  nothing,
  object,
  oneOf,
  optional,
  text,
  described,
} from "../../../here/schema.ts";
import {
  type Change,
  HeedError,
  type NewMemory,
  type NearMemory,
  type SectionChanges,
  type StoreRef,
  type WriteResult,
} from "../../../heed.ts";
import { handleOf } from "../../../memory/handle.ts";
import { LIMITS } from "../../../memory/limits.ts";
import { type Tool, type ToolCall, type ToolOutcome, tool } from "./add-tool.ts";
import { codesToAsk } from "./offer-dialog.ts";
import { compact, handleField, viewMemory } from "./memory-view.ts";
import { given } from "../../given.ts";

const MAX_DIFF_CHARS = 4000;

/** A model waits no longer for what a guard that it proposes would have stopped. */
const REPLAY_MS = 500;

const CHANGES = { readOnlyHint: false, destructiveHint: true, idempotentHint: true } as const;

const { type, statement, quote, reason, how, body, scope, claims } = MEMORY_FIELDS;
const STATEMENT_HELP = "One sentence that can be understood alone, in a year too; days as dates";
const SCOPE_HELP =
  "Where it applies (path globs, branch, worktree: true for this git worktree only); default: as its type says";
/** Claims about the repository at hand, as a model is told of them. */
const CLAIMS_HELP =
  "What must hold in the repository: path:src/a.ts, path:src/a.ts::symbol, path:src/a.ts::NAME=5, script:lint, make:lint, dep:react@^18, config:a.json#key=true, absent:src/old.ts, until:2027-01-31; must:path:src/a.ts::NAME=5 for a value that has to stay. Paths in code spans are added for you";
const ALIASES_HELP =
  "Up to five phrases of one to four words that somebody might look for instead: the error as a user reports it (logged out randomly), the task in which it matters (rotate keys), the tool's other name; in their language too";
const expires = text(undefined, 40);
/** Labels and texts are checked by the façade: spelled out, they would be a fifth of the tool. */
const SECTIONS = data as Schema<SectionChanges>;
/** As many as are read of a rule. */
const MAX_GUARDS = 10;
type Guards = NonNullable<NewMemory["guard"]>;
const AS_WRITTEN = "As in memory_write";

export const writeTool: Tool = tool({
  name: "memory_write",
  title: "Write a memory",
  description:
    "Keep what the user will not want to say twice, in the turn in which they say it, before you go on: later sessions " +
    "know nothing else of it. The first of these that fits is the type. An address, board, account, channel or sibling " +
    "repository of theirs, no public documentation: reference. Who they are, what they know and like whatever the project: user. A rule, correction or preference of how to work, a " +
    "complaint or praise included ('why did you push without testing?'): feedback. What got a struggle unstuck: solution. " +
    "A task of five steps or more that you finished and that will come again: procedure; it waits for the user. " +
    "A decision, standard, owner, deadline or fact of the domain that outlives this task: project. Not: what only this " +
    "task needs, what they took back in the same " +
    "message ('scratch that'), what code, git or CLAUDE.md say. A rule with a quote is in force at once; without " +
    "one it waits, and heed asks the user: do not ask. A fact without one is kept as your observation. Tell the " +
    "user the announcement in one line.",
  input: object({
    type: described(type, "reference, user, feedback, solution, procedure or project: the first that fits"),
    statement: described(statement, STATEMENT_HELP),
    quote: described(
      optional(quote),
      "The user's words that say it, from this turn or the two before, letter by letter, neighbouring lines of a list too; each quote brings one memory. Not what " +
        "they ask, what others say ('X says'), what holds for now ('for this PR') or what they take back ('scratch that')",
    ),
    reason: described(optional(reason), "Why, only if they said why"),
    how: described(optional(how), "How to apply it: when, and what to do then"),
    body: described(
      optional(body),
      "Where one sentence is not enough. Solution: **Symptom:**, **Solution:**, and where known **Failed:**, **Why:**. Procedure, under 1,200 characters, only what you did: **Preconditions:**, **Steps:** (a numbered list), **Check:**, **Failed:**; when, as how",
    ),
    aliases: described(optional(MEMORY_FIELDS.aliases), ALIASES_HELP),
    expires: described(optional(expires), "ISO date after which it is not brought up"),
    replaces: described(optional(handleField), "The memory that this one replaces"),
    scope: described(optional(scope), SCOPE_HELP),
    claims: described(optional(claims), CLAIMS_HELP),
    store: described(
      optional(oneOf("project", "team")),
      "Only when they asked to share it: project (the repository's .heed/) or team; heed asks them. Default: their own",
    ),
    guard: described(
      optional(either<Guards>("a guard, or a list of them", data, list(data, MAX_GUARDS))),
      'For a rule that a tool call can break: the guard to propose, or a list. By its effect where it has one: {destroys: data/**} for "never delete data" (not rm), {writes: …}, {rewrites-remote: main}, {publishes: true}; else {command: npm install}. In time: {before: git commit, needs: npm test, after: src/**}, {when: turn-end, needs, after}. With stops and allows: example commands. The user decides',
    ),
  }),
  annotations: { ...CHANGES, destructiveHint: false },
  isOfSession: true,
  isAlwaysLoaded: true,
  run: async (fields, call) => {
    const { heed, actor } = call;
    const result = await heed.memories.write(fields, actor);
    const outcome = await spoken(writeOutcome(result, heed.setup.stores()), call);
    if (fields.guard === undefined || result.outcome === "refused") return outcome;
    const name = "metadata" in result ? result.metadata.name : result.name;
    const { guard } = fields;
    const replay = await heed.guards.replay(name, { guard, withinMs: REPLAY_MS }).catch(() => undefined);
    return { value: { ...outcome.value, ...(replay && { replay: replay.summary }) } };
  },
});

export const updateTool: Tool = tool({
  name: "memory_update",
  title: "Change a memory",
  description:
    "Change a memory that is wrong or incomplete; what you leave out stays. Show it first and give its hash as if_hash. " +
    "With the user's words as quote you may add to a rule (all that it said stays, in its order) and change what they said " +
    "about themselves; any other change of a rule waits until they agree.",
  input: object({
    handle: handleField,
    statement: described(optional(statement), STATEMENT_HELP),
    quote: described(optional(quote), "As in memory_write: the words that ask for this change"),
    reason: described(optional(reason), "Why, where it was missing and they have said it"),
    how: described(optional(how), AS_WRITTEN),
    body: described(optional(body), "The whole new text"),
    sections: described(
      optional(SECTIONS),
      "Instead of body: new texts of parts, by label: symptom, failed, solution, why, preconditions, steps, check; null removes one",
    ),
    tags: described(optional(MEMORY_FIELDS.tags), "3-6 concrete nouns"),
    aliases: described(optional(MEMORY_FIELDS.aliases), AS_WRITTEN),
    expires: described(
      optional(either<string | null>("a text, or null", expires, nothing)),
      "ISO date; null: never",
    ),
    scope: described(optional(scope), AS_WRITTEN),
    claims: described(optional(claims), AS_WRITTEN),
    if_hash: described(optional(text(undefined, 100)), "Refuse when it has changed since this hash"),
  }),
  annotations: CHANGES,
  isOfSession: true,
  run: async ({ handle, statement, if_hash, ...fields }, call) => {
    const { heed, actor } = call;
    const changes = { ...fields, ...given({ statement, ifHash: if_hash }) };
    return spoken(
      writeOutcome(await heed.memories.update(handle, changes, actor), heed.setup.stores()),
      call,
    );
  },
});

export const removeTool: Tool = tool({
  name: "memory_remove",
  title: "Remove or restore a memory",
  description:
    "Remove a memory that is wrong or no longer wanted; restore brings it back. Prefer memory_update when part of it still " +
    "holds. Removing a rule waits until the user agrees: heed asks them. So does removing what they said about themselves, " +
    "without a quote.",
  input: object({
    handle: handleField,
    reason: described(
      optional({ ...anyText, maxLength: LIMITS.reasonChars }),
      "Why it goes, in one sentence, kept with it",
    ),
    quote: described(optional(quote), "The user's words that ask for it, letter by letter"),
    restore: described(optional(flag), "Bring back what was removed under this handle"),
  }),
  annotations: CHANGES,
  isOfSession: true,
  run: async ({ handle, reason = "", quote: said, restore }, call) => {
    const { heed, actor } = call;
    if (restore === true) return changeOutcome("restored", await heed.memories.restore(handle, actor));
    try {
      return changeOutcome("removed", await heed.memories.remove(handle, { reason, quote: said }, actor));
    } catch (error) {
      if (!(error instanceof HeedError) || error.data["waits"] === undefined) throw error;
      const {
        message,
        data: { waits },
      } = error;
      return spoken({ value: { outcome: "waits", reason: message, next: WAITS, code: waits } }, call);
    }
  },
});

const WAITS = "Do not ask the user, do not write it again, and go on.";

interface WaitingValue extends Record<string, unknown> {
  code?: string;
  warnings?: string[];
  handle?: string;
  diff?: string;
}

const ASKED =
  "heed asks the user itself at the end of this turn: say nothing of it, do not write it again, and go on.";

/** One voice: what a dialog will ask the user is not for the model to tell. */
async function spoken(outcome: ToolOutcome, call: ToolCall): Promise<ToolOutcome> {
  const { code, warnings = [], handle, diff } = outcome.value as WaitingValue;
  if (code === undefined && warnings.length === 0) return outcome;
  const codes = await codesToAsk(call);
  if (code !== undefined && codes.includes(code))
    return { value: compact({ outcome: "waits", handle, diff, next: ASKED }) };
  const left = warnings.filter((words) => !codes.some((one) => words.includes(`heed yes ${one}`)));
  if (left.length === warnings.length) return outcome;
  const { warnings: _all, ...rest } = outcome.value;
  return { value: { ...rest, ...compact({ warnings: left, next: ASKED }) } };
}

function writeOutcome(result: WriteResult, stores: readonly StoreRef[]): ToolOutcome {
  if (result.outcome === "refused")
    return { value: { outcome: "refused", refusals: result.refusals }, isRefused: true };
  const { announcement } = result;
  const more = { ...nearOf(result.near), diff: shortened(result.diff) };
  if (result.outcome === "pending") {
    const { reason, code } = result;
    const handle = handleOf(result);
    return { value: compact({ outcome: "waits", handle, announcement, reason, next: WAITS, code, ...more }) };
  }
  const { outcome, metadata, path, warnings } = result;
  const hash = metadata.contentHash;
  return {
    value: compact({ outcome, announcement, ...viewMemory(metadata, stores), hash, path, warnings, ...more }),
  };
}

function changeOutcome(outcome: "removed" | "restored", { id, summary, time, files }: Change): ToolOutcome {
  return { value: { outcome, announcement: summary, change: id, time, files } };
}

/** What a write is near to, with what the model can do about it. */
function nearOf(near: readonly NearMemory[] = []): object {
  if (near.length === 0) return {};
  return {
    near: near.map(({ name, statement, body, removed }) =>
      compact({ handle: handleOf({ name, statement }), statement, text: body, removed }),
    ),
    ifNear:
      "If one of these says the same, keep one: memory_update it, memory_remove the other. If this takes its place, write this with replaces. Else leave them.",
  };
}

function shortened(diff = ""): string | undefined {
  return diff.length > MAX_DIFF_CHARS ? `${diff.slice(0, MAX_DIFF_CHARS)}\n…` : diff || undefined;
}
