import { spawn, spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { beforeEach, describe, expect, test } from "vitest";
import { TemporaryHeed } from "../home/temporary-heed.ts";
import type { SessionWriter } from "./session-writer.ts";

const PROGRAM = join(import.meta.dirname, "../../plugin/dist/heed.cjs");

const home = TemporaryHeed.forEachTest();
beforeEach(() => {
  home.addOrigin("https://github.com/acme/api.git");
});

function session(id: string, rule: string): SessionWriter {
  return home
    .transcript(id)
    .user("Please look at the api of this project")
    .tool("Bash", { command: "npm run build" }, "built")
    .says("Done.")
    .user(rule)
    .says("Understood.");
}

function end(writer: SessionWriter): string {
  return JSON.stringify({
    hook_event_name: "SessionEnd",
    session_id: writer.session,
    transcript_path: writer.file,
    cwd: home.project,
    reason: "other",
  });
}

const environment = (): NodeJS.ProcessEnv => ({ PATH: process.env["PATH"], ...home.env });

/** Waits until a session's episode is there and nobody is at work. */
async function episodesOf(count: number): Promise<string[]> {
  const folder = join(home.userStore, "episodes");
  const isBusy = (): boolean => existsSync(join(home.state, "capture", "lock"));
  for (let i = 0; i < 900; i++) {
    const names = existsSync(folder) ? readdirSync(folder) : [];
    if (names.length >= count && !isBusy() && readdirSync(join(home.state, "capture", "queue")).length === 0)
      return names;
    await sleep(100);
  }
  throw new Error("no episode within 90 s");
}

/** Processes that run heed's program over this home. */
function workers(): string[] {
  const { stdout } = spawnSync("ps", ["-eo", "pid,args"], { encoding: "utf8" });
  return stdout
    .split("\n")
    .filter((line) => line.includes(`${PROGRAM} capture`))
    .filter((line) => {
      const pid = line.trim().split(" ")[0] ?? "";
      try {
        return readFileSync(`/proc/${pid}/environ`, "utf8").includes(home.home);
      } catch {
        return false;
      }
    });
}

describe("the end of a session", () => {
  test("is answered at once, captured by a process of its own that leaves none behind; of several sessions none is lost", async () => {
    const ids = ["b", "c", "d", "e", "f"].map((letter) => `${letter.repeat(8)}-0000-4000-8000-000000000000`);
    const writers = ids.map((id) => session(id, "Never mock the clock in these tests."));
    const answers = await Promise.all(
      writers.map(
        (writer) =>
          new Promise((resolve) => {
            const child = spawn(process.execPath, [PROGRAM, "hook"], { env: environment() });
            let said = "";
            child.stdout.on("data", (chunk: Buffer) => (said += chunk.toString()));
            child.on("close", (status) => resolve([status, said]));
            child.stdin.end(end(writer));
          }),
      ),
    );
    expect(answers).toEqual(ids.map(() => [0, ""]));
    expect(await episodesOf(ids.length)).toEqual(ids.map((id) => `2026-11-21-${id.slice(0, 8)}.md`));
    // The last worker may still be at it.
    await expect.poll(workers).toEqual([]);
  }, 180_000);
});

describe("what is captured", () => {
  test("nothing when it is turned off, or in the mode off", async () => {
    const writer = session("66666666-0000-4000-8000-000000000000", "Never mock the clock in these tests.");
    home.write(join(home.userStore, "config.yaml"), "store: user\ncapture: off\n");
    await home.endsWith(writer);
    expect(existsSync(join(home.state, "capture", "queue"))).toBe(false);
  });
});
