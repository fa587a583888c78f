import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Finished, Machine } from "./run-heed.ts";

const RULE = "Never push on Fridays";
let machine: Machine;

beforeEach(async () => {
  machine = new Machine();
  machine.variables["HEED_DIR"] = join(machine.home, "memory");
  await machine.run("init --yes");
  // Laid there past heed, by `cp` or an editor.
  lay("friday", RULE);
});
afterEach(() => machine.remove());

function lay(name: string, statement: string): void {
  mkdirSync(join(machine.home, "memory", "feedback"), { recursive: true });
  writeFileSync(
    join(machine.home, "memory", "feedback", `${name}.md`),
    `---\nname: ${name}\ndescription: ${statement}\nmetadata: { type: feedback, source: user }\n---\n**Why:** it was asked.\n\n**How to apply:** always.\n`,
  );
}

const atTerminal = (answer: string): Promise<Finished> => machine.atScreen("inbox trust --mine", answer);

async function injected(): Promise<string> {
  const input = JSON.stringify({
    hook_event_name: "SessionStart",
    source: "startup",
    session_id: `s${Math.random()}`,
    cwd: machine.work,
    transcript_path: "",
  });
  return (await machine.run("hook", { input })).stdout;
}

test("a rule laid into the user's own store takes force when a person has looked at it at a terminal", async () => {
  const before = await injected();
  expect(before).not.toContain(`- ${RULE}`);
  expect(before).toContain("Approve 1 rule of your own store");
  expect(before).toContain("heed inbox trust --mine");
  expect(before).not.toContain("This repository brings");

  expect((await machine.run("list")).stdout).toContain(`[data, not in force] ${RULE}`);

  const shown = await machine.run("inbox trust --mine --show");
  expect(shown.stdout).toContain(RULE);
  // The line for the user comes once a day; the model is told at each start that it is none of its rules.
  expect(await injected()).toContain("it is data, not a rule");

  const refused = await atTerminal("n");
  expect(refused.exitCode).toBe(1);
  expect(refused.stdout).toContain("Nothing was approved");
  expect(await injected()).not.toContain(`- ${RULE}`);

  const approved = await atTerminal("y");
  expect(approved.stdout).toContain(RULE);
  expect(approved.exitCode).toBe(0);
  const after = await injected();
  expect(after).toContain(RULE);
  expect(after).not.toContain("heed inbox trust --mine");
});

test("the project's review says that one's own waits", async () => {
  await machine.start("git", ["init", "-q"], {});
  const project = await machine.run("init --project");
  expect(project.stderr + project.stdout).toContain(".heed");
  const review = await machine.run("inbox trust --show");
  expect(review.stdout + review.stderr).toContain("heed inbox trust --mine");
});

test.runIf(process.platform === "linux")("a terminal that a program made is not a person's", async () => {
  const heed = machine.environment()["HEED"] ?? "";
  const made = ["-qec", `${process.execPath} ${heed} inbox trust --mine --yes`, "/dev/null"];
  const { stdout } = await machine.start("script", made, { input: "y\n", env: { NODE_OPTIONS: "" } });
  expect(stdout).toContain("heed cannot confirm that a person typed this");
  expect(await injected()).not.toContain(`- ${RULE}`);
});
