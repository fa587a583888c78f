import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect } from "vitest";
import type { ScriptedTurn } from "../api/scripted-turn.ts";
import { choose, dismiss } from "../client/dialogs.ts";
import { answerIn, rulesOf, WRITE, writesRule } from "../consent-steps.ts";
import { contextSince, requestFor } from "../expectations.ts";
import { memoryFile, rule } from "../memory-files.ts";
import { testInitialised as test } from "../scenario.ts";

const [UPDATE, REMOVE] = ["memory_update", "memory_remove"].map((name) => `mcp__plugin_heed_heed__${name}`);
/** A session with a user, in which the model may write. */
const THERE = { terminal: true, allowedTools: [WRITE, UPDATE, REMOVE] as string[] } as const;

function calls(name: string = "", input: Record<string, unknown>): ScriptedTurn {
  return { toolUse: [{ name, input }] };
}

test("a quote asks that is in quotation marks, brought a memory before, or was taken back", async ({
  sandbox,
  session,
}) => {
  const [odd, plain] = ['they wrote "always squash the commits", odd', "never force push in here"];
  const record = await session({
    ...THERE,
    prompts: [
      { text: odd, meanwhile: dismiss },
      { text: plain, meanwhile: dismiss },
      "heed undo",
      { text: "go on", meanwhile: dismiss },
    ],
    turns: [
      writesRule("Always squash the commits", "always squash the commits"),
      { text: "Hm." },
      writesRule("Never force push", plain),
      writesRule("Never rewrite the history of this repository", plain),
      { text: "Noted." },
      writesRule("Never force push", plain),
      { text: "Done." },
    ],
  });
  const outcomes = [1, 3, 4, 6].map((at) => /"outcome":\s*"(\w+)"/.exec(answerIn(record, at))?.[1]);
  expect(outcomes).toEqual(["waits", "written", "waits", "waits"]);
  expect(await rulesOf(sandbox)).toEqual([]);
});

test("what was typed plainly adds to a rule and corrects what the user said of themselves, and ends no rule", async ({
  sandbox,
  session,
}) => {
  const [uv, fine] = ["Use uv, never pip, in this repository", "pip is fine inside the Dockerfile"];
  const [push, ready] = ["never push to main", "run the tests and push to main when ready"];
  const [graz, gone] = ["I live in Graz", "I do not live in Graz any more"];
  const record = await session({
    ...THERE,
    prompts: [uv, fine, push, { text: ready, meanwhile: dismiss }, graz, gone],
    turns: [
      writesRule(uv, uv),
      { text: "Noted." },
      calls(UPDATE, {
        handle: "use-uv-never-pip-in-this-repository",
        statement: `${uv}; ${fine}`,
        quote: fine,
      }),
      { text: "Noted." },
      writesRule("Never push to main", push),
      { text: "Noted." },
      calls(UPDATE, { handle: "never-push-to-main", statement: "Push to main when ready", quote: ready }),
      { text: "Later." },
      calls(WRITE, { type: "user", statement: "The user lives in Graz", quote: graz }),
      { text: "Noted." },
      calls(REMOVE, { handle: "the-user-lives-in-graz", reason: "moved", quote: gone }),
      { text: "Gone." },
    ],
  });
  expect((await rulesOf(sandbox)).sort()).toEqual(["Never push to main", `${uv}; ${fine}`]);
  // Announced with the old text.
  expect(record.shown.replace(/\s+/g, " ")).toContain(`before: "${uv}"`);
  expect(answerIn(record, 7)).toMatch(/"outcome":\s*"waits"/);
  expect((await sandbox.heed("list", "--type", "user")).stdout).not.toContain("Graz");
});

describe("which store", () => {
  test("the user's own; a shared one by a dialog, and a clone's rules by one, told at once", async ({
    sandbox,
    session,
  }) => {
    const theirs = rule("log-in-logfmt", "Log in logfmt, one line an event");
    sandbox.write(".heed/config.yaml", "store: 01JD3Z8Q6T0V9W4X5Y6Z7A8B9C\n");
    sandbox.write(`.heed/feedback/${theirs.name}.md`, memoryFile(theirs));
    const [shared, own] = ["keep for all of us: use pnpm in here", "sort the imports in each file"];
    const record = await session({
      ...THERE,
      prompts: [
        { text: "hello", meanwhile: async (terminal) => choose(terminal, "approve") },
        "what now?",
        { text: shared, meanwhile: async (terminal) => choose(terminal, "keep") },
        own,
      ],
      turns: [
        { text: "Hello." },
        { text: "Nothing." },
        calls(WRITE, { type: "feedback", statement: "Use pnpm in here", quote: shared, store: "project" }),
        { text: "It waits." },
        writesRule("Sort the imports in each file", own),
        { text: "Noted." },
      ],
    });
    expect(contextSince("what now?", requestFor("what now?", record))).toContain(theirs.statement);
    const rulesIn = (root: string): string => {
      const folder = join(root, "feedback");
      return readdirSync(folder)
        .map((file) => readFileSync(join(folder, file), "utf8"))
        .join("\n");
    };
    expect(rulesIn(join(sandbox.project, ".heed"))).toContain("Use pnpm in here");
    expect(rulesIn(sandbox.userStore)).toContain("Sort the imports in each file");
    expect(rulesIn(sandbox.userStore)).not.toContain("pnpm");
  });
});

test("a secret is refused once and nobody is reminded; what is private is kept nowhere", async ({
  sandbox,
  session,
}) => {
  const said = "remember that the staging password is kQz7vTreMPw2-x9, always";
  const hidden = "please look at it <private>my salary is 48000</private>";
  const record = await session({
    ...THERE,
    prompts: [said, hidden, "go on"],
    turns: [writesRule("The staging password is kQz7vTreMPw2-x9", said), { text: "I keep no secret." }],
  });
  expect(answerIn(record, 1)).toContain("keep where it is, not the secret itself");
  for (const prompt of ["please look at it", "go on"])
    expect(contextSince(prompt, requestFor(prompt, record))).toBe("");
  const folders = [join(sandbox.home, ".local"), join(sandbox.home, ".cache"), sandbox.userStore];
  const { stdout } = spawnSync("grep", ["-rlE", "48000|kQz7vTreMPw2", ...folders]);
  expect(stdout.toString()).toBe("");
});
