import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { openHeed } from "../../src/heed.ts";
import type { SessionWriter } from "../past/session-writer.ts";
import { TemporaryHeed } from "../home/temporary-heed.ts";

const SESSION = "5f1d7a3e-0000-4000-8000-00000000abcd";

const home = TemporaryHeed.forEachTest();
let session: SessionWriter;

beforeEach(() => {
  home.addOrigin("https://github.com/acme/api.git");
  home.commit();
  session = home.transcript(SESSION);
});

/** The agent writes a file for real, and says so in its transcript. */
function edits(file: string): void {
  home.write(join(home.project, file), `changed ${Math.random()}\n`);
  session.tool("Write", { file_path: join(home.project, file), content: "…" }, "ok");
}

const ends = () => home.endsWith(session);

let count = 0;
/** What a new session is told of unfinished work, in one line; empty: nothing. */
async function injected(heed = home.heed, cwd = home.project): Promise<string> {
  const session = `next-${(count += 1)}`;
  const { context = "" } = await home.begin(session, { cwd }, heed);
  return /<heed-episode[^>]*>\n([^]*?)<\/heed-episode>/.exec(context)?.[1]?.replace(/\s+/g, " ").trim() ?? "";
}

test("names the files that git still calls uncommitted, until they are committed or reverted", async () => {
  session.user("reconcile the job");
  edits("src/reconcile.ts");
  edits("src/job.ts");
  session.says("The job is reconciled; the tests pass.");
  await ends();
  const both = "Not committed: src/reconcile.ts, src/job.ts";
  expect(await injected()).toBe(both);
  // As long as that is so it is told.
  expect(await injected()).toBe(both);
  home.git("add", "src/job.ts");
  home.git("commit", "-qm", "Job");
  expect(await injected()).toMatch(/Not committed: src\/reconcile\.ts$/);
  home.commit();
  expect(await injected()).toBe("");
});

test("what git cannot check is told once: what the agent's plan has left", async () => {
  const plan = (status: string) => ({ todos: [{ content: "tell Ines", status }] });
  session.user("go").tool("TodoWrite", plan("pending"), "ok").says("Begun.");
  await ends();
  expect(await injected()).toBe("Open: tell Ines");
  expect(await injected()).toBe("");
  // The session goes on, and leaves it still.
  session.user("again").tool("Bash", { command: "make release" }, "ok").says("Released.");
  home.now = "2026-11-21T13:00:00Z";
  await ends();
  expect(await injected()).toBe("Open: tell Ines");
  session.tool("TodoWrite", plan("completed"), "ok").says("Told.");
  await ends();
  expect(await injected()).toBe("");
});

test("nothing of a session whose files a later one changed too", async () => {
  const todos = [{ content: "tell Ines", status: "pending" }];
  session.user("go").tool("TodoWrite", { todos }, "ok");
  edits("src/a.ts");
  await ends();
  session = home.transcript(SESSION.replace("5", "6"), { now: "2026-11-21T11:30:00Z" });
  session.user("go on");
  edits("src/a.ts");
  home.commit();
  await ends();
  expect(await injected()).toBe("");
});

test("a command that failed or did not end is no open work: a guard may have stopped it, or it passed since", async () => {
  session
    .user("go")
    .tool("Bash", { command: "terraform apply" }, "stopped by a rule", true)
    .says("I may not.");
  await ends();
  expect(await injected()).toBe("");
  session.user("again").tool("Bash", { command: "cd envs/prod && terraform apply" }, "denied", true);
  await ends();
  expect(await home.start("next")).not.toMatch(/terraform|The last session|Stopped/);
});

test("a second clone, another work tree and another machine are told nothing of it", async () => {
  session.user("go");
  edits("src/a.ts");
  await ends();
  const clone = join(home.folder, "clone");
  // On the same branch: its name is not what tells them apart.
  home.git("worktree", "add", "-q", "--force", join(home.folder, "tree"), "main");
  home.git("clone", "-q", home.project, clone);
  home.git("-C", clone, "remote", "set-url", "origin", "https://github.com/acme/api.git");
  for (const cwd of [clone, join(home.folder, "tree")]) {
    const heed = openHeed({ cwd, env: home.env, now: () => new Date(home.now) });
    expect([cwd, await injected(heed, cwd)]).toEqual([cwd, ""]);
  }
  expect(await injected()).toContain("src/a.ts");
  // The store was carried to another machine, its state was not.
  const env = { ...home.env, HEED_STATE_DIR: join(home.folder, "state-elsewhere") };
  const elsewhere = openHeed({ cwd: home.project, env, now: () => new Date(home.now) });
  expect(await injected(elsewhere)).toBe("");
});

describe("before a compaction the record of the running session is written", () => {
  /** The main context of this session after its compaction, as one line. */
  async function compacted(): Promise<string> {
    await home.event({ kind: "compaction", session: SESSION, transcriptPath: session.file });
    const start = { kind: "session-start", source: "compact", session: SESSION } as const;
    const { context = "" } = await home.event(start);
    return /This session before[^]*?<\/heed-episode>/.exec(context)?.[0].replace(/\s+/g, " ") ?? "";
  }
  const asks = async (prompt: string): Promise<void> => {
    session.user(prompt);
    await home.event({ kind: "prompt", prompt, session: SESSION });
  };

  test("so that it is told of its goal, what was asked last and what is open, each time", async () => {
    await asks("Move the ledger to Postgres");
    edits("src/ledger.ts");
    session.says("The ledger is moved; the index is not.");
    expect(await compacted()).toMatch(/Goal: Move the ledger to Postgres Not committed: src\/ledger\.ts </);
    home.commit();
    await asks("now the index");
    session
      .tool("TodoWrite", { todos: [{ content: "rename the index", status: "pending" }] }, "ok")
      .says("Half.");
    expect(await compacted()).toMatch(
      /Goal: Move the ledger to Postgres Asked last: now the index Open: rename the index </,
    );
  });

  test("and what was said is there at once, wherever the client keeps its transcript", async () => {
    await asks("Move the ledger to Postgres");
    edits("src/ledger.ts");
    await compacted();
    const [episode] = await home.heed.memories.list({ types: ["episode"] });
    const { passages } = await home.heed.conversations.show({ memory: episode?.name });
    expect(passages.map(({ text }) => text)).toEqual(["Move the ledger to Postgres"]);
  });

  test("a turn of which something was kept is no goal", async () => {
    await asks("keep in mind that the cut-off of the bank is 15:00");
    const draft = { type: "project", statement: "the cut-off of the bank is 15:00", body: "The bank." };
    const { outcome } = await home.heed.memories.write(draft, { kind: "model", session: SESSION });
    expect(outcome).toBe("written");
    await asks("Fix the nightly job");
    edits("src/job.ts");
    const context = await compacted();
    expect(context).toContain("Goal: Fix the nightly job");
    expect(context).not.toContain("15:00");
  });
});

test("cuts no rule where a client names no session, and all is told at once", async () => {
  const words = "and mind what was agreed on for all of the services of this team";
  for (let i = 0; i < 60; i++)
    home.remember({ type: "feedback", name: `rule-${i}`, statement: `Rule ${i} ${words}, ${words}` });
  const rulesIn = async (): Promise<string[]> =>
    (await home.start("")).split("\n").filter((line) => line.startsWith("- "));
  const before = await rulesIn();
  expect(before.length).toBeGreaterThan(50);
  session.user("go");
  edits("src/job.ts");
  await ends();
  expect(await rulesIn()).toEqual(before);
});
