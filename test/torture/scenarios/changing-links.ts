import { spawn } from "node:child_process";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openHeed } from "../../../src/heed.ts";
import type { Scenario, ScenarioResult } from "../scenario.ts";
import { inHome } from "../scenario.ts";
import type { TortureHome } from "../torture-home.ts";

const PERSON = { kind: "person" } as const;
const AS = ["-c", "user.name=a", "-c", "user.email=a@example.com", "-c", "commit.gpgsign=false"];
const OUTSIDE = "what lies outside of the store";
const RACE_MS = 1_500;

/** Links that change while heed reads and writes. */
export const changingLinks: Scenario = {
  name: "changing links",
  run: (size) =>
    inHome(async (home, result) => {
      await rule(home, home.project, "friday", "never push on a Friday");
      commit(home, home.project);
      for (let round = 0; round < size.rounds; round++) await whileLinksChange(home, result);
    }),
};

/** Somebody swaps a folder of the store for a link to elsewhere and back, while heed reads and writes. */
async function whileLinksChange(home: TortureHome, result: ScenarioResult): Promise<void> {
  const outside = join(home.folder, "outside");
  mkdirSync(outside, { recursive: true });
  writeFileSync(join(outside, "stranger.md"), file("stranger", OUTSIDE));
  const folder = join(home.project, ".heed", "feedback");
  const swap = `const fs=require("fs"),[d,o]=process.argv.slice(1),end=Date.now()+${RACE_MS};while(Date.now()<end){fs.renameSync(d,d+".bak");fs.symlinkSync(o,d);fs.unlinkSync(d);for(;;)try{fs.renameSync(d+".bak",d);break}catch{fs.rmSync(d+".late",{recursive:true,force:true});try{fs.renameSync(d,d+".late")}catch{}}}`;
  const swapping = spawn(process.execPath, ["-e", swap, folder, outside], { stdio: "ignore" });
  const ended = new Promise((resolve) => swapping.on("exit", resolve));
  const until = Date.now() + RACE_MS;
  while (Date.now() < until) {
    const text = await injected(home, home.project);
    expectThat(!text.includes(OUTSIDE), result, "a file behind a link was told");
    await rule(home, home.project, `race-${Date.now()}`, `never race at ${Date.now()}`).catch(
      (error: unknown) =>
        expectThat(
          error instanceof Error && error.name === "HeedError",
          result,
          `a write failed: ${String(error)}`,
        ),
    );
  }
  await ended;
  const behind = readdirSync(outside).filter((name) => name !== "stranger.md");
  expectThat(!behind.some((name) => name.endsWith(".tmp")), result, "a draft lies behind a link");
  const written = `written behind a link: ${behind.join(", ")}`;
  if (behind.length === 0) return;
  // Elsewhere nothing can be held fast by its path between the last look and the rename (SECURITY.md): seen, it is said.
  if (process.platform === "linux") result.faults.push(written);
  else result.skipped.push(written);
}

async function rule(home: TortureHome, cwd: string, name: string, statement: string): Promise<void> {
  const heed = openHeed({ cwd, env: home.env });
  try {
    await heed.memories.write(
      {
        type: "feedback",
        name,
        statement,
        body: "**Why:** it went wrong once.\n\n**How to apply:** always.",
        store: "project",
      },
      PERSON,
    );
  } finally {
    await heed.close();
  }
}

async function injected(home: TortureHome, cwd: string): Promise<string> {
  const heed = openHeed({ cwd, env: home.env });
  try {
    const event = {
      session: `s${Math.random()}`,
      cwd,
      client: "test",
      kind: "session-start",
      source: "startup",
    } as const;
    return (await heed.session.answer(event, { deadlineMs: 20_000 })).context ?? "";
  } finally {
    await heed.close();
  }
}

function file(name: string, statement: string): string {
  return `---\nname: ${name}\ndescription: ${statement}\nmetadata: { type: feedback, source: user }\n---\n**Why:** so.\n\n**How to apply:** always.\n`;
}

function commit(home: TortureHome, cwd: string): void {
  home.git(cwd, ...AS, "add", "-A");
  home.git(cwd, ...AS, "commit", "-qm", "x", "--allow-empty");
}

function expectThat(holds: boolean, result: ScenarioResult, otherwise: string): void {
  result.operations += 1;
  if (!holds) result.faults.push(otherwise);
}
