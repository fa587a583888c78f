import { renameSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { TemporaryHeed } from "../temporary-heed.ts";

test("a fact about a file that is renamed while the session goes on comes marked to who asks, and to nobody else", async () => {
  const there = new TemporaryHeed({ HEED_RECHECK_MS: "5000" });
  try {
    there.write("src/pagination.ts", "export const MAX_LIMIT = 100;\n");
    there.remember({
      type: "project",
      name: "page-size-cap",
      description: "list endpoints cap the page size at 100, `MAX_LIMIT` in `src/pagination.ts`",
      metadata: ['claims: ["path:src/pagination.ts::MAX_LIMIT=100"]'],
    });
    await there.start();
    renameSync(join(there.project, "src/pagination.ts"), join(there.project, "src/paging.ts"));
    expect(await there.prompt("write a rate limiter for the login endpoints")).toBe("");
    expect(await there.prompt("add a limit to the page of the login")).toBe("");
    const context = await there.prompt("is MAX_LIMIT still what we agreed on?");
    expect(context).toContain("stale: nothing that it names is left: src/pagination.ts is gone");
    expect(context).toContain("list endpoints cap the page size at 100");
  } finally {
    await there.remove();
  }
});

test("a session's start looks for what became of them as long as it may, and no longer", async () => {
  const there = new TemporaryHeed({ HEED_RECHECK_MS: "5000" });
  const commit = (): void => {
    there.git("add", "-A");
    there.git("-c", "user.name=Ada", "-c", "user.email=ada@example.org", "commit", "-qm", "change");
  };
  try {
    const file = there.write("src/pagination.ts", "export const MAX_LIMIT = 100;\n");
    there.write("src/limits.ts", "export const RETRIES = 5;\n");
    commit();
    there.remember({
      type: "project",
      name: "page-size-cap",
      description: "list endpoints cap the page size at 100, `MAX_LIMIT` in `src/pagination.ts`",
      metadata: ['claims: ["path:src/pagination.ts", "path:src/limits.ts"]'],
    });
    renameSync(file, join(there.project, "src/paging.ts"));
    commit();
    const hurried = there.open({ HEED_RECHECK_MS: "0" });
    await hurried.session.answer(
      { kind: "session-start", source: "startup", session: "s1", cwd: there.project, client: "test" },
      { deadlineMs: 15_000 },
    );
    await hurried.close();
    expect(await there.prompt("what is the cap of the page size of list endpoints?")).toMatch(
      /src\/pagination\.ts is gone/,
    );
    await there.start("s2");
    expect(await there.prompt("what is the cap of the page size of list endpoints?", "s2")).toContain(
      "src/pagination.ts was renamed to src/paging.ts",
    );
  } finally {
    await there.remove();
  }
});
