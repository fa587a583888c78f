import { existsSync, mkdirSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { openHeed } from "../../src/heed.ts";
import { TemporaryHeed } from "../home/temporary-heed.ts";
import type { SessionWriter } from "./session-writer.ts";

const SESSION = "5f1d7a3e-0000-4000-8000-00000000abcd";

const home = TemporaryHeed.forEachTest();
let session: SessionWriter;

beforeEach(() => {
  home.addOrigin("https://github.com/acme/api.git");
  session = home.transcript(SESSION);
});

function episodes(): string[] {
  const folder = join(home.userStore, "episodes");
  return existsSync(folder) ? readdirSync(folder) : [];
}

/** What is kept of the session that was written last. */
async function lastEpisode(): Promise<{ name: string; statement: string; body: string }> {
  const [episode] = await home.heed.memories.list({ types: ["episode"] });
  const { metadata, body } = await home.heed.memories.show(episode?.name ?? "");
  return { name: metadata.name, statement: metadata.statement, body };
}

const stop = (
  writer: SessionWriter = session,
  kind?: "stop" | "compaction" | "session-end",
): ReturnType<TemporaryHeed["endsWith"]> => home.endsWith(writer, kind);

/** A session with an ask, a command that fails, an edit and an open plan. */
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
    .tool("Bash", { command: "/opt/docker/bin/docker compose up -d" }, "Container api  Started")
    .tool("Bash", { command: "heed write --type feedback x" }, "refused", true)
    .tool("mcp__plugin_heed_heed__memory_write", { statement: "x" }, "refused: it says nothing", true)
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
  test("becomes an episode: files, commands, open steps, where it stopped, and no word of the user", async () => {
    workDay();
    expect((await stop()).sessions).toMatchObject([{ turns: 2, proposals: 0 }]);
    expect(await home.heed.inbox.list()).toEqual([]);
    expect((await home.heed.memories.list()).map(({ type }) => type)).toEqual(["episode"]);
    expect(episodes()).toEqual(["2026-11-21-5f1d7a3e.md"]);
    const text = readFileSync(join(home.userStore, "episodes", episodes()[0] ?? ""), "utf8");
    for (const part of [
      "type: episode",
      "Session of 2026-11-21 on main: src/client.ts",
      "- Understood: the delay grows now. The test is still to be written.",
      "- write the test",
      "- src/client.ts",
      "failed: docker compose up -d",
      "ok: /opt/docker/bin/docker compose up -d",
      "branch: main",
    ])
      expect(text).toContain(part);
    // Neither what the user said, nor steps that are done, nor what heed itself refused.
    for (const part of ["Please add retries", "fixed delay", "- add retries", "heed write", "refused"])
      expect(text).not.toContain(part);
    expect((await lastEpisode()).name).toBe("2026-11-21-5f1d7a3e");
  });

  test("with a greeting or one question is in the history alone, until it becomes work", async () => {
    const trivial = home.transcript("5f1d7a3e-0000-4000-8000-00000000hell", { now: "2026-11-21T15:00:00Z" });
    await stop(trivial.user("what is the capital of France?").says("Paris."));
    expect(episodes()).toEqual([]);
    trivial.user("Now write it down").tool("Write", { file_path: join(home.project, "c.md") }, "ok");
    await stop(trivial);
    expect(episodes()).toHaveLength(1);
    expect((await lastEpisode()).statement).toBe("Session of 2026-11-21 on main: c.md");
  });

  test("outside of a repository gives the next session in that folder its episode, and no other folder", async () => {
    const [photos, music] = ["photos", "music"].map((name) => join(home.folder, name));
    for (const folder of [photos, music]) mkdirSync(folder ?? "", { recursive: true });
    const outside = home.transcript("5f1d7a3e-0000-4000-8000-0000000000aa", { cwd: photos });
    const todos = [{ content: "sort by place too", status: "pending" }];
    outside.user("Sort my photos by date").tool("TodoWrite", { todos }, "ok");
    await home.endsWith(outside);
    const startIn = async (cwd = ""): Promise<string> => {
      const heed = openHeed({ cwd, env: home.env, now: () => new Date(home.now) });
      return (await home.begin(`in-${cwd}`, { cwd }, heed)).context ?? "";
    };
    expect(await startIn(music)).not.toContain("<heed-episode");
    expect(await home.start("in-repository")).not.toContain("<heed-episode");
    expect(await startIn(photos)).toContain("Open: sort by place too");
  });
});

test("a session whose folder is gone is none of the repository at hand", async () => {
  const gone = join(home.home, "gone", "away");
  const away = home.transcript("33333333-0000-4000-8000-000000000000", { cwd: gone });
  away.user("Build it please").tool("Bash", { command: "make build" }, "built").says("Done.");
  await home.endsWith(away);
  const [episode] = await home.heed.memories.list({ isScopedHere: false });
  expect(episode).toMatchObject({ type: "episode", scope: { repo: `folder:${gone}` } });
});

test("without a history a session has its episode, and nothing that was said in it is kept", async () => {
  workDay();
  await home.heed.conversations.search();
  home.write(join(home.userStore, "config.yaml"), "store: user\nhistory: off\n");
  await stop();
  session.user("And now write the test").says("The test is written now.");
  await stop();
  expect((await lastEpisode()).body).toContain("- The test is written now.");
  const [kept] = readdirSync(join(home.state, "conversations"));
  const record = readFileSync(join(home.state, "conversations", kept ?? ""), "utf8");
  expect(record).toContain("docker compose up");
  for (const said of ["add retries to the upload", "hammered", "And now write", "retries three times"])
    expect(record).not.toContain(said);
});

test("a search before the session's first stop costs its episode nothing", async () => {
  workDay();
  await home.heed.conversations.search();
  await stop();
  expect((await lastEpisode()).body).toContain("failed: docker compose up -d\n");
  expect((await home.heed.conversations.show({ session: SESSION })).count).toBe(5);
});

describe("a session that goes on", () => {
  test("is read on from where the last run stopped, and nothing counts twice", async () => {
    workDay();
    await stop(session, "stop");
    const [first] = (await home.heed.memories.list({ types: ["episode"] })).map(({ name }) => name);
    expect((await stop(session, "stop")).sessions).toMatchObject([{ turns: 0 }]);
    session.user("Thanks. Now write the test.").says("The test is written.");
    home.now = "2026-11-21T12:30:00Z";
    expect((await stop(session, "stop")).sessions).toMatchObject([{ turns: 1 }]);
    expect(await home.heed.memories.list({ types: ["episode"] })).toHaveLength(1);
    const shown = await home.heed.memories.show(first ?? "");
    expect(shown.body).toContain("- The test is written.");
    expect(shown.body).toContain("failed: docker compose up -d\n");
  });

  test("a half-written last line waits; a broken one costs itself alone", async () => {
    session.user("Please fix the build").raw("{ this is no JSON\n").says("Fixed.");
    const half = JSON.stringify(
      session.record({ type: "user", message: { role: "user", content: "Never commit to main." } }),
    );
    session.raw(half.slice(0, 60));
    const report = await stop(session, "stop");
    expect(report.sessions[0]).toMatchObject({ turns: 1 });
    session.raw(`${half.slice(60)}\n`);
    expect((await stop(session, "stop")).sessions[0]).toMatchObject({ turns: 1 });
  });
});
