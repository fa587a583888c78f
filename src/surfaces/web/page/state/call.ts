import { signal } from "@preact/signals";
import type { Actor, Heed } from "../../../../heed.ts";

const STORAGE = "heed-key";
/** How long a new tab waits for another one to hand it the key, in milliseconds. */
const HANDOVER_MS = 400;

let key: string | undefined;

/**
 * Finds the key: for the ticket of the address, which is taken out of it; from before, for a page that was reloaded; or
 * from another tab of the same page. Undefined when there is none.
 */
export async function enter(): Promise<string | undefined> {
  const ticket = /^#ticket=([\w-]+)$/.exec(location.hash)?.[1];
  if (ticket !== undefined) {
    // Out of the address and of the history at once, used or not.
    history.replaceState(null, "", "/#/now");
    const response = await fetch("/api/enter", {
      method: "POST",
      headers: { "content-type": "application/json", "x-heed-key": ticket },
      body: "[]",
    }).catch(() => undefined);
    if (response?.ok === true) key = ((await response.json()) as { answer: string }).answer;
  }
  // For this tab and this origin alone; the key dies with the server.
  key ??= sessionStorage.getItem(STORAGE) ?? (await askOtherTabs());
  if (key === undefined) return undefined;
  sessionStorage.setItem(STORAGE, key);
  answerOtherTabs();
  return key;
}

function askOtherTabs(): Promise<string | undefined> {
  return new Promise((resolve) => {
    const channel = new BroadcastChannel(STORAGE);
    const done = (found?: string): void => {
      channel.close();
      resolve(found);
    };
    channel.addEventListener("message", ({ data }: MessageEvent<{ key?: string }>) => {
      if (data.key !== undefined) done(data.key);
    });
    channel.postMessage({ asks: true });
    setTimeout(done, HANDOVER_MS);
  });
}

function answerOtherTabs(): void {
  const channel = new BroadcastChannel(STORAGE);
  channel.addEventListener("message", ({ data }: MessageEvent<{ asks?: boolean }>) => {
    if (data.asks === true && key !== undefined) channel.postMessage({ key });
  });
}

type Method = (...args: never[]) => unknown;
/** What may be called, by its path; that the page may call it is checked by the server. */
type Path = {
  [Group in keyof Heed]: {
    [Name in keyof Heed[Group] & string]: Heed[Group][Name] extends Method ? `${Group}.${Name}` : never;
  }[keyof Heed[Group] & string];
}[keyof Heed];
type MethodOf<Name extends Path> = Name extends `${infer Group extends keyof Heed}.${infer Last}`
  ? Extract<Heed[Group][Last & keyof Heed[Group]], Method>
  : never;
/** What the page gives: what the method takes, without who acts or reads; and the hash that was seen, where it takes none. */
type WithoutActor<Args extends unknown[]> = Required<Args> extends [...infer Rest, Actor] ? Rest : Args;
type ArgumentsOf<Name extends Path> = Name extends "memories.remove" | "memories.rename"
  ? [...WithoutActor<Parameters<MethodOf<Name>>>, ifHash: string]
  : WithoutActor<Parameters<MethodOf<Name>>>;
type AnswerOf<Name extends Path> = Awaited<ReturnType<MethodOf<Name>>>;

/** What heed refused, or why it could not be asked. */
export class CallError extends Error {
  readonly code: string;
  readonly data: Readonly<Record<string, unknown>>;

  constructor(code: string, message: string, data: Record<string, unknown> = {}) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

/** Why the page shows nothing any more; undefined while it works. */
export const ended = signal<"gone" | "locked" | undefined>(undefined);

/** A request to the server of the page, with its key. */
export function request(path: string, args: readonly unknown[], abort?: AbortSignal): Promise<Response> {
  return fetch(`/api/${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-heed-key": key ?? "" },
    body: JSON.stringify(args),
    ...(abort && { signal: abort }),
  });
}

/**
 * A text as it can be shown: signs that turn the direction of what follows would have a name read as another one. The
 * text of a file is left as it is, since it is edited.
 */
function withoutTurns(_key: string, value: unknown): unknown {
  return typeof value === "string" ? value.replace(TURNS, "\ufffd") : value;
}

const TURNS = /[\u202a-\u202e\u2066-\u2069]/g;

/** Calls a method of heed's façade. Rejects with a CallError. */
export async function call<Name extends Path>(
  name: Name,
  ...args: ArgumentsOf<Name>
): Promise<AnswerOf<Name>> {
  let response: Response;
  try {
    response = await request(name, args);
  } catch {
    ended.value = "gone";
    throw new CallError("gone", "heed ui has ended");
  }
  if (response.status === 401) {
    // It opens nothing any more.
    key = undefined;
    sessionStorage.removeItem(STORAGE);
    ended.value = "locked";
    throw new CallError("locked", "this page is of another run of heed ui");
  }
  const isJson = response.headers.get("content-type") === "application/json";
  if (!isJson) throw new CallError("bug", `${response.status}: ${await response.text()}`);
  const reply = JSON.parse(
    await response.text(),
    name === "memories.showFile" ? undefined : withoutTurns,
  ) as {
    answer: AnswerOf<Name>;
    error?: { code: string; message: string; data?: Record<string, unknown> };
  };
  if (reply.error) throw new CallError(reply.error.code, reply.error.message, reply.error.data);
  return reply.answer;
}
