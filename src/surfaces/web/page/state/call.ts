import { signal } from "@preact/signals";
import type { Actor } from "../../../../heed.ts";
import type { CALLS, Served } from "../../server/calls.ts";
import { currentKey, forgetKey } from "./key.ts";

type Calls = typeof CALLS;
type At<Group, Path extends string> = Path extends `${infer Name}.${infer Rest}`
  ? Name extends keyof Group
    ? At<Group[Name], Rest>
    : never
  : Path extends keyof Group
    ? Group[Path]
    : never;
type MethodOf<Name extends keyof Calls> =
  At<Served, Name> extends infer Method extends (...args: never[]) => unknown ? Method : never;
type WithoutActor<Args extends unknown[]> = Args extends [...infer Rest, Actor] ? Rest : Args;
type WithoutOptions<Args extends unknown[]> = Required<Args> extends [...infer Rest, unknown] ? Rest : Args;
/** What the page gives: what the method takes, without who it is. */
type ArgumentsOf<Name extends keyof Calls> = Calls[Name][1] extends "reader"
  ? WithoutOptions<Parameters<MethodOf<Name>>>
  : Calls[Name][1] extends "actor of what was seen"
    ? [...WithoutActor<Parameters<MethodOf<Name>>>, ifHash: string]
    : WithoutActor<Parameters<MethodOf<Name>>>;
type AnswerOf<Name extends keyof Calls> = Awaited<ReturnType<MethodOf<Name>>>;

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
    headers: { "content-type": "application/json", "x-heed-key": currentKey() ?? "" },
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
export async function call<Name extends keyof Calls>(
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
    forgetKey();
    ended.value = "locked";
    throw new CallError("locked", "this page is of another run of heed ui");
  }
  const isJson = response.headers.get("content-type") === "application/json";
  if (!isJson) throw new CallError("bug", `${response.status}: ${await response.text()}`);
  const told = JSON.parse(await response.text(), name === "memories.showFile" ? undefined : withoutTurns) as {
    answer: AnswerOf<Name>;
    error?: { code: string; message: string; data?: Record<string, unknown> };
  };
  if (told.error) throw new CallError(told.error.code, told.error.message, told.error.data);
  return told.answer;
}
