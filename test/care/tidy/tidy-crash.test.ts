import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { shareCompiledCode } from "../../surfaces/sandbox-home.ts";
import { TemporaryHeed } from "../../home/temporary-heed.ts";

const PROGRAM = join(import.meta.dirname, "../../../plugin/dist/heed.cjs");
const FAULTS = join(import.meta.dirname, "../../torture/fault-preload.cjs");
/** The run is killed at the first change of a file that it makes, at the fiftieth, and so on: about 200 are made. */
const KILLED_AT = [1, 50, 110, 180];

const homes: TemporaryHeed[] = [];
afterEach(async () => {
  for (const home of homes.splice(0)) await home.remove();
});

/** A store in which every kind of step is due. */
async function storeInNeed(): Promise<TemporaryHeed> {
  const home = new TemporaryHeed();
  homes.push(home);
  shareCompiledCode(join(home.home, "cache"));
  home.addOrigin("https://github.com/acme/api.git");
  const body = "the staging host is called borealis.";
  const old = ["created: 2026-01-02T10:23:00Z", "tags: [host]"];
  home.remember(
    {
      type: "project",
      name: "host",
      statement: "the staging host is called borealis",
      body,
      metadata: old,
    },
    { type: "project", name: "host-again", statement: "the staging host is called borealis", body },
  );
  for (const [i, said] of [
    "We decided that the upload client retries three times with a growing delay.",
    "The weather was fine.",
  ].entries())
    home.write(
      join(home.userStore, "episodes", `2026-01-0${i + 1}-aaaaaaa${i}.md`),
      `---\nname: 2026-01-0${i + 1}-aaaaaaa${i}\ndescription: "Session: add retries"\nmetadata:\n  type: episode\n  created: 2026-01-02T10:23:00Z\n  status: open\n  decay_after: 2026-02-01\n  scope: { repo: github.com/acme/api }\n---\n${said}\n`,
    );
  await home.heed.close();
  return home;
}

const environment = (home: TemporaryHeed): NodeJS.ProcessEnv => ({ PATH: process.env["PATH"], ...home.env });

/** What the store, its tombstones and the inbox hold, without ids and times. */
function stateOf(home: TemporaryHeed): string[] {
  const timeless = (text: string): string =>
    text
      .replace(/^\s*(?:id|updated|at|hash|removed|change|session):.*$/gm, "")
      .replace(/\b\d{4}-\d\d-\d\dT[\d:.]+Z/g, "TIME")
      .replace(/\b[0-9A-HJKMNP-TV-Z]{26}\b/g, "ID");
  const filesOf = (folder: string): string[] =>
    existsSync(folder)
      ? (readdirSync(folder, { recursive: true }) as string[])
          .filter((file) => file.endsWith(".md") && !file.includes("MEMORY.md"))
          .filter((file) => statSync(join(folder, file)).isFile())
          .sort()
          .map(
            (file) =>
              `${file.replace(/\b[0-9A-HJKMNP-TV-Z]{26}\b/g, "ID")}\n${timeless(readFileSync(join(folder, file), "utf8"))}`,
          )
      : [];
  return [...filesOf(home.userStore), ...filesOf(join(home.state, "inbox"))];
}

function tidy(home: TemporaryHeed): { actions: string[] } {
  const run = spawnSync(process.execPath, [PROGRAM, "check", "--fix", "--yes", "--json"], {
    cwd: home.project,
    env: environment(home),
    encoding: "utf8",
  });
  expect(run).toMatchObject({ status: 0, stderr: "" });
  const { steps } = JSON.parse(run.stdout) as { steps: { action: string }[] };
  return { actions: steps.map(({ action }) => action) };
}

/** Runs it until its n-th change of a file, at which it is killed. */
function tidyKilledAt(home: TemporaryHeed, change: number): void {
  const fault = { code: "KILL", at: change, isArmed: true };
  spawnSync(process.execPath, ["--require", FAULTS, PROGRAM, "check", "--fix", "--yes"], {
    cwd: home.project,
    env: { ...environment(home), HEED_FAULT: JSON.stringify(fault), HEED_FAULT_ROOT: home.home },
    stdio: "ignore",
  });
}

test("a run that is killed anywhere is finished by the next one, as if nothing had happened", async () => {
  const whole = await storeInNeed();
  const { actions } = tidy(whole);
  expect([...new Set(actions)].sort()).toEqual(["drop-episode", "merge-duplicate"]);
  expect(tidy(whole).actions).toEqual([]);
  const expected = stateOf(whole);
  const inBetween = new Set<string>();
  for (const change of KILLED_AT) {
    const home = await storeInNeed();
    const before = stateOf(home).join("\n");
    tidyKilledAt(home, change);
    const left = stateOf(home).join("\n");
    if (left !== before && left !== expected.join("\n")) inBetween.add(left);
    tidy(home);
    expect(stateOf(home)).toEqual(expected);
    expect(tidy(home).actions).toEqual([]);
  }
  // At least one kill must have hit the middle, or nothing was tried.
  expect(inBetween.size).toBeGreaterThan(0);
}, 240_000);
