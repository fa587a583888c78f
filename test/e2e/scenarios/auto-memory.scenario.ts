import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect } from "vitest";
import type { Sandbox } from "../client/sandbox.ts";
import { occurrences, readByModel, requestFor } from "../expectations.ts";
import { memoryFile, placeInUserStore, rule } from "../memory-files.ts";
import { FLAKY, QUEUE, STAGING } from "../sample-facts.ts";
import { test } from "../scenario.ts";

const SHARED = rule("use-pnpm", "Use pnpm and never npm in this repository");
const OWN = rule("own-rule", "Own rules are in force");

/** Puts a rule into the client's own memory, as the client would; returns the folder. */
function clientMemory(sandbox: Sandbox): string {
  const slug = sandbox.project.replaceAll(/[^A-Za-z0-9]/g, "-");
  const folder = join(sandbox.home, ".claude", "projects", slug, "memory");
  sandbox.write(join(folder, "MEMORY.md"), `- [use-pnpm](use-pnpm.md): ${SHARED.description}\n`);
  sandbox.write(join(folder, "use-pnpm.md"), memoryFile(SHARED));
  return folder;
}

function filesIn(folder: string): Record<string, string> {
  return Object.fromEntries(
    readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), "utf8")]),
  );
}

describe("beside the client's own memory", () => {
  test("what it shows is not said twice, and its files are left alone", async ({ sandbox, session }) => {
    const folder = clientMemory(sandbox);
    const before = filesIn(folder);
    placeInUserStore(sandbox, SHARED, OWN);
    const record = await session({ prompts: ["hello"] });
    const text = readByModel(requestFor("hello", record));
    // The client itself shows its index: without that this scenario would show nothing.
    expect(text).toContain("[use-pnpm](use-pnpm.md)");
    expect(occurrences(SHARED.description, text)).toBe(1);
    expect(occurrences(OWN.description, text)).toBe(1);
    expect(filesIn(folder)).toEqual(before);
  });

  test("facts of the attached folder are in its index or in the map, in one of them; another project's in none", async ({
    sandbox,
    session,
  }) => {
    const folder = clientMemory(sandbox);
    sandbox.write(join(folder, "staging-db.md"), memoryFile(STAGING));
    sandbox.write(join(folder, "queue-retry.md"), memoryFile(QUEUE));
    const index = readFileSync(join(folder, "MEMORY.md"), "utf8");
    sandbox.write(join(folder, "MEMORY.md"), `${index}- [staging](staging-db.md): where staging runs\n`);
    const other = join(sandbox.home, ".claude", "projects", "-somewhere-else", "memory");
    sandbox.write(join(other, "playwright-hangs-in-docker.md"), memoryFile(FLAKY));
    await sandbox.heed("attach", folder);
    await sandbox.heed("attach", other);
    const record = await session({ prompts: ["hello"] });
    const text = readByModel(requestFor("hello", record));
    const [, map = ""] = /<heed-map>([^]*?)<\/heed-map>/.exec(text) ?? [];
    expect(map).toContain("heed:queue-retry");
    expect(map).not.toContain("staging-db");
    expect(text).toContain("(staging-db.md)");
    expect(text).not.toContain("playwright-hangs-in-docker");
    // Until the user has said so, the model is asked to ask them which of the two is written.
    expect(text).toContain("ask the user once which of the two is to write from now on");
    await sandbox.heed("config", "writer", "heed");
    const settled = readByModel(requestFor("hello", await session({ prompts: ["hello"] })));
    expect(settled).toContain("heed writes memory here");
    expect(settled).not.toContain("ask the user once");
  });

  test("the same when it is attached as a store", async ({ sandbox, session }) => {
    const folder = clientMemory(sandbox);
    sandbox.write(join(folder, "not-in-index.md"), memoryFile(OWN));
    const before = filesIn(folder);
    await sandbox.heed("attach", folder);
    const record = await session({ prompts: ["hello"] });
    const text = readByModel(requestFor("hello", record));
    expect(occurrences(SHARED.description, text)).toBe(1);
    expect(occurrences(OWN.description, text)).toBe(1);
    expect(filesIn(folder)).toEqual(before);
  });
});
