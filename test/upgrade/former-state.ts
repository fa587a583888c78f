import { execFileSync } from "node:child_process";
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type EventAnswer, type Heed, type NewMemory, accepted, openHeed } from "../../src/heed.ts";
import { initRepository, memoryFile } from "../home/temporary-heed.ts";
import { SessionWriter } from "../past/session-writer.ts";

/** State knows its folders by their paths, so the archive is unpacked where it was made. */
export const FOLDER = "/tmp/heed-former-state";
export const ARCHIVE: string = join(import.meta.dirname, "former-state.tar.gz");

const HOME = join(FOLDER, "home");
const PROJECT = join(FOLDER, "project");
const NOTES = join(FOLDER, "notes");
const USER = { kind: "person" } as const;
const MODEL = { kind: "model", client: "claude-code", session: "s1" } as const;

/** heed over that home, at a time; each call is another process's. */
export function openFormer(now: string): Heed {
  const env = { HOME, PATH: process.env["PATH"], HEED_RECHECK_MS: "5000" };
  return openHeed({ cwd: PROJECT, env, now: () => new Date(now) });
}

/** An event of a session in the project. */
export function tell(heed: Heed, event: Record<string, unknown>, session = "s1"): Promise<EventAnswer> {
  const given = { session, cwd: PROJECT, client: "claude-code", ...event } as never;
  return heed.session.answer(given, { deadlineMs: 15_000 });
}

const LOCK = `${FOLDER}.pid`;

/** Unpacks what a former version left, once no other run has it; returns what removes it. */
export async function unpackFormer(): Promise<() => void> {
  while (!takes()) await sleep(200);
  rmSync(FOLDER, { recursive: true, force: true, maxRetries: 10 });
  mkdirSync(FOLDER, { mode: 0o700 });
  execFileSync("tar", ["-xzf", ARCHIVE, "-C", FOLDER]);
  return () => {
    rmSync(FOLDER, { recursive: true, force: true, maxRetries: 10 });
    rmSync(LOCK);
  };
}

/** Whether the folder is this process's now. One that ended has it no more. */
function takes(): boolean {
  try {
    writeFileSync(LOCK, String(process.pid), { flag: "wx" });
    return true;
  } catch {
    const holder = Number(existsSync(LOCK) ? readFileSync(LOCK, "utf8") : 0);
    if (holder > 0 && !isAlive(holder)) rmSync(LOCK, { force: true });
    return false;
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Makes the archive with the version at hand: `node scripts/run-bundled.mjs test/upgrade/former-state.ts ARCHIVE`. */
export async function main([archive = ARCHIVE]: string[]): Promise<number> {
  rmSync(FOLDER, { recursive: true, force: true, maxRetries: 10 });
  mkdirSync(HOME, { recursive: true, mode: 0o700 });
  initRepository(PROJECT);
  appendFileSync(join(PROJECT, ".git/config"), '[remote "origin"]\n\turl = https://git.example/acme/shop\n');
  write(join(PROJECT, "src/queue.ts"), "export const MAX_BATCH = 5;\n");
  write(
    join(PROJECT, ".heed/feedback/review-first.md"),
    memory("review-first", "feedback", "Ask for a review before merging"),
  );
  write(join(PROJECT, ".heed/config.yaml"), "{}\n");
  write(join(NOTES, "board.md"), memory("board", "reference", "The board is https://board.example/shop"));
  await byThePerson();
  await byTheModel();
  write(
    join(PROJECT, ".heed/feedback/unseen.md"),
    memory("unseen", "feedback", "Delete branches after merging"),
  );
  execFileSync("tar", ["-czf", archive, "-C", FOLDER, "."]);
  return 0;
}

async function byThePerson(): Promise<void> {
  const heed = openFormer("2026-11-20T09:00:00Z");
  await heed.setup.init("user");
  const keep = async (draft: NewMemory): Promise<unknown> => accepted(await heed.memories.write(draft, USER));
  await keep({
    type: "feedback",
    name: "never-skip-hooks",
    statement: "Never skip the hooks of git",
    guard: { command: "git commit", flags: ["--no-verify"] },
  });
  await keep({ type: "feedback", name: "tabs", statement: "Indent with tabs" });
  await heed.memories.update("tabs", { statement: "Indent with two spaces" }, USER);
  await keep({
    type: "project",
    name: "batch",
    statement: "The vendor allows batches of five",
    claims: ["must:path:src/queue.ts::MAX_BATCH=5"],
  });
  await keep({ type: "user", name: "editor", statement: "The user edits in Helix", tags: ["tools"] });
  await keep({
    type: "reference",
    name: "wiki",
    statement: "The wiki is https://wiki.example/old",
    scope: "everywhere",
  });
  await heed.memories.rename("wiki", "handbook", USER);
  await keep({ type: "feedback", name: "use-npm", statement: "Install packages with npm" });
  await keep({
    type: "feedback",
    name: "use-pnpm",
    statement: "Install packages with pnpm, never with npm",
    replaces: "use-npm",
  });
  await keep({ type: "feedback", name: "say-please", statement: "Say please in commit messages" });
  await heed.memories.remove("say-please", { reason: "was a joke" }, USER);
  await heed.setup.init("project");
  const { token } = await heed.setup.reviewTrust();
  await heed.setup.trust({ token });
  await heed.setup.attach(NOTES, {}, USER);
  await heed.close();
}

async function byTheModel(): Promise<void> {
  const heed = openFormer("2026-11-20T10:00:00Z");
  await tell(heed, { kind: "session-start", source: "startup" });
  await tell(heed, { kind: "prompt", prompt: "always squash before merging, reviewers read one diff" });
  accepted(
    await heed.memories.write(
      {
        type: "feedback",
        statement: "Squash commits before merging",
        quote: "always squash before merging",
      },
      MODEL,
    ),
  );
  await heed.memories.write({ type: "feedback", statement: "Write tests before code" }, MODEL);
  await heed.memories.write({ type: "user", statement: "The user works from Lisbon" }, MODEL);
  const transcript = new SessionWriter(join(HOME, ".claude/projects/shop/s1.jsonl"), {
    session: "s1",
    cwd: PROJECT,
    now: "2026-11-20T10:05:00Z",
  });
  transcript.user("why does the importer drop the last row of each file?");
  transcript.says("The importer dropped it because the parser waited for a newline; it is mended.");
  await tell(heed, { kind: "session-end", reason: "other", transcriptPath: transcript.file });
  await heed.learning.capture();
  await heed.close();
}

const memory = (name: string, type: string, statement: string): string =>
  memoryFile({ type, name, statement, metadata: ["created: 2026-11-01T09:00:00Z"] });

function write(file: string, text: string): void {
  if (!existsSync(dirname(file))) mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  writeFileSync(file, text);
}
