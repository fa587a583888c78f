import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { SecretSample } from "./secret-samples.ts";

/** A session in which somebody pastes secrets and commands print them, from its start to its capture. */
export function* sessionOf(
  home: string,
  cwd: string,
  kinds: readonly SecretSample[],
  heed: (args: string[], input?: string) => string,
): Generator<[what: string, answer: string]> {
  // Where Claude Code keeps it, so that history finds it.
  const transcript = join(home, ".claude", "projects", cwd.replaceAll(/[^A-Za-z0-9]/g, "-"), "s1.jsonl");
  mkdirSync(dirname(transcript), { recursive: true });
  const base = { session_id: "s1", cwd, transcript_path: transcript };
  const hook = (event: Record<string, unknown>): string =>
    heed(["hook"], JSON.stringify({ ...base, ...event }));
  yield ["SessionStart", hook({ hook_event_name: "SessionStart", source: "startup" })];
  const records: object[] = [];
  for (const [i, { text }] of kinds.entries()) {
    const prompt = `remember that for the deploy to staging, ${text}`;
    if (i % 10 === 0) yield ["UserPromptSubmit", hook({ hook_event_name: "UserPromptSubmit", prompt })];
    const common = {
      sessionId: "s1",
      cwd,
      version: "2.1.330",
      timestamp: new Date(1.79e12 + i * 1000).toISOString(),
    };
    const id = `t${i}`;
    const tool = { type: "tool_use", id, name: "Bash", input: { command: `deploy --with ${text}` } };
    records.push(
      { ...common, uuid: `u${i}`, type: "user", message: { role: "user", content: prompt } },
      {
        ...common,
        uuid: `a${i}`,
        type: "assistant",
        message: { role: "assistant", content: [{ type: "text", text }, tool] },
      },
      {
        ...common,
        uuid: `r${i}`,
        type: "user",
        message: {
          role: "user",
          content: [{ type: "tool_result", tool_use_id: id, is_error: true, content: `error: ${text}` }],
        },
      },
    );
  }
  writeFileSync(transcript, `${records.map((record) => JSON.stringify(record)).join("\n")}\n`);
  yield ["SessionEnd", hook({ hook_event_name: "SessionEnd", reason: "exit" })];
  yield ["heed capture", heed(["capture", "--json"])];
  for (const line of [
    "inbox",
    "list",
    "history deploy staging",
    "history --session s1",
    "export --format json",
  ])
    for (const more of [[], ["--json"]]) yield [`heed ${line}`, heed([...line.split(" "), ...more])];
  yield ["SessionStart", hook({ hook_event_name: "SessionStart", source: "startup", session_id: "s2" })];
}
