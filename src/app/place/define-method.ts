import type { Method, Takes } from "../api/schema.ts";
import type { Place } from "./place.ts";

type Run<Args extends unknown[], Answer> = (place: Place, ...args: Args) => Answer;
type ArgsOf<R> = R extends Run<infer Args, unknown> ? Args : never;
type AnswerOf<R> = R extends (...args: never[]) => infer Answer ? Promise<Awaited<Answer>> : never;

interface Define {
  /** What a module exports under a name, which is loaded when the method is called. */
  <Name extends string, Module extends { readonly [N in Name]: Run<never[], unknown> }>(
    takes: Takes,
    load: () => Promise<Module>,
    name: Name,
  ): Method<ArgsOf<Module[Name]>, AnswerOf<Module[Name]>>;
  <Args extends unknown[], Answer>(takes: Takes, run: Run<Args, Answer>): Method<Args, Answer>;
}

function define(isForPage: boolean): Define {
  const made = (takes: Takes, from: unknown, name?: string): unknown => {
    const load = from as () => Promise<Record<string, Run<unknown[], unknown>>>;
    const run: Run<unknown[], unknown> = async (place, ...args) =>
      (await load())[name ?? ""]?.(place, ...args);
    return { takes, run: name === undefined ? from : run, isForPage };
  };
  return made as Define;
}

/** A method for programs and the command line. */
export const method: Define = define(false);
/** A method that the page may call, too. */
export const onPage: Define = define(true);
/** A method that is answered without waiting. */
export function now<Args extends unknown[], Answer>(
  takes: Takes,
  run: Run<Args, Answer>,
  isForPage = false,
): Method<Args, Answer> {
  return { takes, run, isNow: true, isForPage };
}
