import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { gitEnvironment } from "../machine/git-sandbox.ts";
import { temporaryFolder } from "../store/temporary-store.ts";

const LIBRARY = join(import.meta.dirname, "../../dist/heed.js");
const COUNTER = join(import.meta.dirname, "count-reads.cjs");

/** A call of the library in a process of its own, in a repository with a user's and a project's store. */
function readsOf(call: string): Record<string, number> {
  const home = temporaryFolder();
  const env = {
    ...gitEnvironment(),
    HEED_DIR: join(home, "store"),
    HEED_STATE_DIR: join(home, "state"),
    HEED_CACHE_DIR: join(home, "cache"),
    HEED_CONFIG_DIR: join(home, "config"),
  };
  execFileSync("git", ["init", "-q", "."], { cwd: home, env });
  execFileSync("git", ["commit", "-q", "--allow-empty", "-m", "first"], { cwd: home, env });
  const script = join(home, "call.mjs");
  writeFileSync(
    script,
    `import { openHeed } from ${JSON.stringify(pathToFileURL(LIBRARY).href)};
    const PERSON = { kind: "person" };
    const fact = (name, text) => ({ type: "project", name, description: text, body: text });
    const heed = openHeed({ cwd: ${JSON.stringify(home)} });
    await heed.setup.init("user");
    await heed.setup.init("project");
    await heed.memories.write(fact("queue", "the queue is drained by worker three at night"), PERSON);
    await heed.session.answer({ kind: "session-start", source: "startup", session: "s", cwd: "", client: "claude-code" });
    await heed.close();
    console.log(JSON.stringify(await countReads(() => ${call})));
    await heed.close();`,
  );
  return JSON.parse(
    execFileSync("node", ["--require", COUNTER, script], { cwd: home, env }).toString(),
  ) as Record<string, number>;
}

// What every part of a call must see alike. Two stores hold there: each has a configuration of its own.
const ONCE = { "config.yaml": 2, "stores.json": 1, "repositories.json": 1, HEAD: 1 };

describe("one call reads where it stands once", () => {
  it.each([
    ["a write", `heed.memories.write(fact("invoices", "invoices are sent by the ledger service"), PERSON)`],
    [
      "a prompt",
      `heed.session.answer({ kind: "prompt", prompt: "which worker drains the queue at night?", session: "s", cwd: "", client: "claude-code" })`,
    ],
    ["a search", `heed.memories.search({ query: "queue" })`],
  ])("%s", (_what, call) => {
    const counts = readsOf(call);
    expect(Object.fromEntries(Object.keys(ONCE).map((name) => [name, counts[name] ?? 0]))).toEqual(ONCE);
  });
});
