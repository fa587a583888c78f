import { expect } from "vitest";
import { processesOf } from "../client/sandbox-process.ts";
import { rulesOf } from "../consent-steps.ts";
import { contextOf, requestFor } from "../expectations.ts";
import { placeInUserStore, rule } from "../memory-files.ts";
import { test, testWith } from "../scenario.ts";

const SAID = "From now on use pnpm and not npm in here, because npm breaks our lockfile";

test("what nobody wrote is not kept: heed makes no memory of what was said", async ({ sandbox, session }) => {
  await sandbox.heed("init");
  await session({ terminal: true, prompts: [SAID, "Add the dependency left-pad"] });
  expect(await rulesOf(sandbox)).toEqual([]);
});

testWith("older")(
  "by command hooks alone: what the user tells heed to keep is in force, and forgotten when they say so",
  async ({ sandbox, session }) => {
    await sandbox.heed("init", "--client", "claude-code");
    await session({ terminal: true, plugins: [], prompts: ["heed keep: Use pnpm and never npm in here"] });
    expect(await rulesOf(sandbox)).toEqual(["Use pnpm and never npm in here"]);
    const { stdout } = await sandbox.heed("list", "--type", "feedback", "--json");
    const { memories } = JSON.parse(stdout) as { memories: { name: string }[] };
    const record = await session({
      terminal: true,
      plugins: [],
      prompts: ["hello", `heed forget ${memories[0]?.name}`],
    });
    expect(contextOf(requestFor("hello", record))).toContain("Use pnpm and never npm in here");
    expect(await rulesOf(sandbox)).toEqual([]);
  },
);

test("work that was left open is told to the next session as git has it, and not hidden by a greeting", async ({
  sandbox,
  session,
}) => {
  await sandbox.heed("init");
  const file = `${sandbox.project}/src/upload.ts`;
  await session({
    prompts: ["Add retries to the upload client"],
    allowedTools: ["Write"],
    turns: [
      { toolUse: [{ name: "Write", input: { file_path: file, content: "export const RETRIES = 3;\n" } }] },
      { text: "The client retries three times now; its test is missing." },
    ],
  });
  await sandbox.heed("capture");
  await session({ prompts: ["hi", "thanks"] });
  await sandbox.heed("capture");
  const start = contextOf(requestFor("hello", await session({ prompts: ["hello"] })));
  expect(start).toContain("src/upload.ts");
  // What was asked for is a remark of that day, no goal of this one.
  expect(start).not.toContain("Goal:");

  sandbox.git("add", ".");
  sandbox.git(
    "-c",
    "user.name=Test",
    "-c",
    "user.email=t@example.com",
    "commit",
    "--quiet",
    "--message=Retry",
  );
  const done = contextOf(requestFor("hello", await session({ prompts: ["hello"] })));
  expect(done).not.toMatch(/uncommitted[^\n]*upload/i);
});

test("nothing of heed but its server runs while a prompt is answered, nor for a minute after", async ({
  sandbox,
  session,
}) => {
  placeInUserStore(sandbox, rule("own-rule", "Own rules are in force"));
  const seen: string[][] = [];
  const look = () => {
    const others = processesOf(sandbox.home).filter(({ command }) => !/\bmcp\b|mcp\.cjs/.test(command));
    seen.push(
      others.map(({ command }) => command).filter((command) => /heed\.cjs|hook\.cjs|capture/.test(command)),
    );
    return { text: "ok", delayMs: 300 };
  };
  const prompts = [SAID, "Second", "Third", "Fourth"];
  await session({ prompts, turns: prompts.map(() => look) });
  expect(seen).toEqual(prompts.map(() => []));
});
