import { readdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { listDatabaseSessions } from "./read-session.ts";
import { type Environment, homeOf } from "../../machine/places.ts";
import { compare } from "../../machine/read-fields.ts";
import { readOrEmpty, statIfThere } from "../../machine/regular-file.ts";

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
  const data = env["XDG_DATA_HOME"] || join(homeOf(env), ".local", "share");
  const files = ["opencode", "kilo"].map((name) => join(data, name, `${name}.db`));
  return files.filter((file) => statIfThere(file)?.isFile() === true);
}

/** Those of all clients on this machine, the newest first. */
export function findTranscripts(env: Environment): OldTranscript[] {
  const inFolders = transcriptFolders(env).flatMap(([folder, transcripts]) =>
    filesBelow(folder).flatMap((file): OldTranscript[] => {
      const stats = transcripts.test(file) ? statIfThere(file) : undefined;
      return stats?.isFile() && stats.size > 0
        ? [{ file, session: sessionOf(file), mtimeMs: stats.mtimeMs }]
        : [];
    }),
  );
  const inDatabases = databases(env).flatMap((file) =>
    listDatabaseSessions(file).map(({ session, mtimeMs }) => ({
      file: `${file}#${session}`,
      session,
      mtimeMs,
    })),
  );
  return [...inFolders, ...inDatabases].sort((a, b) => b.mtimeMs - a.mtimeMs || compare(a.file, b.file));
}

function filesBelow(folder: string, depth = 0): string[] {
  if (depth > MAX_DEPTH) return [];
  try {
    return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
      const inner = join(folder, entry.name);
      if (entry.isDirectory()) return filesBelow(inner, depth + 1);
      return entry.isFile() ? [inner] : [];
    });
  } catch {
    return [];
  }
}

/** By the file's name; Copilot's by its folder's; Gemini CLI's by the head of the file, as its hooks say it. */
function sessionOf(file: string): string {
  const name = basename(file).replace(/\.jsonl$/, "");
  if (/[\\/]chats[\\/]session-[^\\/]*$/.test(file)) {
    const head = readOrEmpty(file, { maxBytes: 2048, part: "beginning" });
    return /"sessionId"\s*:\s*"([\w-]{8,80})"/.exec(head)?.[1] ?? name.toLowerCase();
  }
  if (name === "events") return basename(dirname(file));
  return (
    /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/.exec(name)?.[0] ?? name.toLowerCase()
  );
}
