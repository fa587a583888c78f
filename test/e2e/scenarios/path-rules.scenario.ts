import { expect } from "vitest";
import { contextOf, occurrences } from "../expectations.ts";
import { placeInUserStore, rule } from "../memory-files.ts";
import { test } from "../scenario.ts";

const MIGRATIONS = rule("migrations-are-append-only", "Never edit a migration that is on main", [
  'scope: { paths: ["migrations/**"] }',
]);

test("a rule of a path comes at the first tool use there, and once", async ({ sandbox, session }) => {
  placeInUserStore(sandbox, MIGRATIONS);
  sandbox.write("migrations/001.sql", "select 1;\n");
  sandbox.write("src/a.ts", "export {};\n");
  const read = (path: string): { name: string; input: Record<string, unknown> } => ({
    name: "Read",
    input: { file_path: `${sandbox.project}/${path}` },
  });
  const record = await session({
    prompts: ["look around"],
    turns: [
      { toolUse: [read("src/a.ts")] },
      { toolUse: [read("migrations/001.sql")] },
      { toolUse: [read("migrations/001.sql")] },
    ],
  });
  const statement = MIGRATIONS.description;
  expect(record.main).toHaveLength(4);
  const shown = record.main.map((request) => occurrences(statement, contextOf(request)));
  expect(shown).toEqual([0, 0, 1, 1]);
});
