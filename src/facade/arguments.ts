import {
  type Optional,
  type Schema,
  anyText,
  count,
  flag,
  list,
  object,
  oneOf,
  optional,
  text,
  HANDLE,
} from "../here/schema.ts";
import { LIMITS } from "../memory/limits.ts";
import { ACTOR_KINDS, DOORS } from "../memory/memory.ts";

// What several methods take, by the names under which they take it.
export const optionalText: Optional<string> = optional(anyText);
export const optionalFlag: Optional<boolean> = optional(flag);
export const isApplied: Optional<boolean> = optional(flag);
export const limit: Optional<number> = optional(count());
export const since: Optional<string> = optional(anyText);
export const texts: Optional<string[]> = optional(list(anyText));
export const handle: Schema<string> = HANDLE;
export const handles: Schema<string[]> = list(HANDLE, LIMITS.shownAtOnce);
export const session: Optional<string> = optional(text("the id of a session"));
export const oneStore: Schema = oneOf("user", "project");

/** Who acts. */
export const actor: Schema = {
  ...object({
    kind: oneOf(...ACTOR_KINDS),
    client: optionalText,
    session: optionalText,
    agent: optionalText,
    door: optional(oneOf(...DOORS)),
  }),
  give: 'who it is, for example { kind: "person" }',
};
/** Who reads. */
export const reader: Schema = optional(actor);
