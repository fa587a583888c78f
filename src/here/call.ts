import { type Method, type Takes, complaintsAbout, sentence } from "./schema.ts";
import { Place, withSoundIndex, type Workspace } from "./place.ts";
import { logTrouble } from "./trouble-log.ts";
import { HeedError } from "../machine/heed-error.ts";
import { asIoFailure } from "../machine/regular-file.ts";
import { takeUntold, wordsOf } from "../machine/state-file.ts";

type RunChecked = (place: Place, ...args: unknown[]) => unknown;

/** Turns rows into methods: arguments checked, a place per call, one retry over a damaged index, io errors as HeedErrors. */
export function methodsOf(workspace: Workspace): (rows: Readonly<Record<string, Method>>) => object {
  const inPlace = async (run: (place: Place) => unknown): Promise<unknown> => {
    const { places, env, afterwards } = workspace;
    afterwards.finish();
    const place = new Place(workspace);
    try {
      return await run(place);
    } finally {
      place.end();
      for (const newer of takeUntold([places.state, places.cache, places.config]))
        logTrouble("newer file", wordsOf(newer), env);
    }
  };
  const refuse = (error: unknown): never => {
    throw asRefusal(error);
  };
  const ways = {
    now: (run: (place: Place) => unknown): unknown => {
      try {
        return run(new Place(workspace));
      } catch (error) {
        return refuse(error);
      }
    },
    /** What is run repairs its own index. */
    always: (run: (place: Place) => unknown) =>
      inPlace(run).catch((error: unknown) => {
        logTrouble("unanswered", error, workspace.env);
        return {};
      }),
    later: (run: (place: Place) => unknown) =>
      inPlace(async (first) => {
        if (first.found.hasServers) await (await import("./team-stores.ts")).refreshTeams(first, TEAM_MS);
        return withSoundIndex(first, async (place) => run(place));
      }).catch(refuse),
  };
  return (rows) =>
    Object.fromEntries(
      Object.entries(rows).map(([name, { takes, run, answers }]) => {
        const method = (...args: unknown[]): unknown => {
          requireArguments(takes, args);
          const taken = args.slice(0, Object.keys(takes).length);
          return ways[answers ?? "later"]((place) => (run as RunChecked)(place, ...taken));
        };
        return [name, answers === "now" ? method : async (...args: unknown[]) => method(...args)];
      }),
    );
}

/** How long a call waits for the server of a team, in milliseconds; then the last state counts. */
const TEAM_MS = 700;

/** @throws HeedError `invalid-input`. What is more than a method takes is left alone. */
export function requireArguments(takes: Takes, given: readonly unknown[]): void {
  const [complaint] = Object.entries(takes).flatMap(([name, schema], i) =>
    complaintsAbout(schema, given[i], name),
  );
  if (!complaint) return;
  // Whoever types a command knows what it asks for, and not the object in which it is handed over.
  const at = complaint.at.replace(/^(?:request|options)\./, "");
  throw new HeedError("invalid-input", sentence({ ...complaint, at }), { argument: at, value: complaint.is });
}

/** Anything else is a bug in heed and is passed on as it is. */
function asRefusal(error: unknown): Error {
  const path = (error as NodeJS.ErrnoException | null)?.path;
  const refusal = asIoFailure(error, "use", path ?? "a file");
  return refusal instanceof Error ? refusal : new Error(String(refusal));
}

type Run<Args extends unknown[], Answer> = (place: Place, ...args: Args) => Answer;
type CallOf<R> =
  R extends Run<infer Args, infer Answer> ? (...args: Args) => Promise<Awaited<Answer>> : never;

interface Define {
  /** What a module exports under a name, which is loaded when the method is called. */
  <Name extends string, Module extends { readonly [N in Name]: Run<never[], unknown> }>(
    takes: Takes,
    load: () => Promise<Module>,
    name: Name,
  ): Method<CallOf<Module[Name]>>;
  <Args extends unknown[], Answer>(
    takes: Takes,
    run: Run<Args, Answer>,
  ): Method<(...args: Args) => Promise<Awaited<Answer>>>;
}

const define = (isForPage: boolean): Define => {
  const made = (takes: Takes, from: unknown, name?: string): unknown => {
    const load = from as () => Promise<Record<string, RunChecked>>;
    const run: RunChecked = async (place, ...args) => (await load())[name ?? ""]?.(place, ...args);
    return { takes, run: name === undefined ? from : run, isForPage };
  };
  return made as Define;
};

export const method: Define = define(false);
export const onPage: Define = define(true);
/** A method that rejects for its arguments alone: other trouble goes to the log. */
export function always<Args extends unknown[], Answer>(
  takes: Takes,
  run: Run<Args, Promise<Answer>>,
): Method<(...args: Args) => Promise<Answer>> {
  return { takes, run, answers: "always", isForPage: false };
}
export function now<Args extends unknown[], Answer>(
  takes: Takes,
  run: Run<Args, Answer>,
  isForPage = false,
): Method<(...args: Args) => Answer> {
  return { takes, run, answers: "now", isForPage };
}
