import type { Complaint, Method, Methods, Takes } from "./api/schema.ts";
import { complaintsAbout, sentence } from "./api/schema.ts";
import { Place, withSoundIndex } from "./place.ts";
import { logNewerFiles, logTrouble } from "./trouble-log.ts";
import type { Workspace } from "./workspace.ts";
import { HeedError } from "../machine/heed-error.ts";
import { asIoFailure } from "../machine/regular-file.ts";

type RunChecked = (place: Place, ...args: unknown[]) => unknown;

interface Caller {
  readonly group: <Group>(methods: Methods<Group>) => Group;
  /** Rejects only for its arguments: other trouble goes to the log, and `otherwise` is the answer. `run` repairs its own index. */
  readonly callAlways: <Args extends unknown[], Answer>(
    takes: Takes,
    run: (place: Place, ...args: Args) => Promise<Answer>,
    otherwise: () => Answer,
  ) => (...args: Args) => Promise<Answer>;
}

/**
 * Each call has its arguments checked, stands at a place of its own, finds done what the call before it left to do, is
 * repeated over a damaged index, and tells what the file system refuses as a HeedError with a remedy.
 */
export function callerOf(workspace: Workspace, afterwards: DeferredWork): Caller {
  const begin = (): Place => {
    afterwards.finish();
    return new Place(workspace);
  };
  const taken = (takes: Takes, args: readonly unknown[]): unknown[] =>
    args.slice(0, Object.keys(takes).length);
  const call =
    (takes: Takes, run: RunChecked) =>
    async (...args: unknown[]): Promise<unknown> => {
      try {
        requireArguments(takes, args);
        const first = begin();
        if (first.found.hasServers) await (await import("./team-stores.ts")).refreshTeams(first, TEAM_MS);
        return await withSoundIndex(first, async (place) => run(place, ...taken(takes, args)));
      } catch (error) {
        throw asRefusal(error);
      } finally {
        logNewerFiles(workspace);
      }
    };
  const callNow =
    (takes: Takes, run: RunChecked) =>
    (...args: unknown[]): unknown => {
      try {
        requireArguments(takes, args);
        return run(new Place(workspace), ...taken(takes, args));
      } catch (error) {
        throw asRefusal(error);
      }
    };
  return {
    group: <Group>(methods: Methods<Group>) =>
      Object.fromEntries(
        Object.entries<Method<unknown[], unknown>>(methods).map(([name, { takes, run, isNow }]) => [
          name,
          (isNow === true ? callNow : call)(takes, run as RunChecked),
        ]),
      ) as Group,
    callAlways:
      (takes, run, otherwise) =>
      async (...args) => {
        requireArguments(takes, args);
        try {
          return await run(begin(), ...args);
        } catch (error) {
          logTrouble("call", error, workspace.env);
          return otherwise();
        } finally {
          logNewerFiles(workspace);
        }
      },
  };
}

/** How long a call waits for the server of a team, in milliseconds; then the last state counts. */
const TEAM_MS = 700;

/** @throws HeedError `invalid-input`. What is more than a method takes is left alone. */
export function requireArguments(takes: Takes, given: readonly unknown[]): void {
  const complaint = withoutThrowing(() =>
    Object.entries(takes).flatMap(([name, schema], i) => complaintsAbout(schema, given[i], name)),
  );
  if (!complaint) return;
  // Whoever types a command knows what it asks for, and not the object in which it is handed over.
  const at = complaint.at.replace(/^(?:request|options)\./, "");
  throw new HeedError("invalid-input", sentence({ ...complaint, at }), { argument: at, value: complaint.is });
}

/** An argument can be an object that throws when it is read. */
function withoutThrowing(look: () => Complaint[]): Complaint | undefined {
  try {
    return look()[0];
  } catch {
    return { at: "an argument", is: "an object that cannot be read", give: "a plain object" };
  }
}

/** Anything else is a bug in heed and is passed on as it is. */
function asRefusal(error: unknown): Error {
  const path = (error as NodeJS.ErrnoException | null)?.path;
  const refusal = asIoFailure(error, "use", path ?? "a file");
  return refusal instanceof Error ? refusal : new Error(String(refusal));
}

/** A client takes 20 to 40 ms from a hook's answer to its request; what is written meanwhile takes from its processor. */
const CLIENT_SENDS_MS = 100;

/**
 * Work that must not hold up an answer: it is done when the answer is out, at the latest when heed is closed or the
 * next event comes. Trouble goes to the log: a receipt that cannot be written must not cost anybody a context.
 */
export class DeferredWork {
  readonly #env: Readonly<Record<string, string | undefined>>;
  readonly #isResident: boolean;
  #waiting: (() => void)[] = [];

  /**
   * @param env - Names the directory of the log.
   * @param isResident - The process stays, beside its client. Default false.
   */
  constructor(env: Readonly<Record<string, string | undefined>>, isResident = false) {
    this.#env = env;
    this.#isResident = isResident;
  }

  /**
   * Puts work off until the event loop is free. Where the client now makes a request of the answer (`isRequestNext`), a
   * process that stays leaves it the time for that.
   */
  later(work: () => void, { isRequestNext = false }: { isRequestNext?: boolean } = {}): void {
    this.#waiting.push(work);
    if (isRequestNext && this.#isResident) setTimeout(() => this.finish(), CLIENT_SENDS_MS);
    else setImmediate(() => this.finish());
  }

  /** Does all that waits, in order, now. */
  finish(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const work of waiting) {
      try {
        work();
      } catch (error) {
        logTrouble("afterwards", error, this.#env);
      }
    }
  }
}

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
