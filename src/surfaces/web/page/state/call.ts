import { useEffect, useState } from "preact/hooks";
import type { Actor, Heed } from "../../../../heed.ts";
import { type Answer, CallError, page, set } from "./page.ts";

/** For this origin, in all tabs; dies with the server. */
const STORAGE = "heed-key";
const GONE =
  "heed ui has ended, so nothing can be changed here any more, and what you see may be out of date. Run heed ui again.";
const LOCKED =
  "This page belongs to another run of heed ui, or its address was used before. Press Enter where heed ui runs, or run it again.";

/** Finds the key: by the ticket of the address, or from an entry before. */
export async function enter(): Promise<void> {
  const ticket = /^#ticket=([\w-]+)$/.exec(location.hash)?.[1];
  if (ticket !== undefined) {
    // Out of address and history at once, used or not.
    history.replaceState(null, "", "/#/now");
    const key = await post<string>("enter", [], ticket).catch(() => undefined);
    if (key !== undefined) localStorage.setItem(STORAGE, key);
  }
  if (localStorage.getItem(STORAGE) === null) set({ ended: LOCKED });
}

type Method = (...args: never[]) => unknown;
/** Methods by their path; which of them the page may call, the server checks. */
type Path = {
  [Group in keyof Heed]: {
    [Name in keyof Heed[Group] & string]: Heed[Group][Name] extends Method ? `${Group}.${Name}` : never;
  }[keyof Heed[Group] & string];
}[keyof Heed];
type MethodOf<Name extends Path> = Name extends `${infer Group extends keyof Heed}.${infer Last}`
  ? Extract<Heed[Group][Last & keyof Heed[Group]], Method>
  : never;
type WithoutActor<Args extends unknown[]> = Required<Args> extends [...infer Rest, Actor] ? Rest : Args;
/** What the method takes, without the actor; with the hash that was seen where the method takes none. */
type ArgumentsOf<Name extends Path> = Name extends "memories.remove" | "memories.rename"
  ? [...WithoutActor<Parameters<MethodOf<Name>>>, ifHash: string]
  : WithoutActor<Parameters<MethodOf<Name>>>;

/** Calls a method of heed's façade. Rejects with a CallError. */
export const call = <Name extends Path>(
  name: Name,
  ...args: ArgumentsOf<Name>
): Promise<Awaited<ReturnType<MethodOf<Name>>>> => post(name, args);

/** Signs that reverse what follows: a name would read as another one. */
const TURNS = /[\u202a-\u202e\u2066-\u2069]/g;

function withoutTurns(_key: string, value: unknown): unknown {
  return typeof value === "string" ? value.replace(TURNS, "\ufffd") : value;
}

async function post<T>(
  path: string,
  args: readonly unknown[],
  key = localStorage.getItem(STORAGE) ?? "",
): Promise<T> {
  let response: Response;
  try {
    response = await fetch(`/api/${path}`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-heed-key": key },
      body: JSON.stringify(args),
    });
  } catch {
    set({ ended: GONE });
    throw new CallError("gone", "heed ui has ended");
  }
  const text = await response.text();
  if (response.status === 401) {
    // A used address still opens a page that has the key.
    if (path !== "enter") {
      localStorage.removeItem(STORAGE);
      set({ ended: LOCKED });
    }
    throw new CallError("locked", "this page is of another run of heed ui");
  }
  if (response.headers.get("content-type") !== "application/json")
    throw new CallError("bug", `${response.status}: ${text}`);
  // The text of a file is edited, so it stays as it is.
  const { answer, error } = JSON.parse(text, path === "memories.showFile" ? undefined : withoutTurns) as {
    answer: T;
    error?: { code: string; message: string; data?: Record<string, unknown> };
  };
  if (error) throw new CallError(error.code, error.message, error.data);
  return answer;
}

/** Asks, and again for other `keys` or another version; a former answer about the same stays shown meanwhile. */
export function useAnswer<T>(
  ask: () => Promise<T>,
  keys: readonly unknown[],
  version: number = page.version,
): Answer<T> {
  const about = JSON.stringify(keys);
  const [state, setState] = useState<Answer<T> & { about?: string }>({});
  useEffect(() => {
    let isLatest = true;
    ask().then(
      (value) => isLatest && setState({ value, about }),
      (error: unknown) =>
        isLatest &&
        setState((before) => ({ ...(before.about === about && before), error: asCallError(error), about })),
    );
    return () => {
      isLatest = false;
    };
  }, [about, version]);
  return state.about === about ? state : {};
}

export function asCallError(error: unknown): CallError {
  return error instanceof CallError ? error : new CallError("bug", String(error));
}
