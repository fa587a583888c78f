import type { Schema } from "./schema.ts";

/** Arguments by their names, in their order. */
export type Takes = Readonly<Record<string, Schema>>;

/** A method of the façade: what it takes, what runs when it is called, and whether the page may call it. */
export interface Method<Args extends unknown[], Answer> {
  /** It is not run with anything else. */
  readonly takes: Takes;
  /** Takes the place at which it is called first; see `app/place/define-method.ts`. */
  readonly run: (place: never, ...args: Args) => Answer;
  /** It is answered without waiting. */
  readonly isNow?: boolean;
  readonly isForPage: boolean;
}

/** The methods of a group of the façade. */
export type Methods<Group> = {
  readonly [Name in keyof Group]: Group[Name] extends (...args: infer Args) => infer Answer
    ? Method<Args, Answer>
    : never;
};
