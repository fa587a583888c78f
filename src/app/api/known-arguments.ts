import { ACTOR_KINDS } from "../../memory/actor.ts";
import { DOORS } from "../../memory/door.ts";
import { LIMITS } from "../../memory/limits.ts";
import type { Check } from "./argument-check.ts";
import {
  anyOf,
  callback,
  closedRecord,
  count,
  list,
  oneOf,
  optional,
  record,
  recordBy,
  text,
} from "./argument-check.ts";
import { anyText, optionalFlag, optionalText, words } from "./draft-arguments.ts";

/** An argument by its name, with its check. */
export type Argument = readonly [name: string, check: Check];

/** A text that is not blank. */
export const word: Check = text("a text that says something");
/** So many at most. */
export const limit: Check = optional(count("a whole number from 1 on"));

/** Who acts, or who reads. */
export const who: Check = closedRecord('who it is, for example { kind: "person" }', {
  kind: oneOf(ACTOR_KINDS),
  client: optionalText,
  session: optionalText,
  agent: optionalText,
  door: optional(oneOf(DOORS)),
});
export const actor: Argument = ["actor", who];
export const handle: Argument = [
  "handle",
  text("the name of a memory, heed:name, or its id", { maxChars: LIMITS.handleChars }),
];
export const progress: Argument = ["progress", optional(callback)];

/** What narrows a list down. */
export const filter: Readonly<Record<string, Check>> = {
  types: words,
  tags: words,
  statuses: words,
  stores: words,
  since: optionalText,
  until: optionalText,
  isScopedHere: optionalFlag,
};

export const show: Argument = [
  "options",
  optional(record("an object with store and reader", { store: optionalText, reader: optional(who) })),
];
type Fields = Readonly<Record<string, Check>>;
const objectNamed =
  (name: string) =>
  (fields: Fields): Argument => [name, record(`an object with ${Object.keys(fields).join(", ")}`, fields)];
/** An object with these fields, under the name by which errors speak of it. */
export const request: (fields: Fields) => Argument = objectNamed("request");
/** The same, for what may be left out. */
export const options: (fields: Fields) => Argument = objectNamed("options");
/** An argument that need not be given. */
export const maybe = ([name, check]: Argument): Argument => [name, optional(check)];

export const receipt: Check = text("the id of a receipt: `receipts` lists them");
/** What an explanation is about. */
export const explained: Argument = ["about", anyOf({ prompt: anyText, receipt: anyText })];

const eventOf = (fields: Fields): Check => record("an event", fields);
/**
 * No more than without which there is nothing to answer: to refuse an event allows the call that it asks about. The rest
 * is made good by normaliseEvent.
 */
export const event: Argument = [
  "event",
  recordBy("kind", {
    "session-start": eventOf({}),
    "subagent-start": eventOf({}),
    prompt: eventOf({ prompt: anyText }),
    "tool-use": eventOf({ tool: anyText }),
    "tool-failure": eventOf({}),
    stop: eventOf({}),
    compaction: eventOf({}),
    "session-end": eventOf({}),
  }),
];
/** What is looked at by the method itself. */
export const anything: Check = () => undefined;

export const plan: Argument = [
  "plan",
  record("what `plan` resolved to", {
    kind: oneOf(["fetch", "copy"]),
    directory: text("the directory of the plan"),
    source: text("the source of the plan"),
    packages: list(
      record("a package of the plan", {
        name: word,
        version: word,
        integrity: word,
        license: anyText,
      }),
    ),
  }),
];
