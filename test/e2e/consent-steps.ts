import { lastUserText } from "./api/messages-body.ts";
import type { ScriptedTurn } from "./api/scripted-turn.ts";
import type { Sandbox } from "./client/sandbox.ts";
import type { SessionRecord } from "./client/session.ts";

/** heed's tool by which a model writes, as the client names it. */
export const WRITE = "mcp__plugin_heed_heed__memory_write";

/** The model writes a rule. */
export function writesRule(statement: string, quote?: string): ScriptedTurn {
  const input = { type: "feedback", statement, ...(quote !== undefined && { quote }) };
  return { toolUse: [{ name: WRITE, input }] };
}

/** The model runs a command. */
export function runs(command: string): ScriptedTurn {
  return { toolUse: [{ name: "Bash", input: { command, description: "try" } }] };
}

/** What came of the tool call before the request at this place. */
export function answerIn(record: SessionRecord, request: number): string {
  const found = record.main[request];
  if (found === undefined) throw new Error(`there are ${record.main.length} requests only`);
  return lastUserText(found.body);
}

/** The statements of the rules that are in force. */
export async function rulesOf(sandbox: Sandbox): Promise<string[]> {
  const { stdout } = await sandbox.heed("list", "--type", "feedback", "--json");
  const { memories } = JSON.parse(stdout) as { memories: { statement: string }[] };
  return memories.map(({ statement }) => statement);
}

/** The statements of what waits for the user. */
export async function waitingIn(sandbox: Sandbox): Promise<string[]> {
  const { stdout } = await sandbox.heed("inbox", "--json");
  const { pending } = JSON.parse(stdout) as { pending: { statement: string }[] };
  return pending.map(({ statement }) => statement);
}

/** The code in "heed yes CODE" or "heed allow CODE", where something was said to wait. */
export function codeIn(text: string, word: "yes" | "allow" = "yes"): string {
  const code = new RegExp(`heed ${word} ([a-z0-9]{5})\\b`).exec(text)?.[1];
  if (code === undefined) throw new Error(`no code is named: ${text.slice(-2000)}`);
  return code;
}
