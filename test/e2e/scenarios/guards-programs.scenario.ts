import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { runs } from "../consent-steps.ts";
import { readByModel } from "../expectations.ts";
import { placeInUserStore, rule } from "../memory-files.ts";
import { test } from "../scenario.ts";

const RULES = [
  rule("no-verify", "Never skip the hooks", ["guard: { command: git commit, flags: [--no-verify] }"]),
  rule("no-prod", "Nothing is applied to production", [
    'guard: { command: terraform apply, paths: ["envs/prod/**"] }',
  ]),
  rule("keep-data", "Never delete the data", ['guard: { destroys: "data/**" }']),
];
const FILES = {
  "bin/terraform": "#!/bin/sh\necho applied >>applied\n",
  "envs/prod/main.tf": "",
  "data/a.csv": "1\n",
  Makefile: "hook:\n\tgit commit --no-verify -m made\nbuild:\n\techo built\n",
  "wipe.sh": "rm -rf data\n",
};

// What programs and languages there are: test/surfaces/hooks/program-starts.test.ts.
test("in the real client, programs that a text does not show are seen as they start, and files after the call", async ({
  sandbox,
  session,
}) => {
  placeInUserStore(sandbox, ...RULES);
  for (const [path, text] of Object.entries(FILES)) sandbox.write(path, text);
  sandbox.git("add", "-A");
  sandbox.git("-c", "user.name=a", "-c", "user.email=b", "commit", "-qm", "all");
  const agent = { subagent_type: "general-purpose", description: "d", prompt: "in the agent" };
  const record = await session({
    prompts: ["work"],
    allowedTools: [
      ..."git status,cd,make,sh,export,chmod".split(",").map((name) => `Bash(${name}:*)`),
      "Agent",
    ],
    turns: [
      runs("chmod +x bin/terraform; export PATH=$PWD/bin:$PATH; cd envs/prod && $(echo terraform) apply"),
      runs("make hook"),
      runs("make build"),
      runs("git commit --allow-empty -m unasked"),
      { toolUse: [{ name: "Agent", input: agent }] },
      runs("sh wipe.sh"),
    ],
    subagentTurns: [runs("make hook"), { text: "agent done" }],
  });
  const [, terraform, made, built, unasked, , wiped] = record.main.map(readByModel);
  expect(terraform).toContain("Nothing is applied to production");
  expect(existsSync(join(sandbox.project, "envs/prod/applied"))).toBe(false);
  expect(made).toContain("Never skip the hooks");
  expect(built).toContain("built");
  // What asks in the client still asks.
  expect(unasked).toMatch(/requires approval|permission/);
  const others = record.requests.filter((request) => !record.main.includes(request));
  expect(others.map(readByModel).join("\n")).toContain("Never skip the hooks");
  expect(sandbox.git("rev-list", "--count", "HEAD")).toBe("2\n");
  expect(wiped).toContain("guarded files (heed:keep-data) changed during the last call. gone: data/a.csv");
  expect(wiped).toContain("git restore");
});
