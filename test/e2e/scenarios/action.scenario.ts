import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { contextOf, occurrences, readByModel } from "../expectations.ts";
import { placeInUserStore } from "../memory-files.ts";
import { test } from "../scenario.ts";

const JOURNAL = {
  type: "project",
  name: "journal",
  statement: "The journal is written synchronously",
  body: "The journal is written synchronously, as the auditors read it while it grows.",
  metadata: ['claims: ["path:src/journal.ts"]'],
};
const BATCH = {
  type: "project",
  name: "batch",
  statement: "MAX_BATCH must stay 5: the vendor bans larger batches",
  metadata: ['claims: ["must:path:src/limits.ts::MAX_BATCH=5"]'],
};
const SAID = "MAX_BATCH must stay 5: the vendor bans larger batches; this edit sets 9";

test("the request after an edit has the line of the fact about its file, once; a broken norm is said before the file changes", async ({
  sandbox,
  session,
}) => {
  placeInUserStore(sandbox, JOURNAL, BATCH);
  sandbox.write("src/journal.ts", "export const a = 1;\n");
  sandbox.write("src/limits.ts", "export const MAX_BATCH = 5;\n");
  const limits = join(sandbox.project, "src/limits.ts");
  const call = (
    name: string,
    path: string,
    input = {},
  ): { name: string; input: Record<string, unknown> } => ({
    name,
    input: { file_path: `${sandbox.project}/${path}`, ...input },
  });
  const raise = call("Edit", "src/limits.ts", { old_string: "= 5", new_string: "= 9" });
  const seen: string[] = [];
  const look = (turn: object) => (): object => {
    seen.push(readFileSync(limits, "utf8"));
    return turn;
  };
  const record = await session({
    permissionMode: "acceptEdits",
    prompts: ["raise the limits"],
    turns: [
      { toolUse: [call("Read", "src/journal.ts"), call("Read", "src/limits.ts")] },
      { toolUse: [call("Edit", "src/journal.ts", { old_string: "1", new_string: "2" })] },
      { toolUse: [call("Edit", "src/journal.ts", { old_string: "2", new_string: "3" })] },
      { toolUse: [raise] },
      look({ toolUse: [raise] }),
      look({ text: "done" }),
    ] as never,
  });
  const told = record.main.map((request) => occurrences("as the auditors read it", contextOf(request)));
  expect(told).toEqual([0, 0, 1, 1, 1, 1]);
  expect(record.main.map((request) => occurrences(SAID, readByModel(request)))).toEqual([0, 0, 0, 0, 1, 1]);
  // The model has read it while the file was as before; the second time it passes.
  expect(seen).toEqual(["export const MAX_BATCH = 5;\n", "export const MAX_BATCH = 9;\n"]);
});
