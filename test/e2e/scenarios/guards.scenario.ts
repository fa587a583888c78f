import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { runs } from "../consent-steps.ts";
import { readByModel } from "../expectations.ts";
import { placeInUserStore, rule } from "../memory-files.ts";
import { test } from "../scenario.ts";

const RULE = rule("leave-no-marks", "Never touch a mark file", [
  'guard: { command: touch, paths: ["*.mark"], unless: { paths: ["allowed/**"] }, say: "write to the log instead" }',
]);
test.for([
  ["the plugin, with its resident server", true],
  ["what heed init writes", false],
] as const)(
  "a denied command does not run, and the model sees why: %s",
  async ([, isPlugin], { sandbox, session }) => {
    placeInUserStore(sandbox, RULE);
    sandbox.write("allowed/.keep", "");
    if (!isPlugin) await sandbox.heed("init", "--client", "claude-code");
    const record = await session({
      ...(!isPlugin && { plugins: [] }),
      prompts: ["leave a mark"],
      allowedTools: ["Bash"],
      turns: [
        runs("sh -c 'touch a.mark'"),
        runs("touch allowed/b.mark && echo touch c.mark"),
        { text: "done" },
      ],
    });
    expect(existsSync(join(sandbox.project, "a.mark"))).toBe(false);
    expect(existsSync(join(sandbox.project, "allowed/b.mark"))).toBe(true);
    const seen = readByModel(record.main[1]!);
    for (const part of ["Refused by a rule", "write to the log instead", "allowed/**", "inside sh -c"])
      expect(seen).toContain(part);
  },
);
