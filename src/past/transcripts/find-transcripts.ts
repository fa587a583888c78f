import { readdirSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { listDatabaseSessions } from "./read-session.ts";
import { type Environment, homeOf } from "../../machine/places.ts";
import { readOrEmpty } from "../../machine/regular-file.ts";

export interface OldTranscript {
  file: string;
  /** The session's id, as far as the file's name tells it. */
  session: string;
  mtimeMs: number;
}

const MAX_DEPTH = 6;

function transcriptFolders(env: Environment): [folder: string, transcripts: RegExp][] {
  const home = homeOf(env);
  const codex = env["CODEX_HOME"] || join(home, ".codex");
  return [
    // Those of subagents are read with their session.
    [
      join(env["CLAUDE_CONFIG_DIR"] || join(home, ".claude"), "projects"),
      /^(?![^]*[\\/](?:subagents[\\/]|agent-[^\\/]*$))[^]*\.jsonl$/,
    ],
    [join(codex, "sessions"), /\.jsonl$/],
    [join(codex, "archived_sessions"), /\.jsonl$/],
    [join(home, ".gemini", "tmp"), /[\\/]chats[\\/][^\\/]+\.jsonl$/],
    [join(home, ".copilot", "session-state"), /[\\/]events\.jsonl$/],
    [join(home, ".qwen", "projects"), /[\\/]chats[\\/][^\\/]+\.jsonl$/],
  ];
}

function databases(env: Environment): string[] {
  const home = homeOf(env);
  const data = env["XDG_DATA_HOME"] || join(home, ".local", "share");
  return ["opencode", "kilo"]
    .map((name) => join(data, name, `${name}.db`))
    .filter((file) => statSync(file, { throwIfNoEntry: false })?.isFile() === true);
}

export function findTranscripts(env: Environment): OldTranscript[] {
  const found = new Map<string, OldTranscript>();
  for (const [folder, transcripts] of transcriptFolders(env)) {
    for (const file of filesBelow(folder, 0)) {
      const stats = transcripts.test(file) ? statSync(file, { throwIfNoEntry: false }) : undefined;
      if (!stats?.isFile() || stats.size === 0) continue;
      found.set(file, { file, session: sessionOf(file), mtimeMs: stats.mtimeMs });
    }
  }
  for (const file of databases(env)) {
    for (const { session, mtimeMs } of listDatabaseSessions(file)) {
      const path = `${file}#${session}`;
      found.set(path, { file: path, session, mtimeMs });
    }
  }
  return [...found.values()].sort((a, b) => b.mtimeMs - a.mtimeMs || (a.file < b.file ? -1 : 1));
}

function filesBelow(path: string, depth: number): string[] {
  if (depth > MAX_DEPTH) return [];
  if (statSync(path, { throwIfNoEntry: false })?.isFile()) return [path];
  try {
    return readdirSync(path, { withFileTypes: true }).flatMap((entry) => {
      const inner = join(path, entry.name);
      if (entry.isDirectory()) return filesBelow(inner, depth + 1);
      return entry.isFile() ? [inner] : [];
    });
  } catch {
    return [];
  }
}

const HEAD_BYTES = 2048;

function sessionInHead(file: string): string | undefined {
  const head = readOrEmpty(file, { maxBytes: HEAD_BYTES, part: "beginning" });
  return /"sessionId"\s*:\s*"([\w-]{8,80})"/.exec(head)?.[1];
}

/** By the file's name; Copilot's by its folder's; Gemini CLI's by the head of the file, as its hooks say it. */
function sessionOf(file: string): string {
  const name = basename(file).replace(/\.jsonl$/, "");
  if (/[\\/]chats[\\/]session-[^\\/]*$/.test(file)) return sessionInHead(file) ?? name.toLowerCase();
  if (name === "events") return basename(dirname(file));
  return (
    /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/.exec(name)?.[0] ?? name.toLowerCase()
  );
}
