import { asRecord } from "../../machine/read-fields.ts";
import type { ModelAnswer } from "./model.ts";

/** No answer is longer; a provider's envelope around it is a few kilobytes. */
const MAX_BODY_BYTES = 256 * 1024;

type Failed = Extract<ModelAnswer, { kind: "failed" }>;

/** The JSON object that came back, or why none did. */
export type PostAnswer = { kind: "answered"; value: Record<string, unknown> } | Failed;

/**
 * Posts JSON and reads a JSON object back, all within the deadline. Follows no redirect: the key would travel
 * along. Never rejects; messages repeat nothing of the answer.
 */
export async function postJson(
  url: string,
  headers: Readonly<Record<string, string>>,
  body: unknown,
  deadlineMs: number,
  signal?: AbortSignal,
): Promise<PostAnswer> {
  const late = AbortSignal.timeout(deadlineMs);
  try {
    const response = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json", accept: "application/json", ...headers },
      body: JSON.stringify(body),
      redirect: "manual",
      signal: signal ? AbortSignal.any([late, signal]) : late,
    });
    if (!response.ok) {
      await response.body?.cancel();
      return failed("refused", `HTTP ${response.status}${HINTS[response.status] ?? ""}`);
    }
    const text = await readBounded(response);
    if (text === undefined) return failed("oversized", `an answer of more than ${MAX_BODY_BYTES} bytes`);
    const value = parseObject(text);
    return value === undefined
      ? failed("nonsense", "the answer is no JSON object")
      : { kind: "answered", value };
  } catch (error) {
    if (late.aborted) return failed("timeout", `no answer within ${deadlineMs} ms`);
    if (signal?.aborted === true) return failed("timeout", "ended before it answered");
    return failed("unreachable", `no connection (${codeOf(error)})`);
  }
}

const HINTS: Readonly<Record<number, string>> = {
  301: ", a redirect: name the address that it leads to",
  302: ", a redirect: name the address that it leads to",
  307: ", a redirect: name the address that it leads to",
  308: ", a redirect: name the address that it leads to",
  401: ": the key is missing or wrong",
  403: ": the key may not do this",
  404: ": no such model or address",
  429: ": too many calls, or no credit",
  529: ": overloaded",
};

/** Why there is no answer. */
export function failed(failure: Failed["failure"], message: string): Failed {
  return { kind: "failed", failure, message };
}

async function readBounded(response: Response): Promise<string | undefined> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    size += chunk.length;
    // Leaving the loop cancels the body, and with it the connection.
    if (size > MAX_BODY_BYTES) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    return asRecord(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** `ECONNREFUSED` and the like: fetch hides it in the cause. */
function codeOf(error: unknown): string {
  const { code } = ((error as Error).cause ?? error) as { code?: unknown };
  return typeof code === "string" && /^[A-Z][A-Z0-9_]{1,40}$/.test(code) ? code : "the connection broke";
}
