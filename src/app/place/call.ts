import { type ArgumentsOf, complaintAbout } from "../api/arguments.ts";
import type { Argument } from "../api/known-arguments.ts";
import { Place, withSoundIndex } from "./place.ts";
import { logNewerFiles, logTrouble } from "./trouble-log.ts";
import type { Workspace } from "./workspace.ts";
import { HeedError } from "../../errors/heed-error.ts";
import { asIoFailure } from "../../platform/io-failure.ts";

type Run<Args extends unknown[], Answer> = (place: Place, ...args: Args) => Promise<Answer>;

/** Of each method of a group what runs when it is called, which takes the place at which that is. */
type RunsOf<Group> = {
  [Name in keyof Group]: Group[Name] extends (...args: infer Args) => Promise<infer Answer>
    ? Run<Args, Answer>
    : never;
};

/** Makes the façade's methods of functions that take the place at which they are called. */
export interface Caller {
  /** A group of methods. `wanted`: what each takes; it is not run with anything else. */
  readonly calls: <Group>(wanted: ArgumentsOf<Group>, runs: RunsOf<Group>) => Group;
  /** For what must never reject: trouble goes to the log, and `otherwise` is the answer. What runs mends its own index. */
  readonly callAlways: <Args extends unknown[], Answer>(
    wanted: readonly Argument[],
    run: Run<Args, Answer>,
    otherwise: () => Answer,
  ) => (...args: Args) => Promise<Answer>;
  /** For what is answered without waiting. */
  readonly callNow: <Args extends unknown[], Answer>(
    run: (place: Place, ...args: Args) => Answer,
    wanted?: readonly Argument[],
  ) => (...args: Args) => Answer;
}

/**
 * Each call has its arguments checked, stands at a place of its own, finds done what the call before it left to do, is
 * begun anew over a damaged index, and tells what the file system refuses as a HeedError with a remedy.
 */
export function callerOf(workspace: Workspace, afterwards: DeferredWork): Caller {
  const begin = (wanted: readonly Argument[], args: readonly unknown[]): Place => {
    requireArguments(wanted, args);
    afterwards.finish();
    return new Place(workspace);
  };
  const call =
    (wanted: readonly Argument[], run: Run<unknown[], unknown>) =>
    async (...args: unknown[]): Promise<unknown> => {
      try {
        return await withSoundIndex(begin(wanted, args), (place) => run(place, ...args));
      } catch (error) {
        throw asRefusal(error);
      } finally {
        logNewerFiles(workspace);
      }
    };
  return {
    calls: <Group>(wanted: ArgumentsOf<Group>, runs: RunsOf<Group>) =>
      Object.fromEntries(
        Object.entries<Run<unknown[], unknown>>(runs).map(([name, run]) => [
          name,
          call((wanted as Record<string, readonly Argument[]>)[name] ?? [], run),
        ]),
      ) as Group,
    callAlways:
      (wanted, run, otherwise) =>
      async (...args) => {
        try {
          return await run(begin(wanted, args), ...args);
        } catch (error) {
          logTrouble("call", error, workspace.env);
          return otherwise();
        } finally {
          logNewerFiles(workspace);
        }
      },
    callNow:
      (run, wanted = []) =>
      (...args) => {
        try {
          requireArguments(wanted, args);
          return run(new Place(workspace), ...args);
        } catch (error) {
          throw asRefusal(error);
        }
      },
  };
}

/** @throws HeedError `invalid-input`. */
export function requireArguments(wanted: readonly Argument[], given: readonly unknown[]): void {
  const complaint = withoutThrowing(() => complaintAbout(wanted, given));
  if (!complaint) return;
  const { at, is, give } = complaint;
  // Whoever types a command knows what it asks for, and not the object in which it is handed over.
  const name = at.replace(/^(?:request|options)\./, "");
  throw new HeedError("invalid-input", `${name} is ${is}: give ${give}`, { argument: name, value: is });
}

/** An argument can be an object that throws when it is looked at. */
function withoutThrowing(look: () => ReturnType<typeof complaintAbout>): ReturnType<typeof complaintAbout> {
  try {
    return look();
  } catch {
    return { at: "an argument", is: "an object that cannot be read", give: "a plain object" };
  }
}

/** What is neither a refusal of heed's nor of the file system's is a fault of heed's own, and stays what it is. */
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
