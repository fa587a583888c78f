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
  const prompt = "May I change the route table of the payment service before the audit?";
  const commit = (): void => {
    there.git("add", "-A");
    there.git("-c", "user.name=Ada", "-c", "user.email=ada@example.org", "commit", "-qm", "change");
  };
  try {
    const file = there.write("src/routes.ts", "export const route = 1;\n");
    there.write("src/limits.ts", "export const RETRIES = 5;\n");
    commit();
    there.remember({
      type: "project",
      name: "route-table",
      description: "the route table of the payment service is frozen until the audit",
      body: "Ann froze the route table in `src/routes.ts` until the payment audit is over.",
      metadata: ['claims: ["path:src/routes.ts", "path:src/limits.ts"]'],
    });
    renameSync(file, join(there.project, "src/http-routes.ts"));
    commit();
    const hurried = there.open({ HEED_RECHECK_MS: "0" });
    await hurried.session.answer(
      { kind: "session-start", source: "startup", session: "s1", cwd: there.project, client: "test" },
      { deadlineMs: 15_000 },
    );
    await hurried.close();
    expect(await there.prompt(prompt)).toMatch(/src\/routes\.ts is gone/);
    await there.start("s2");
    expect(await there.prompt(prompt, "s2")).toContain("src/routes.ts was renamed to src/http-routes.ts");
  } finally {
    await there.remove();
  }
});
