import { spawn } from "node:child_process";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Scenario, type ScenarioResult, inHome } from "../scenario.ts";
import type { TortureHome } from "../torture-home.ts";

const OUTSIDE = "what lies outside of the store";
const STRANGER = `---\nname: stranger\ndescription: ${OUTSIDE}\nmetadata: { type: feedback, source: user }\n---\n**Why:** so.\n`;
const RACE_MS = 1_500;

/** Links that change while heed reads and writes. */
export const changingLinks: Scenario = {
  name: "changing links",
  run: (size) =>
    inHome(async (home, result) => {
      await rule(home, "friday", "never push on a Friday");
      for (let round = 0; round < size.rounds; round++) await whileLinksChange(home, result);
    }),
};

/** Somebody swaps a folder of the store for a link to elsewhere and back, while heed reads and writes. */
async function whileLinksChange(home: TortureHome, result: ScenarioResult): Promise<void> {
  const outside = join(home.folder, "outside");
  mkdirSync(outside, { recursive: true });
  writeFileSync(join(outside, "stranger.md"), STRANGER);
  const folder = join(home.project, ".heed", "feedback");
  const swap = `const fs=require("fs"),[d,o]=process.argv.slice(1),end=Date.now()+${RACE_MS};while(Date.now()<end){fs.renameSync(d,d+".bak");fs.symlinkSync(o,d);fs.unlinkSync(d);for(;;)try{fs.renameSync(d+".bak",d);break}catch{fs.rmSync(d+".late",{recursive:true,force:true});try{fs.renameSync(d,d+".late")}catch{}}}`;
  const swapping = spawn(process.execPath, ["-e", swap, folder, outside], { stdio: "ignore" });
  const ended = new Promise((resolve) => swapping.on("exit", resolve));
  const until = Date.now() + RACE_MS;
  while (Date.now() < until) {
    result.operations += 2;
    if ((await injected(home)).includes(OUTSIDE)) result.findings.push("a file behind a link was told");
    await rule(home, `race-${Date.now()}`, `never race at ${Date.now()}`).catch((error: unknown) => {
      if (!(error instanceof Error && error.name === "HeedError"))
        result.findings.push(`a write failed: ${String(error)}`);
    });
  }
  await ended;
  const behind = readdirSync(outside).filter((name) => name !== "stranger.md");
  if (behind.some((name) => name.endsWith(".tmp"))) result.findings.push("a draft lies behind a link");
  const written = `written behind a link: ${behind.join(", ")}`;
  if (behind.length === 0) return;
  // Elsewhere nothing can be held fast by its path between the last look and the rename (SECURITY.md): seen, it is said.
  if (process.platform === "linux") result.findings.push(written);
  else result.skipped.push(written);
}

async function rule(home: TortureHome, name: string, statement: string): Promise<void> {
  const body = "**Why:** it went wrong once.";
  const draft = { type: "feedback", name, statement, body, store: "project" } as const;
  const heed = home.open();
  try {
    await heed.memories.write(draft, { kind: "person" });
  } finally {
    await heed.close();
  }
}

async function injected(home: TortureHome): Promise<string> {
  const heed = home.open();
  const at = { session: `s${Math.random()}`, cwd: home.project, client: "test" };
  const event = { ...at, kind: "session-start", source: "startup" } as const;
  const { context = "" } = await heed.session.answer(event, { deadlineMs: 20_000 });
  await heed.close();
  return context;
}
