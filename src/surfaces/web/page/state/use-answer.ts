import { useEffect, useRef, useState } from "preact/hooks";
import type { WatchedPart } from "../../../../heed.ts";
import { CallError } from "./call.ts";
import { versions } from "./live.ts";

/** What was asked for, as far as it is there. */
export interface Answer<T> {
  value: T | undefined;
  error: CallError | undefined;
  isLoading: boolean;
}

/**
 * Asks, and asks again when `keys` or one of the parts change. What was there stays shown meanwhile, unless it was an
 * answer about something else (`keys`).
 */
export function useAnswer<T>(
  ask: () => Promise<T>,
  keys: readonly unknown[],
  parts: readonly WatchedPart[] = [],
): Answer<T> {
  const about = JSON.stringify(keys);
  const seen = parts.map((part) => versions[part].value).join();
  const [state, setState] = useState<Answer<T> & { about: string }>({
    value: undefined,
    error: undefined,
    isLoading: true,
    about,
  });
  const latest = useRef(0);
  useEffect(() => {
    const turn = ++latest.current;
    setState((before) => ({
      ...(before.about === about ? before : { value: undefined, error: undefined }),
      isLoading: true,
      about,
    }));
    ask().then(
      (value) => turn === latest.current && setState({ value, error: undefined, isLoading: false, about }),
      (error: unknown) =>
        turn === latest.current &&
        setState((before) => ({ ...before, error: asCallError(error), isLoading: false, about })),
    );
    return () => {
      latest.current += 1;
    };
  }, [about, seen]);
  return state.about === about ? state : { value: undefined, error: undefined, isLoading: true };
}

/** Any error as one that can be shown. */
export function asCallError(error: unknown): CallError {
  return error instanceof CallError ? error : new CallError("bug", String(error));
}
