import { type Method, type Takes, complaintsAbout, sentence } from "./schema.ts";
import { Place, withSoundIndex, type Workspace } from "./place.ts";
import { logTrouble } from "./trouble-log.ts";
import { HeedError } from "../machine/heed-error.ts";
import { asIoFailure } from "../machine/regular-file.ts";
import { takeUntold, wordsOf } from "../machine/state-file.ts";

type RunChecked = (place: Place, ...args: unknown[]) => unknown;

/** Turns rows into methods: arguments checked, a place per call, one retry over a damaged index, io errors as HeedErrors. */
export function methodsOf(workspace: Workspace): (rows: Readonly<Record<string, Method>>) => object {
  const begin = (): Place => {
    workspace.afterwards.finish();
    return new Place(workspace);
  };
  const call = async (run: (place: Place) => unknown): Promise<unknown> => {
    const first = begin();
    try {
      if (first.found.hasServers) await (await import("./team-stores.ts")).refreshTeams(first, TEAM_MS);
      return await withSoundIndex(first, async (place) => run(place));
    } catch (error) {
      throw asRefusal(error);
    } finally {
      end(first);
    }
  };
  const end = (place: Place): void => {
    place.end();
    const { places, env } = workspace;
    for (const newer of takeUntold([places.state, places.cache, places.config]))
      logTrouble("newer file", wordsOf(newer), env);
  };
  const callNow = (run: (place: Place) => unknown): unknown => {
    try {
      return run(new Place(workspace));
    } catch (error) {
      throw asRefusal(error);
    }
  };
  /** What is run repairs its own index. */
  const callAlways = async (run: (place: Place) => unknown): Promise<unknown> => {
    const place = begin();
    try {
      return await run(place);
    } catch (error) {
      logTrouble("unanswered", error, workspace.env);
      return {};
    } finally {
      end(place);
    }
  };
  const ways = { now: callNow, always: callAlways, later: call };
  return (rows) =>
    Object.fromEntries(
      Object.entries(rows).map(([name, { takes, run, answers }]) => {
        const begun = (args: unknown[]): unknown => {
          requireArguments(takes, args);
          const taken = args.slice(0, Object.keys(takes).length);
          return ways[answers ?? "later"]((place: Place) => (run as RunChecked)(place, ...taken));
        };
        const method = (...args: unknown[]): unknown => begun(args);
        return [name, answers === "now" ? method : async (...args: unknown[]) => begun(args)];
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

function define(row: Pick<Method, "answers" | "isForPage">): Define {
  const made = (takes: Takes, from: unknown, name?: string): unknown => {
    const load = from as () => Promise<Record<string, Run<unknown[], unknown>>>;
    const run: Run<unknown[], unknown> = async (place, ...args) =>
      (await load())[name ?? ""]?.(place, ...args);
    return { takes, run: name === undefined ? from : run, ...row };
  };
  return made as Define;
}

export const method: Define = define({ isForPage: false });
export const onPage: Define = define({ isForPage: true });
/** A method that rejects for its arguments alone: other trouble goes to the log. */
export const always: Define = define({ isForPage: false, answers: "always" });
export function now<Args extends unknown[], Answer>(
  takes: Takes,
  run: Run<Args, Answer>,
  isForPage = false,
): Method<(...args: Args) => Answer> {
  return { takes, run, answers: "now", isForPage };
}
