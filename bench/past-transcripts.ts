import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** A call of the shell in a generated session. */
export interface ShellCall {
  command: string;
  hasFailed?: boolean;
}

/** A session, as a client leaves it. */
interface GeneratedSession {
  session: string;
  cwd: string;
  /** When it begins; each call takes two seconds. */
  startMs: number;
  /** The user's turns, each with the calls that answered it. */
  turns: readonly { said: string; calls: readonly ShellCall[] }[];
}

type Write = (session: GeneratedSession) => { path: string; records: object[] };

const OUTPUT = "output line of a command\n".repeat(8);

/** Goes through a session in order; each step has its time. */
function steps<T>(
  { turns, startMs, session }: GeneratedSession,
  user: (said: string, time: string) => T[],
  call: (one: ShellCall & { id: string; output: string }, time: string) => T[],
): T[] {
  let at = startMs;
  let count = 0;
  const next = (): string => new Date((at += 2000)).toISOString();
  return turns.flatMap(({ said, calls }) => [
    ...user(said, next()),
    ...calls.flatMap((one) => {
      const output = one.hasFailed === true ? `${OUTPUT}error` : OUTPUT;
      return call({ ...one, id: `call_${session}_${(count += 1)}`, output }, next());
    }),
  ]);
}

/** How five clients keep a session, below the home directory. */
export const TRANSCRIPT_WRITERS: Readonly<Record<string, Write>> = {
  "claude-code": (given) => {
    const { session, cwd } = given;
    let count = 0;
    const record = (role: string, content: unknown, timestamp: string): object => ({
      type: role,
      sessionId: session,
      uuid: `u${(count += 1)}`,
      cwd,
      gitBranch: "main",
      version: "2.1.330",
      timestamp,
      message: { role, content },
    });
    return {
      path: `.claude/projects/p/${session}.jsonl`,
      records: steps(
        given,
        (said, time) => [record("user", said, time)],
        ({ id, command, output, hasFailed }, time) => [
          record("assistant", [{ type: "tool_use", id, name: "Bash", input: { command } }], time),
          record(
            "user",
            [{ type: "tool_result", tool_use_id: id, content: output, is_error: hasFailed === true }],
            time,
          ),
        ],
      ),
    };
  },
  codex: (given) => {
    const record = (type: string, payload: object, timestamp: string): object => ({
      timestamp,
      type,
      payload,
    });
    return {
      path: `.codex/sessions/2026/rollout-${given.session}.jsonl`,
      records: [
        record("session_meta", { id: given.session, cwd: given.cwd }, new Date(given.startMs).toISOString()),
        ...steps(
          given,
          (message, time) => [record("event_msg", { type: "user_message", message }, time)],
          ({ id, command, output, hasFailed }, time) => [
            record(
              "response_item",
              {
                type: "function_call",
                name: "shell",
                call_id: id,
                arguments: JSON.stringify({ command: ["bash", "-lc", command] }),
              },
              time,
            ),
            record(
              "response_item",
              {
                type: "function_call_output",
                call_id: id,
                output: JSON.stringify({ output, metadata: { exit_code: hasFailed === true ? 1 : 0 } }),
              },
              time,
            ),
          ],
        ),
      ],
    };
  },
  "gemini-cli": (given) => ({
    path: `.gemini/tmp/p/chats/session-${given.session}.jsonl`,
    records: [
      { sessionId: given.session, projectHash: "p", kind: "main" },
      ...steps(
        given,
        (content, timestamp) => [{ id: timestamp, type: "user", content, timestamp }],
        ({ id, command, output, hasFailed }, timestamp) => [
          {
            id,
            type: "gemini",
            content: "",
            timestamp,
            toolCalls: [
              {
                id,
                name: "run_shell_command",
                args: { command },
                timestamp,
                status: "success",
                result: [
                  {
                    functionResponse: {
                      response: { output: `${output}\nExit Code: ${hasFailed === true ? 1 : 0}` },
                    },
                  },
                ],
              },
            ],
          },
        ],
      ),
    ],
  }),
  "copilot-cli": (given) => ({
    path: `.copilot/session-state/${given.session}/events.jsonl`,
    records: [
      {
        type: "session.start",
        timestamp: new Date(given.startMs).toISOString(),
        data: { sessionId: given.session, context: { cwd: given.cwd, branch: "main" } },
      },
      ...steps<object>(
        given,
        (content, timestamp) => [{ type: "user.message", timestamp, data: { content } }],
        ({ id, command, output, hasFailed }, timestamp) => [
          {
            type: "assistant.message",
            timestamp,
            data: { content: "", toolRequests: [{ toolCallId: id, name: "bash", arguments: { command } }] },
          },
          {
            type: "tool.execution_complete",
            timestamp,
            data: { toolCallId: id, success: hasFailed !== true, result: { content: output } },
          },
        ],
      ),
    ],
  }),
  qwen: (given) => {
    const record = (type: string, provenance: string, part: object, timestamp: string): object => ({
      uuid: timestamp,
      sessionId: given.session,
      timestamp,
      cwd: given.cwd,
      gitBranch: "main",
      type,
      provenance,
      message: { parts: [part] },
    });
    return {
      path: `.qwen/projects/p/chats/${given.session}.jsonl`,
      records: steps(
        given,
        (said, time) => [record("user", "real_user", { text: said }, time)],
        ({ id, command, output, hasFailed }, time) => [
          record(
            "assistant",
            "assistant_output",
            { functionCall: { id, name: "run_shell_command", args: { command } } },
            time,
          ),
          record(
            "tool_result",
            "tool_result",
            {
              functionResponse: {
                id,
                response: { output: `${output}\nExit Code: ${hasFailed === true ? 1 : 0}` },
              },
            },
            time,
          ),
        ],
      ),
    };
  },
};

/** Writes a session as a client would have kept it. Returns the file. */
export function writeTranscript(home: string, client: string, session: GeneratedSession): string {
  const { path, records } = TRANSCRIPT_WRITERS[client]!(session);
  const file = join(home, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, records.map((record) => `${JSON.stringify(record)}\n`).join(""));
  if (client === "gemini-cli") writeFileSync(join(dirname(dirname(file)), ".project_root"), session.cwd);
  return file;
}
