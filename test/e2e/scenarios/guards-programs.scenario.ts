import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { readByModel } from "../expectations.ts";
import { placeInUserStore, rule } from "../memory-files.ts";
import { test } from "../scenario.ts";

const RULES = [
  rule("no-verify", "Never skip the hooks", [
    "guard: { command: git commit, flags: [--no-verify], say: fix the hook }",
  ]),
  rule("no-prod", "Nothing is applied to production", [
    'guard: { command: terraform apply, paths: ["envs/prod/**"] }',
  ]),
  rule("keep-data", "Never delete the data", ['guard: { destroys: "data/**" }']),
];
let calls = 0;
const bash = (command: string, more: object = {}): { name: string; input: Record<string, unknown> } => ({
  name: "Bash",
  input: { command, description: `call ${++calls}`, ...more },
});

test("in the real client, programs that a text does not show are seen as they start, and files after the call", async ({
  sandbox,
  session,
}) => {
  placeInUserStore(sandbox, ...RULES);
  const git = (...args: string[]): string =>
    execFileSync("git", args, { cwd: sandbox.project, encoding: "utf8" });
  sandbox.write("bin/terraform", "#!/bin/sh\necho applied >>applied\n");
  sandbox.write("envs/prod/main.tf", "");
  sandbox.write("data/a.csv", "1\n");
  sandbox.write(
    "Makefile",
    "hook:\n\tgit commit --no-verify -m made\nbuild:\n\trm -rf dist && mkdir dist && echo built\n",
  );
  sandbox.write(
    "check.sh",
    "d=$(mktemp -d) && cd $d && git init -q . && git -c user.name=a -c user.email=b commit -qn --allow-empty -m t && echo checked\n",
  );
  sandbox.write("wipe.sh", "rm -rf data\n");
  execFileSync("chmod", ["+x", "bin/terraform"], { cwd: sandbox.project });
  git("add", "-A");
  git("-c", "user.name=a", "-c", "user.email=b", "commit", "-qm", "all");
  const count = git("rev-list", "--count", "HEAD");
  const record = await session({
    prompts: ["work"],
    allowedTools: [
      "Bash(git status:*)",
      "Bash(cd:*)",
      "Bash(make:*)",
      "Bash(python3:*)",
      "Bash(sh:*)",
      "Bash(export:*)",
      "Bash(bash:*)",
      "Task",
      "Agent",
    ],
    turns: [
      { toolUse: [bash("export PATH=$PWD/bin:$PATH; cd envs/prod && $(echo terraform) apply")] },
      { toolUse: [bash("make hook")] },
      {
        toolUse: [
          bash(`python3 -c "import subprocess; subprocess.call(['git', 'commit', '-n', '-m', 'x'])"`),
        ],
      },
      { toolUse: [bash("make build")] },
      { toolUse: [bash("sh check.sh")] },
      { toolUse: [bash("git status --short")] },
      { toolUse: [bash("git commit --allow-empty -m unasked")] },
      { toolUse: [bash("make -s hook; sleep 1", { run_in_background: true })] },
      {
        toolUse: [
          {
            name: "Agent",
            input: { subagent_type: "general-purpose", description: "d", prompt: "in the agent" },
          },
        ],
      },
      { toolUse: [bash("sh wipe.sh")] },
      { text: "done" },
    ],
    subagentTurns: [{ toolUse: [bash("make hook")] }, { text: "agent done" }],
  });
  const [, terraform, made, python, built, checked, status, unasked, background, agent, wiped] =
    record.main.map((request) => readByModel(request));
  expect(terraform).toContain("Nothing is applied to production");
  expect(existsSync(join(sandbox.project, "envs/prod/applied"))).toBe(false);
  for (const seen of [made, python]) expect(seen).toContain("Never skip the hooks");
  expect(built).toContain("built");
  expect(checked).toContain("checked");
  expect(status).not.toContain("requires approval");
  expect(unasked).toMatch(/requires approval|permission/);
  expect(background).toBeDefined();
  expect(agent).toBeDefined();
  expect(
    record.requests
      .filter((request) => !record.main.includes(request))
      .map(readByModel)
      .join("\n"),
  ).toContain("Never skip the hooks");
  expect(git("rev-list", "--count", "HEAD")).toBe(count);
  expect(wiped).toContain("guarded files (heed:keep-data) changed during the last call. gone: data/a.csv");
  expect(wiped).toContain("git restore");
});
