import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect } from "vitest";
import { permit, refuse } from "../client/dialogs.ts";
import { answerIn, codeIn, runs } from "../consent-steps.ts";
import { readByModel } from "../expectations.ts";
import { placeInUserStore, rule } from "../memory-files.ts";
import { test } from "../scenario.ts";

const NO_MARKS = rule("no-marks", "Never touch a mark file", [
  'guard: { command: touch, paths: ["*.mark"], action: deny, say: "write to the log instead" }',
]);
const ASK_FOR_SEALS = rule("ask-for-seals", "Ask before a seal file is touched", [
  'guard: { command: touch, paths: ["*.seal"], action: ask }',
]);
const MODES = ["default", "acceptEdits", "plan", "dontAsk", "bypassPermissions", "auto"] as const;

describe.each(MODES)("guards in permission mode %s", (permissionMode) => {
  test("in the terminal: one asks, one denies, and heed allow CODE lets exactly the stopped call pass, once", async ({
    sandbox,
    session,
  }) => {
    placeInUserStore(sandbox, NO_MARKS, ASK_FOR_SEALS);
    let [code, asked] = ["", ""];
    const record = await session({
      terminal: true,
      permissionMode,
      allowedTools: ["Bash"],
      prompts: [
        {
          text: "seal it and mark it",
          meanwhile: async (terminal) => permit(terminal, (screen) => (asked = screen)),
        },
        { text: () => `heed allow ${code}` },
        // In plan mode the client has a check of its own for commands that change something.
        { text: "again, please", ...(permissionMode === "plan" && { meanwhile: permit }) },
        { text: "one more seal", meanwhile: refuse },
      ],
      turns: [
        runs("touch a.seal"),
        runs("touch a.mark"),
        (request) => {
          code = codeIn(readByModel(request), "allow");
          return { text: "Refused." };
        },
        { text: "Allowed." },
        runs("touch b.mark"),
        runs("touch a.mark"),
        runs("touch a.mark"),
        { text: "done" },
        runs("touch b.seal"),
      ],
    });
    expect(asked.replace(/[\s│]+/g, " ")).toContain(
      "Your rule: Ask before a seal file is touched. This call: touch a.seal",
    );
    expect(answerIn(record, 2)).toContain("write to the log instead");
    expect(
      ["a.seal", "b.seal", "a.mark", "b.mark"].map((file) => existsSync(join(sandbox.project, file))),
    ).toEqual([true, false, true, false]);
    // Let pass once, then stopped again.
    expect(answerIn(record, 6)).not.toContain("write to the log instead");
    expect(answerIn(record, 7)).toContain("write to the log instead");
    expect(record.shown).toMatch(/says: [^●]*touch a\.mark/);
  });

  test("without a user both stop the call, and the model reads why", async ({ sandbox, session }) => {
    placeInUserStore(sandbox, NO_MARKS, ASK_FOR_SEALS);
    const record = await session({
      permissionMode,
      allowedTools: ["Bash"],
      prompts: ["seal it and mark it"],
      turns: [runs("touch a.seal"), runs("touch a.mark"), { text: "Both refused." }],
    });
    expect(["a.seal", "a.mark"].map((file) => existsSync(join(sandbox.project, file)))).toEqual([
      false,
      false,
    ]);
    expect(answerIn(record, 1)).toContain("heed:ask-for-seals");
    expect(answerIn(record, 2)).toContain("heed:no-marks");
  });
});
