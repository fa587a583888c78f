import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { readByModel, requestFor } from "../expectations.ts";
import { testInitialised as test } from "../scenario.ts";

const NAME = "release-the-parser-to-the-registry";
const STATEMENT = "Release the parser to the registry";
const WHEN = "when a version is to be published";

test("a procedure is listed as a skill by the client, until it is removed", async ({ sandbox, session }) => {
  const body = `${STATEMENT}\n\n**How to apply:** ${WHEN}\n\n**Steps:**\n1. npm test\n\n**Check:** npm view`;
  await sandbox.heed("write", "--type", "procedure", STATEMENT, "--body", body);
  await sandbox.heed("sync", "skills", "--user");
  const listed = readByModel(requestFor("good day", await session({ prompts: ["good day"] })));
  expect(listed).toContain(`${NAME}: ${STATEMENT} (${WHEN})`);
  expect(sandbox.git("status", "--short")).not.toContain(".claude");
  await sandbox.heed("remove", NAME);
  await sandbox.heed("sync", "skills", "--user");
  expect(existsSync(join(sandbox.project, ".claude", "skills", NAME))).toBe(false);
});
