import { existsSync, mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { capturePlaces } from "../../src/machine/places.ts";
import { TemporaryHeed } from "../home/temporary-heed.ts";
import type { SessionWriter } from "./session-writer.ts";

const SESSION = "5f1d7a3e-0000-4000-8000-00000000abcd";

const home = TemporaryHeed.forEachTest();
let session: SessionWriter;

beforeEach(async () => {
  session = home
    .transcript(SESSION)
    .user("Please add retries to the upload client")
    .tool("Bash", { command: "npm run build" }, "built")
    .says("The client retries three times now.")
    .user("No, never use a fixed delay between retries, because it hammered the server last month.")
    .says("Understood: the delay grows now.");
  await home.event({ kind: "prompt", prompt: "go on", session: SESSION, transcriptPath: session.file });
});

const silentFor = (minutes: number): void => {
  const time = new Date(Date.parse(home.now) - minutes * 60_000);
  utimesSync(session.file, time, time);
};
const episodes = (): string[] => {
  const folder = join(home.userStore, "episodes");
  return existsSync(folder) ? readdirSync(folder) : [];
};

test("a session that is killed before it stops has an episode once its transcript is silent", async () => {
  silentFor(2);
  expect((await home.heed.learning.capture()).sessions).toEqual([]);
  expect(episodes()).toEqual([]);
  silentFor(11);
  expect((await home.heed.learning.capture()).sessions).toMatchObject([{ session: SESSION, turns: 2 }]);
  expect(episodes()).toEqual(["2026-11-21-5f1d7a3e.md"]);
  expect((await home.heed.learning.capture()).sessions).toEqual([]);
});

test("one that goes on after all is read on at the stop that follows", async () => {
  silentFor(11);
  await home.heed.learning.capture();
  session.user("And tell me when it is deployed").says("It is.");
  expect((await home.endsWith(session, "stop")).sessions).toMatchObject([{ turns: 1 }]);
});

test("a folder in the queue stops no session from being read", async () => {
  const { queue } = capturePlaces({ state: join(home.home, "state") });
  mkdirSync(join(queue, "0.json", "inner"), { recursive: true });
  expect((await home.endsWith(session)).sessions).toMatchObject([{ session: SESSION }]);
});

test("what a newer heed has queued of a session stays as it is", async () => {
  const queue = capturePlaces({ state: join(home.home, "state") }).queue;
  const file = join(queue, readdirSync(queue)[0] ?? "");
  writeFileSync(file, '{"version":9}');
  await home.endsWith(session, "stop");
  await home.event({ kind: "prompt", prompt: "go on", session: SESSION, transcriptPath: session.file });
  await new Promise((resolve) => setImmediate(resolve));
  expect(readFileSync(file, "utf8")).toBe('{"version":9}');
});

test("a transcript that the client writes after its hooks have run is waited for, a day long", async () => {
  const late = `${SESSION.slice(0, -4)}0001`;
  const file = join(home.home, "projects", `${late}.jsonl`);
  expect(await home.endsWith({ session: late, file }, "stop")).toMatchObject({ sessions: [], problems: [] });
  home.transcript(late).user("Add retries");
  expect((await home.heed.learning.capture()).sessions).toMatchObject([{ session: late }]);
  await home.endsWith({ session: `${late}-never`, file: `${file}-never` }, "stop");
  home.now = new Date(Date.now() + 25 * 3_600_000).toISOString();
  expect((await home.heed.learning.capture()).problems).toHaveLength(1);
  expect((await home.heed.learning.capture()).problems).toEqual([]);
});
