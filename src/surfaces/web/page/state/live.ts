import { signal, effect } from "@preact/signals";
import type { MemorySummary, WatchedPart, Overview } from "../../../../heed.ts";
import { address } from "./address.ts";
import { ended, request, call, CallError } from "./call.ts";
import { useEffect, useRef, useState } from "preact/hooks";

/** How often each part has changed since the page was opened: what is read again when it rises. */
export const versions = {
  memories: signal(0),
  inbox: signal(0),
  injected: signal(0),
  settings: signal(0),
} satisfies Record<WatchedPart, unknown>;

/** Whether changes appear by themselves now; undefined while the page has not begun to listen, or is not looked at. */
export const isLive = signal<boolean | undefined>(undefined);

const RETRY_MS = 1_000;
const MAX_RETRIES = 5;
/** A hidden page lets the server go idle after this time. */
const HIDDEN_MS = 10 * 60_000;

/** Has everything read again that shows a part. */
export function touch(...parts: readonly WatchedPart[]): void {
  for (const part of parts) versions[part].value += 1;
}

/** Listens to what changes, whoever changes it, for as long as the page is seen. */
export async function listen(): Promise<void> {
  let failures = 0;
  let hasListened = false;
  while (ended.value === undefined && failures <= MAX_RETRIES) {
    const abort = new AbortController();
    const stopWatching = whenLongHidden(() => abort.abort());
    try {
      const response = await request("live", [], abort.signal);
      if (response.status === 401) ended.value = "locked";
      if (!response.ok || !response.body) throw new Error(String(response.status));
      // What changed while nobody listened.
      if (hasListened) touch("memories", "inbox", "injected", "settings");
      [isLive.value, hasListened, failures] = [true, true, 0];
      await readEvents(response.body, (changed) => touch(...changed));
    } catch {
      failures += abort.signal.aborted ? 0 : 1;
    }
    stopWatching();
    isLive.value = abort.signal.aborted ? undefined : false;
    if (abort.signal.aborted) await whenSeen();
    else await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  }
  ended.value ??= "gone";
}

async function readEvents(
  body: ReadableStream<Uint8Array>,
  onEvent: (changed: WatchedPart[]) => void,
): Promise<void> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const events = (rest + decoder.decode(value, { stream: true })).split("\n\n");
    rest = events.pop() ?? "";
    for (const event of events)
      if (event.startsWith("data: ")) onEvent(JSON.parse(event.slice(6)) as WatchedPart[]);
  }
}

function whenLongHidden(then: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const look = (): void => {
    clearTimeout(timer);
    if (document.hidden) timer = setTimeout(then, HIDDEN_MS);
  };
  document.addEventListener("visibilitychange", look);
  look();
  return () => {
    clearTimeout(timer);
    document.removeEventListener("visibilitychange", look);
  };
}

function whenSeen(): Promise<void> {
  return new Promise((resolve) => {
    const look = (): void => {
      if (document.hidden) return;
      document.removeEventListener("visibilitychange", look);
      resolve();
    };
    document.addEventListener("visibilitychange", look);
    look();
  });
}

/** How many memories there are and wait, the mode, and the repository: what several parts of the page tell. */
export const overview = signal<Overview | undefined>(undefined);

/** Every memory that applies here: what it says, what is known against it, how often it was injected. */
export const memories = signal<Answer<MemorySummary[]>>({});

/** Keeps both up to date. */
export function keepOverview(): void {
  let latest = 0;
  effect(() => {
    // Read, so that it is asked again when one of them rises.
    void [versions.inbox.value, versions.settings.value, versions.memories.value];
    call("memories.overview").then(
      (value) => (overview.value = value),
      () => {},
    );
  });
  effect(() => {
    // How often each was injected is in the table alone.
    void [versions.memories.value, address.value.screen === "memories" && versions.injected.value];
    const turn = ++latest;
    call("memories.summaries", {}).then(
      (value) => turn === latest && (memories.value = { value }),
      (error: unknown) => (memories.value = { ...memories.value, error: asCallError(error) }),
    );
  });
}

/** What was asked for, as far as it is there. */
export interface Answer<T> {
  value?: T;
  error?: CallError;
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
  const [state, setState] = useState<Answer<T> & { about: string }>({ about });
  const latest = useRef(0);
  useEffect(() => {
    const turn = ++latest.current;
    setState((before) => (before.about === about ? before : { about }));
    ask().then(
      (value) => turn === latest.current && setState({ value, about }),
      (error: unknown) =>
        turn === latest.current && setState((before) => ({ ...before, error: asCallError(error), about })),
    );
    return () => {
      latest.current += 1;
    };
  }, [about, seen]);
  return state.about === about ? state : {};
}

/** Any error as one that can be shown. */
export function asCallError(error: unknown): CallError {
  return error instanceof CallError ? error : new CallError("bug", String(error));
}
