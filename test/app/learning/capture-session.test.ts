import { existsSync, mkdirSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openHeed } from "../../../src/heed.ts";
import { TemporaryHeed } from "../temporary-heed.ts";
import { SessionWriter } from "./session-writer.ts";

const SESSION = "5f1d7a3e-0000-4000-8000-00000000abcd";

let home: TemporaryHeed;
let session: SessionWriter;

beforeEach(() => {
  home = new TemporaryHeed();
  home.git("remote", "add", "origin", "https://github.com/acme/api.git");
  session = newSession(SESSION);
});
afterEach(() => home.remove());

function newSession(id: string, now = "2026-11-21T11:00:00Z"): SessionWriter {
  return new SessionWriter(join(home.home, "projects", `${id}.jsonl`), {
    session: id,
    cwd: home.project,
    now,
  });
}

function episodes(): string[] {
  const folder = join(home.userStore, "episodes");
  return existsSync(folder) ? readdirSync(folder) : [];
}

async function stop(
  writer: SessionWriter = session,
  kind: "stop" | "compaction" | "session-end" = "session-end",
): Promise<ReturnType<TemporaryHeed["heed"]["learning"]["capture"]>> {
  const base = { session: writer.session, transcriptPath: writer.file };
  await home.event(
    kind === "stop"
      ? { ...base, kind, lastMessage: undefined }
      : kind === "compaction"
        ? { ...base, kind }
        : { ...base, kind, reason: "other" },
  );
  await new Promise((resolve) => setImmediate(resolve));
  return home.heed.learning.capture();
}

/** A session with an ask, a struggle that is won, a correction and an open plan. */
function workDay(): SessionWriter {
  return session
    .user("Please add retries to the upload client")
    .says("I will look at the client first.")
    .tool(
      "Bash",
      { command: "docker compose up -d" },
      "Exit code 127\n(eval):1: command not found: docker",
      true,
    )
    .says("The daemon may be down, or docker is not installed.")
    .tool("Bash", { command: "/opt/docker/bin/docker compose up -d" }, "Container api  Started")
    .says("It runs. On this machine docker is in its own folder because the package does not link it.")
    .tool(
      "Edit",
      { file_path: join(home.project, "src/client.ts"), old_string: "a", new_string: "b" },
      "updated",
    )
    .tool(
      "TodoWrite",
      {
        todos: [
          { content: "write the test", status: "pending" },
          { content: "add retries", status: "completed" },
        ],
      },
      "ok",
    )
    .says("The client retries three times now.")
    .user("No, never use a fixed delay between retries, because it hammered the server last month.")
    .says("Understood: the delay grows now. The test is still to be written.");
}

describe("a session that ends", () => {
  test("becomes an episode: goal, files, commands, errors, open steps, where it stopped", async () => {
    workDay();
    await stop();
    expect(episodes()).toEqual(["2026-11-21-5f1d7a3e.md"]);
    const text = readFileSync(join(home.userStore, "episodes", episodes()[0] ?? ""), "utf8");
    for (const part of [
      "type: episode",
      "**Goal:** Please add retries to the upload client",
      "- Understood: the delay grows now. The test is still to be written.",
      "- write the test",
      "src/client.ts",
      "failed: docker compose up -d",
      "ok: /opt/docker/bin/docker compose up -d",
      "command not found: docker",
      "No, never use a fixed delay between retries",
      "branch: main",
    ])
      expect(text).toContain(part);
    expect(text).not.toContain("add retries\n- ");
    const episode = await home.heed.session.resume();
    expect(episode?.name).toBe("2026-11-21-5f1d7a3e");
  });

  test("gives the next session of this branch its episode, and none to another branch", async () => {
    workDay();
    await stop();
    const context = await home.start("s2");
    expect(context).toContain("<heed-episode");
    expect(context).toContain("Please add retries to the upload client");
    const block = context.slice(
      context.indexOf("The last session here"),
      context.indexOf("</heed-episode>") + 15,
    );
    expect(block.length).toBeLessThanOrEqual(2000);
    home.git("checkout", "-q", "-b", "other");
    expect(await home.start("s3")).not.toContain("<heed-episode");
  });

  test("with a greeting or one question is recorded, but hides no work from the next session", async () => {
    workDay();
    await stop();
    const trivial = newSession("5f1d7a3e-0000-4000-8000-00000000hell", "2026-11-21T15:00:00Z");
    await stop(trivial.user("what is the capital of France?").says("Paris."));
    expect(episodes()).toHaveLength(2);
    expect(await home.start("next")).toContain("Goal: Please add retries to the upload client");
    expect((await home.heed.session.resume())?.body).toContain("Please add retries");
    // It counts from the moment on at which it becomes work.
    trivial.user("Now write it down").tool("Write", { file_path: join(home.project, "c.md") }, "ok");
    await stop(trivial);
    expect(await home.start("later")).toContain("Goal: Now write it down");
  });

  test("outside of a repository gives the next session in that folder its episode, and no other folder", async () => {
    const [photos, music] = ["photos", "music"].map((name) => join(home.folder, name));
    for (const folder of [photos, music]) mkdirSync(folder ?? "", { recursive: true });
    const outside = new SessionWriter(join(home.home, "projects", "outside.jsonl"), {
      session: "5f1d7a3e-0000-4000-8000-0000000000aa",
      cwd: photos ?? "",
      now: "2026-11-21T11:00:00Z",
    });
    outside.user("Sort my photos by date").tool("Write", { file_path: "sort.py" }, "ok");
    await home.event({
      kind: "session-end",
      reason: "other",
      session: outside.session,
      transcriptPath: outside.file,
      cwd: photos ?? "",
    });
    await new Promise((resolve) => setImmediate(resolve));
    await home.heed.learning.capture();
    const startIn = async (cwd = ""): Promise<string> => {
      const heed = openHeed({ cwd, env: home.env, now: () => new Date(home.now) });
      const base = { session: `in-${cwd}`, cwd, client: "test" };
      return (
        (
          await heed.session.answer(
            { kind: "session-start", source: "startup", ...base },
            { deadlineMs: 15_000 },
          )
        ).context ?? ""
      );
    };
    expect(await startIn(photos)).toContain("Goal: Sort my photos by date");
    expect(await startIn(music)).not.toContain("Sort my photos");
    expect(await home.start("in-repository")).not.toContain("Sort my photos");
  });

  test("proposes the correction with its reason, and saves nothing of it before the user's word", async () => {
    workDay();
    const report = await stop();
    const pending = await home.heed.inbox.list();
    expect(pending).toHaveLength(1);
    expect(pending[0]).toMatchObject({ type: "feedback" });
    expect(pending[0]?.description).toBe(
      "never use a fixed delay between retries, because it hammered the server last month.",
    );
    expect(pending[0]?.body).toContain("**Why:** it hammered the server last month");
    expect(pending[0]?.body).toContain('"No, never use a fixed delay');
    expect(report.sessions[0]?.proposals.map(({ outcome }) => outcome)).toEqual(["proposed"]);
    expect(existsSync(join(home.userStore, "feedback"))).toBe(false);
    const confirmed = await home.heed.inbox.confirm(pending[0]?.name ?? "", {}, { kind: "person" });
    expect(confirmed.outcome).toBe("written");
    expect(await home.start("s2")).toContain("never use a fixed delay between retries");
  });

  test("keeps the struggle that was won as a provisional solution, and says so once", async () => {
    workDay();
    await stop();
    const [card] = await home.heed.memories.list({ types: ["solution"] });
    expect(card).toMatchObject({ status: "provisional", type: "solution" });
    const shown = await home.heed.memories.show(card?.name ?? "");
    expect(shown.body).toContain("**Symptom:** docker answers: `(eval):1: command not found: docker`");
    expect(shown.body).toContain("**Solution:** `/opt/docker/bin/docker compose up -d`");
    // Not what the agent guessed before it worked.
    expect(shown.body).toContain("**Why:** On this machine docker is in its own folder because the package");
    expect(shown.body).not.toContain("may be down");
    expect(card?.trigger).toContain("docker");
    const notice = (await home.event({ kind: "prompt", prompt: "and now?", session: "s2" })).notice ?? "";
    expect(notice).toContain(`heed:${card?.name}`);
    expect(notice).toContain("heed undo");
    expect((await home.event({ kind: "prompt", prompt: "go on", session: "s2" })).notice).toBeUndefined();
    const change = await home.heed.history.undo({}, { kind: "person" });
    expect(change.files.join()).toContain("solution/");
    expect(await home.heed.memories.list({ types: ["solution"] })).toEqual([]);
  });
});

describe("a session that goes on", () => {
  test("is read on from where the last run stopped, and nothing counts twice", async () => {
    workDay();
    await stop(session, "stop");
    const [first] = (await home.heed.memories.list({ types: ["episode"] })).map(({ name }) => name);
    const again = await stop(session, "stop");
    expect(again.sessions.map(({ bytes }) => bytes)).toEqual([0]);
    session.user("Thanks. Now write the test.").says("The test is written.");
    home.now = "2026-11-21T12:30:00Z";
    const report = await stop(session, "stop");
    expect(report.sessions[0]?.bytes).toBeGreaterThan(0);
    expect(await home.heed.memories.list({ types: ["episode"] })).toHaveLength(1);
    const shown = await home.heed.memories.show(first ?? "");
    expect(shown.body).toContain("- The test is written.");
    expect(shown.body).toContain("3 messages, 4 tool calls, 1 failed");
    expect(await home.heed.inbox.list()).toHaveLength(1);
    expect(await home.heed.memories.list({ types: ["solution"] })).toHaveLength(1);
  });

  test("a half-written last line waits; a broken one costs itself alone", async () => {
    session.user("Please fix the build").raw("{ this is no JSON\n").says("Fixed.");
    const half = JSON.stringify(
      session.record({ type: "user", message: { role: "user", content: "Never commit to main." } }),
    );
    session.raw(half.slice(0, 60));
    const report = await stop(session, "stop");
    expect(report.sessions[0]).toMatchObject({ lostLines: 1, proposals: [] });
    session.raw(`${half.slice(60)}\n`);
    expect((await stop(session, "stop")).sessions[0]?.proposals).toHaveLength(1);
  });

  test("in the middle of a turn the last words wait for what the agent makes of them", async () => {
    session.user("Please add retries").says("Done.").user("Never use sleep in tests.");
    expect((await stop(session, "compaction")).sessions[0]?.proposals).toEqual([]);
    session.tool(
      "mcp__plugin_heed_heed__memory_write",
      { type: "feedback", statement: "never use sleep in tests", body: "…" },
      "remembered",
    );
    expect((await stop(session, "stop")).sessions[0]?.proposals).toEqual([]);
    expect(await home.heed.inbox.list()).toEqual([]);
  });
});

describe("what is proposed", () => {
  test("however much of it there is: what was asked for in so many words competes with nothing", async () => {
    session.user("Hello, please look at the api");
    const rules = [
      "push to main",
      "edit generated files",
      "use var",
      "mock the database",
      "add emojis to commits",
    ];
    for (const rule of rules) session.says("ok").user(`Never ${rule}.`);
    await stop();
    expect((await home.heed.inbox.list()).map(({ description }) => description)).toEqual(
      rules.map((rule) => `Never ${rule}.`).sort(),
    );
  });
});

describe("what is not proposed", () => {
  test("again what was rejected, in a later session", async () => {
    workDay();
    await stop();
    const [item] = await home.heed.inbox.list();
    await home.heed.inbox.reject(item?.name ?? "", "not a rule", { kind: "person" });
    const other = newSession("77777777-0000-4000-8000-000000000000", "2026-11-22T09:00:00Z");
    other.user("Add retries to the download").says("ok").user("No, never use a fixed delay between retries.");
    const report = await stop(other);
    expect(report.sessions[0]?.proposals.map(({ outcome }) => outcome)).toEqual(["known"]);
    expect(await home.heed.inbox.list()).toEqual([]);
  });

  test("the turns that a fork or a resumed copy carries again", async () => {
    workDay();
    await stop();
    const [item] = await home.heed.inbox.list();
    await home.heed.inbox.confirm(item?.name ?? "", {}, { kind: "person" });
    const copy = newSession("88888888-0000-4000-8000-000000000000");
    copy.raw(readFileSync(session.file, "utf8").replaceAll(SESSION, copy.session));
    const report = await stop(copy);
    expect(report.sessions[0]?.proposals).toEqual([]);
  });

  test("when two weeks pass without an answer it is dropped, and kept with the rejected ones", async () => {
    workDay();
    await stop();
    home.now = "2026-12-06T12:00:01Z";
    await home.heed.learning.capture();
    expect(await home.heed.inbox.list()).toEqual([]);
    const rejected = readdirSync(join(home.state, "inbox", ".rejected"));
    expect(rejected).toHaveLength(1);
    expect(readFileSync(join(home.state, "inbox", ".rejected", rejected[0] ?? ""), "utf8")).toContain(
      "no answer in 14 days",
    );
  });
});

describe("words about what is kept", () => {
  test("“forget that” waits to remove the memory that is meant", async () => {
    home.remember({
      type: "project",
      name: "staging-database",
      description: "the staging database is reset every Monday night",
    });
    session
      .user("Hello there friend")
      .says("ok")
      .user("Forget that the staging database is reset every Monday night.");
    await stop();
    const [item] = await home.heed.inbox.list();
    expect(item).toMatchObject({ target: "staging-database" });
    await home.heed.inbox.confirm(item?.name ?? "", {}, { kind: "person" });
    expect(await home.heed.memories.list({ types: ["project"] })).toEqual([]);
    expect(await home.heed.inbox.list()).toEqual([]);
  });

  test("a correction of a cited memory is a proposal that shows the sentence before and after", async () => {
    home.remember({ type: "project", name: "deploy-host", description: "deploys run from the host atlas" });
    session
      .user("Hello there friend")
      .says("By [heed:deploy-host] I use atlas.")
      .user("heed:deploy-host is outdated: deploys now run from the host borealis.");
    await stop();
    const [item] = await home.heed.inbox.list();
    expect(item).toMatchObject({ target: "deploy-host", type: "project" });
    expect(item?.diff).toContain(`-description: "deploys run from the host atlas"`);
    expect(item?.diff).toContain("borealis");
    expect(item?.body).toContain('Until 2026-11-21 it said: "deploys run from the host atlas"');
    expect((await home.heed.memories.show("deploy-host")).body).not.toContain("borealis");
    const episode = await home.heed.session.resume();
    expect(episode?.body).toContain("**Kept in memory:**");
  });
});

describe("a struggle seen again", () => {
  test("raises the salience of its solution and makes no twin; one that helped is confirmed", async () => {
    workDay();
    await stop();
    const other = newSession("66666666-0000-4000-8000-000000000000", "2026-11-22T09:00:00Z");
    home.now = "2026-11-22T10:00:00Z";
    const error = "Exit code 127\n(eval):1: command not found: docker";
    const told = await home.event({
      kind: "tool-failure",
      session: other.session,
      tool: "Bash",
      input: { command: "docker ps" },
      error,
    });
    expect(told.context).toContain("/opt/docker/bin/docker");
    expect(told.context).toContain("2026-11-21");
    other
      .user("Please start the database")
      .tool("Bash", { command: "docker ps" }, error, true)
      .tool("Bash", { command: "/opt/docker/bin/docker ps" }, "CONTAINER ID");
    const report = await stop(other);
    expect(report.sessions[0]?.solutions.map(({ outcome }) => outcome)).toEqual(["confirmed"]);
    const cards = await home.heed.memories.list({ types: ["solution"] });
    expect(cards).toHaveLength(1);
    expect(cards[0]).toMatchObject({ salience: "high", status: "confirmed" });
  });
});
