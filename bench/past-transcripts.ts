import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** A call of the shell in a generated session. */
export interface ShellCall {
  command: string;
  hasFailed?: boolean;
}

interface GeneratedSession {
  session: string;
  cwd: string;
  /** When it begins; each call takes two seconds. */
  startMs: number;
  /** The user's turns, each with the calls that answered it. */
  turns: readonly { said: string; calls: readonly ShellCall[] }[];
}

interface Call {
  id: string;
  command: string;
  hasFailed: boolean;
  output: string;
  /** The output as clients show it that tell the exit code there. */
  withExit: string;
}

/** How a client keeps a session: its file below the home directory, and its records. */
interface TranscriptWriter {
  path(session: string): string;
  head?(session: GeneratedSession, timestamp: string): object;
  user(said: string, timestamp: string, session: GeneratedSession): object;
  call(call: Call, timestamp: string, session: GeneratedSession): object[];
}

const OUTPUT = "output line of a command\n".repeat(8);

const claudeRecord = (
  role: string,
  content: unknown,
  timestamp: string,
  { session, cwd }: GeneratedSession,
): object => ({
  type: role,
  sessionId: session,
  uuid: `${role} ${timestamp}`,
  cwd,
  gitBranch: "main",
  version: "2.1.330",
  timestamp,
  message: { role, content },
});

const codexItem = (payload: object, timestamp: string): object => ({
  timestamp,
  type: "response_item",
  payload,
});

const qwenRecord = (
  type: string,
  part: object,
  timestamp: string,
  { session, cwd }: GeneratedSession,
): object => ({
  uuid: `${type} ${timestamp}`,
  sessionId: session,
  timestamp,
  cwd,
  gitBranch: "main",
  type,
  provenance: type,
  message: { parts: [part] },
});

/** Five clients. */
export const TRANSCRIPT_WRITERS: Readonly<Record<string, TranscriptWriter>> = {
  "claude-code": {
    path: (session) => `.claude/projects/p/${session}.jsonl`,
    user: (said, timestamp, session) => claudeRecord("user", said, timestamp, session),
    call: ({ id, command, output, hasFailed }, timestamp, session) => [
      claudeRecord(
        "assistant",
        [{ type: "tool_use", id, name: "Bash", input: { command } }],
        timestamp,
        session,
      ),
      claudeRecord(
        "user",
        [{ type: "tool_result", tool_use_id: id, content: output, is_error: hasFailed }],
        timestamp,
        session,
      ),
    ],
  },
  codex: {
    path: (session) => `.codex/sessions/2026/rollout-${session}.jsonl`,
    head: ({ session: id, cwd }, timestamp) => ({ timestamp, type: "session_meta", payload: { id, cwd } }),
    user: (message, timestamp) => ({
      timestamp,
      type: "event_msg",
      payload: { type: "user_message", message },
    }),
    call({ id, command, output, hasFailed }, timestamp) {
      const given = JSON.stringify({ command: ["bash", "-lc", command] });
      const said = JSON.stringify({ output, metadata: { exit_code: Number(hasFailed) } });
      return [
        codexItem({ type: "function_call", name: "shell", call_id: id, arguments: given }, timestamp),
        codexItem({ type: "function_call_output", call_id: id, output: said }, timestamp),
      ];
    },
  },
  "gemini-cli": {
    path: (session) => `.gemini/tmp/p/chats/session-${session}.jsonl`,
    head: ({ session: sessionId }) => ({ sessionId, projectHash: "p", kind: "main" }),
    user: (content, timestamp) => ({ id: timestamp, type: "user", content, timestamp }),
    call({ id, command, withExit: output }, timestamp) {
      const result = [{ functionResponse: { response: { output } } }];
      const call = { id, name: "run_shell_command", args: { command }, timestamp, status: "success", result };
      return [{ id, type: "gemini", content: "", timestamp, toolCalls: [call] }];
    },
  },
  "copilot-cli": {
    path: (session) => `.copilot/session-state/${session}/events.jsonl`,
    head: ({ session: sessionId, cwd }, timestamp) => ({
      type: "session.start",
      timestamp,
      data: { sessionId, context: { cwd, branch: "main" } },
    }),
    user: (content, timestamp) => ({ type: "user.message", timestamp, data: { content } }),
    call({ id, command, output, hasFailed }, timestamp) {
      const request = { toolCallId: id, name: "bash", arguments: { command } };
      const result = { toolCallId: id, success: !hasFailed, result: { content: output } };
      return [
        { type: "assistant.message", timestamp, data: { content: "", toolRequests: [request] } },
        { type: "tool.execution_complete", timestamp, data: result },
      ];
    },
  },
  qwen: {
    path: (session) => `.qwen/projects/p/chats/${session}.jsonl`,
    user: (text, timestamp, session) => qwenRecord("user", { text }, timestamp, session),
    call({ id, command, withExit: output }, timestamp, session) {
      const functionCall = { id, name: "run_shell_command", args: { command } };
      const functionResponse = { id, response: { output } };
      return [
        qwenRecord("assistant", { functionCall }, timestamp, session),
        qwenRecord("tool_result", { functionResponse }, timestamp, session),
      ];
    },
  },
};

/** Writes a session as a client would have kept it. Returns the file. */
export function writeTranscript(home: string, client: string, session: GeneratedSession): string {
  const writer = TRANSCRIPT_WRITERS[client]!;
  let at = session.startMs;
  let count = 0;
  const next = (): string => new Date((at += 2000)).toISOString();
  const records = session.turns.flatMap(({ said, calls }) => [
    writer.user(said, next(), session),
    ...calls.flatMap(({ command, hasFailed = false }) => {
      const output = hasFailed ? `${OUTPUT}error` : OUTPUT;
      const withExit = `${output}\nExit Code: ${Number(hasFailed)}`;
      const id = `call_${session.session}_${(count += 1)}`;
      return writer.call({ id, command, hasFailed, output, withExit }, next(), session);
    }),
  ]);
  if (writer.head) records.unshift(writer.head(session, new Date(session.startMs).toISOString()));
  const file = join(home, writer.path(session.session));
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, records.map((record) => `${JSON.stringify(record)}\n`).join(""));
  if (client === "gemini-cli") writeFileSync(join(dirname(dirname(file)), ".project_root"), session.cwd);
  return file;
}
