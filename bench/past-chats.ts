import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** A message of a chat. */
export interface Message {
  role: "user" | "assistant";
  text: string;
}

const DAY_MS = 86_400_000;
const FIRST_DAY_MS = Date.parse("2026-06-01T10:00:00Z");

/** The session of the chat at a place of those written into a home. */
export function sessionOf(place: number): string {
  return `00000000-0000-4000-8000-${String(place).padStart(12, "0")}`;
}

/** Writes chats as Claude Code keeps them: one a day, in the order given. */
export function writeChats(home: string, cwd: string, chats: readonly (readonly Message[])[]): void {
  for (const [place, chat] of chats.entries()) {
    const sessionId = sessionOf(place);
    const file = join(home, ".claude/projects/bench", `${sessionId}.jsonl`);
    mkdirSync(dirname(file), { recursive: true });
    const lines = chat.map(({ role, text }, i) =>
      JSON.stringify({
        type: role,
        uuid: `${sessionId}-${i}`,
        sessionId,
        cwd,
        version: "2.1.330",
        timestamp: new Date(FIRST_DAY_MS + place * DAY_MS + i * 60_000).toISOString(),
        message: { role, content: role === "user" ? text : [{ type: "text", text }] },
      }),
    );
    writeFileSync(file, `${lines.join("\n")}\n`);
  }
}
