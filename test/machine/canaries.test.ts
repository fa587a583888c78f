import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Actor, Heed } from "../../src/heed.ts";
import { SessionWriter } from "../past/session-writer.ts";
import { TemporaryHeed } from "../home/temporary-heed.ts";
import { Canaries, makeDirty, makeHostile } from "./hostile-repository.ts";

const PERSON: Actor = { kind: "person" };

let there: TemporaryHeed;
let canaries: Canaries;

async function trap(isPassable: boolean): Promise<void> {
  there = new TemporaryHeed();
  canaries = new Canaries(there.home);
  there.write("src/routes.ts", "export const routes = 1;\n");
  await there.heed.setup.init("user");
  await there.heed.setup.init("project");
  there.write(".heed/config.yaml", "store: S1\n");
  there.remember({
    type: "project",
    name: "route-table",
    statement: "the route table of the payment service is frozen until the audit",
    body: "Ann froze the route table in `src/gone.ts` and `src/routes.ts` until the audit.",
    metadata: ['claims: ["path:src/gone.ts", "path:src/routes.ts"]'],
  });
  there.write("src/gone.ts", "export const gone = 1;\n");
  there.git("add", "-A");
  there.git("-c", "user.name=A", "-c", "user.email=a@a", "commit", "-qm", "all");
  there.git("rm", "-q", "src/gone.ts");
  await there.heed.setup.trust();
  makeHostile(there.project, canaries, { prefix: "project", isPassable });
  makeHostile(there.userStore, canaries, { prefix: "user", isPassable });
  canaries.clear();
}

/** git as anybody would run it, in the same repository. */
function plain(...args: string[]): void {
  try {
    execFileSync("git", args, { cwd: there.project, stdio: "ignore", timeout: 10_000 });
  } catch {
    // What it says does not matter here, only what it ran.
  }
}

describe.each([
  [
    "that has git give up",
    false,
    [
      "project.core.fsmonitor",
      "project.core.sshCommand",
      "project.ext",
      "project.filter.evil.process",
      "project.sub.core.fsmonitor",
      "project.sub.filter.evil.clean",
    ],
  ],
  [
    "that lets git go on",
    true,
    [
      "project.core.fsmonitor",
      "project.diff.evil.command",
      "project.diff.evil.textconv",
      "project.filter.evil.clean",
      "project.filter.evil.smudge",
      "project.hook.post-commit",
      "project.hook.reference-transaction",
      "project.sub.core.fsmonitor",
      "project.sub.filter.evil.clean",
    ],
  ],
])("a hostile repository %s", (_, isPassable, armed) => {
  beforeAll(() => trap(isPassable), 60_000);
  afterAll(() => there.remove());

  it.each<[string, (heed: Heed) => Promise<unknown>]>([
    ["status", (heed) => heed.setup.status()],
    ["history", (heed) => heed.history.list()],
    ["history of one memory", (heed) => heed.history.list({ handle: "route-table" })],
    ["diff", (heed) => heed.history.diff("route-table")],
    ["show, with its verdict", (heed) => heed.memories.show("route-table", { reader: PERSON })],
    ["search", (heed) => heed.memories.search({ query: "route table payment audit" })],
    ["refreshed verdicts", (heed) => heed.maintenance.refreshVerdicts()],
    ["health", (heed) => heed.maintenance.health()],
    ["verify", (heed) => heed.maintenance.verify("route-table", {}, PERSON)],
    ["repair", (heed) => heed.maintenance.repair("route-table", { isApplied: true }, PERSON)],
    ["check", (heed) => heed.maintenance.check()],
    ["reindex", (heed) => heed.maintenance.reindex()],
    ["trust", (heed) => heed.setup.reviewTrust().then(({ token }) => heed.setup.trust({ token }))],
    ["tidy", (heed) => heed.maintenance.tidy({ isApplied: true })],
    ["sync to a path", (heed) => heed.setup.sync({ remote: bare() })],
    ["sync over ssh", (heed) => heed.setup.sync({ remote: "ssh://127.0.0.1:1/nowhere" })],
    ["sync over git", (heed) => heed.setup.sync({ remote: "git://127.0.0.1:1/nowhere" })],
    ["sync over https", (heed) => heed.setup.sync({ remote: "https://127.0.0.1:1/nowhere" })],
    ["sync to a rewritten address", (heed) => heed.setup.sync({ remote: "https://example.org/nowhere" })],
    ["scrub", (heed) => heed.setup.scrub("some-value-that-leaked-1234", { isApplied: true }, PERSON)],
    ["events of a session", (heed) => events(heed)],
    ["a write into the user store", (heed) => write(heed, "user")],
    ["a write into the project store", (heed) => write(heed, "project")],
    ["undo", (heed) => undoWrite(heed)],
  ])("gets nothing run by %s", async (name, operation) => {
    makeDirty(there.project);
    makeDirty(there.userStore);
    canaries.clear();
    // A sync is refused, or finds nobody there; all else works in such a repository as in any other.
    const outcome = await operation(there.heed).then(
      () => "done",
      (error: unknown) => (error as { code?: string }).code,
    );
    expect(outcome).toBe(canFail(name, isPassable) ? "git-failed" : "done");
    await there.heed.close();
    expect(canaries.run()).toEqual([]);
  });

  it("is a trap for git itself: otherwise the tests above would show nothing", () => {
    canaries.clear();
    makeDirty(there.project);
    plain("status");
    plain("diff", "HEAD");
    plain("diff", "--textconv", "--no-ext-diff", "HEAD");
    plain("add", "-A");
    plain("commit", "-qm", "x");
    plain("log", "-p", "--show-signature");
    plain("checkout", "HEAD~1", "--", ".");
    plain("cat-file", "-p", "HEAD:lost.txt");
    plain("fetch", "ssh://example.org/x");
    expect(canaries.run()).toEqual(expect.arrayContaining(armed));
  });
});

function canFail(operation: string, isPassable: boolean): boolean {
  return operation.startsWith("sync") && !(isPassable && operation === "sync to a path");
}

async function write(heed: Heed, store: "user" | "project"): Promise<void> {
  const statement = `the ${store} reports go through the billing queue`;
  const result = await heed.memories.write({ type: "project", statement, body: statement, store }, PERSON);
  expect(result.outcome).toBe("written");
}

function bare(): string {
  const folder = join(there.home, "remote.git");
  mkdirSync(folder);
  execFileSync("git", ["init", "-q", "--bare", "--initial-branch=main", "."], { cwd: folder });
  return folder;
}

function session(): string {
  const file = join(there.home, "projects", "5f1d7a3e-0000-4000-8000-00000000abcd.jsonl");
  new SessionWriter(file, { session: "5f1d7a3e", cwd: there.project, now: "2026-11-21T11:00:00Z" })
    .user("Please add retries to the upload client")
    .tool("Edit", { file_path: join(there.project, "src/routes.ts"), old_string: "a", new_string: "b" }, "ok")
    .says("Done.");
  return file;
}

async function undoWrite(heed: Heed): Promise<void> {
  const made = (await heed.history.list()).find(({ summary }) => summary.startsWith("write project/"));
  await heed.history.undo({ change: made?.id }, PERSON);
}

async function events(heed: Heed): Promise<void> {
  await there.start();
  await there.prompt("May I change the route table of the payment service before the audit?");
  await there.event({ kind: "session-end", reason: "other", transcriptPath: session() });
  await heed.learning.capture();
}
