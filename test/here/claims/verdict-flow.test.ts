import { renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import type { Actor } from "../../../src/heed.ts";
import { TemporaryHeed } from "../../home/temporary-heed.ts";

const PERSON: Actor = { kind: "person" };
const MODEL: Actor = { kind: "model", client: "test", session: "s1" };
const ROUTES = Array.from({ length: 20 }, (_, i) => `export const route${i} = "/path/${i}";`).join("\n");

const there = TemporaryHeed.forEachTest();

const commit: typeof there.commit = (...args) => there.commit(...args);
beforeEach(() => {
  commit({ "src/routes.ts": ROUTES, "src/limits.ts": "export const MAX_RETRIES = 5;\n" });
});

/** A memory about the routes of this repository, as a person would have written it. */
function rememberRoutes(claims: readonly string[], metadata: readonly string[] = []): void {
  there.remember({
    type: "project",
    name: "route-table",
    statement: "the route table of the payment service is frozen until the audit",
    body: "Ann froze the route table in `src/routes.ts` until the payment audit is over.",
    metadata: ["created: 2026-11-01T00:00:00Z", `claims: ${JSON.stringify(claims)}`, ...metadata],
  });
}

const shown = () => there.heed.memories.show("route-table");
const verify: typeof there.heed.maintenance.verify = (...args) => there.heed.maintenance.verify(...args);
const withoutRepository = (): void => rmSync(join(there.project, ".git"), { recursive: true });

function withShallowClone(): void {
  const clone = join(there.folder, "clone");
  there.git("clone", "-q", "--depth=1", `file://${there.project}`, clone);
  rmSync(there.project, { recursive: true });
  renameSync(clone, there.project);
}

const BEGUN = { kind: "session-start", source: "startup" } as const;
const PROMPT = "May I change the route table of the payment service before the audit?";

describe("a verdict in the flow", () => {
  test("of claims that hold: fresh, in the prompt, in search, when shown, and in the receipt", async () => {
    rememberRoutes(["path:src/routes.ts", "path:src/routes.ts::route3"]);
    expect(await there.prompt(PROMPT)).toContain("never verified · fresh: its 2 claims hold\n");
    const { hits } = await there.heed.memories.search({ query: "route table" });
    expect(hits[0]?.verdict).toMatchObject({
      standing: "fresh",
      paths: { checked: ["src/routes.ts"], missing: [] },
    });
    const { verdict } = await shown();
    expect(verdict).toMatchObject({
      standing: "fresh",
      calendar: { status: "never", ageDays: 20, checkAfterDays: 30, isDue: false },
      commits: { since: "2026-11-01" },
      unchecked: [],
      isGone: false,
    });
    const last = (await there.heed.session.receipts({ limit: 1 }))[0]?.decisions.at(-1);
    expect([last?.standing, last?.verdict]).toEqual(["fresh", "fresh: its 2 claims hold"]);
  });

  test("of a path that was renamed: told, with the new path and the commit", async () => {
    rememberRoutes(["path:src/routes.ts", "path:src/limits.ts"]);
    const id = commit({ "src/routes.ts": null, "src/http/routes.ts": ROUTES });
    await there.start();
    const context = await there.prompt(PROMPT);
    expect(context).toContain(`check: src/routes.ts was renamed to src/http/routes.ts (${id.slice(0, 8)}`);
    expect(context).toContain("its contents still match");
    expect(context).toContain("Ann froze");
  });

  test("of a path that was renamed before a squash: the same", async () => {
    rememberRoutes(["path:src/routes.ts", "path:src/limits.ts"]);
    there.git("switch", "-qc", "feature");
    commit({ "src/routes.ts": null, "lib/routes.ts": `${ROUTES}\n// one` });
    commit({ "lib/routes.ts": null, "src/http/routes.ts": `${ROUTES}\n// two` });
    there.git("switch", "-q", "main");
    there.git("merge", "-q", "--squash", "feature");
    const id = commit({}, "squashed");
    there.git("branch", "-qD", "feature");
    await there.start();
    expect(await there.prompt(PROMPT)).toContain(
      `src/routes.ts was renamed to src/http/routes.ts (${id.slice(0, 8)}`,
    );
  });

  test("of which nothing is left: its line with the verdict, offered for repair, not its text", async () => {
    rememberRoutes(["path:src/routes.ts"]);
    commit({ "src/routes.ts": null });
    await there.start();
    const line = await there.prompt(PROMPT);
    expect(line).toMatch(
      /stale: everything it refers to is gone: .*`heed check --fix route-table`.*frozen until/,
    );
    expect(line).not.toContain("Ann froze");
  });

  test("of which the file is there without its symbol: not said to be gone, nor offered for removal", async () => {
    rememberRoutes(["path:src/routes.ts::route3"]);
    commit({ "src/routes.ts": ROUTES.replace("route3", "other"), "src/http/three.ts": ROUTES });
    await there.start();
    expect(await there.prompt(PROMPT)).toMatch(/stale: src\/routes\.ts no longer defines route3 \(\w+, /);
    const { sections } = await there.open().maintenance.health();
    expect(JSON.stringify(sections)).not.toContain('"remove"');
  });

  test("one broken claim hides nothing of what holds, and the line says which", async () => {
    rememberRoutes(["path:src/routes.ts", "path:src/limits.ts"]);
    commit({ "src/routes.ts": null });
    await there.start();
    const context = await there.prompt(PROMPT);
    expect(context).toMatch(/stale: src\/routes\.ts is gone .*; the rest holds: its other claim/);
    expect(context).toContain("Ann froze");
  });

  test("a session's start looks for what became of them as long as it may, and no longer", async () => {
    rememberRoutes(["path:src/routes.ts", "path:src/limits.ts"]);
    commit({ "src/routes.ts": null, "src/http/routes.ts": ROUTES });
    const hurried = there.open({ HEED_RECHECK_MS: "0" });
    await there.event(BEGUN, hurried);
    await hurried.close();
    // Not "everything it refers to is gone", and not offered for removal: nobody looked.
    expect(await there.prompt(PROMPT)).toMatch(/check: src\/routes\.ts is not here, and git was not asked/);
    await there.start("s2");
    expect(await there.prompt(PROMPT, "s2")).toContain("src/routes.ts was renamed to src/http/routes.ts");
  });

  test("of a file that is renamed while the session goes on: marked to who asks, and told to nobody else", async () => {
    there.remember({
      type: "project",
      name: "retry-cap",
      statement: "calls of the ledger are retried five times, `MAX_RETRIES` in `src/limits.ts`",
      metadata: ['claims: ["path:src/limits.ts::MAX_RETRIES=5"]'],
    });
    await there.start();
    renameSync(join(there.project, "src/limits.ts"), join(there.project, "src/bounds.ts"));
    for (const other of ["write a rate limiter for the login endpoints", "retry the login of the page"])
      expect(await there.prompt(other)).toBe("");
    const context = await there.prompt("is MAX_RETRIES still what we agreed on?");
    expect(context).toContain("check: src/limits.ts is not here, and git was not asked");
    expect(context).toContain("calls of the ledger are retried five times");
  });

  test("in the map: a line says where its subject moved, or that there was no time to look", async () => {
    rememberRoutes(["path:src/routes.ts"]);
    commit({ "src/routes.ts": null, "src/http/routes.ts": ROUTES });
    expect((await shown()).verdict?.standing).toBe("check");
    expect(await there.start()).toMatch(/\(more; now src\/http\/routes\.ts\) \[heed:route-table\]/);
    there.env["HEED_RECHECK_MS"] = "0";
    const hurried = there.open();
    const { context } = await there.event({ ...BEGUN, session: "s2" }, hurried);
    await hurried.close();
    expect(context).toContain("(more; not re-checked in time) [heed:route-table]");
  });

  test("follows a revert and a switch of branches by content", async () => {
    rememberRoutes(["path:src/routes.ts::route3"]);
    const standing = async (): Promise<string | undefined> => (await shown()).verdict?.standing;
    commit({ "src/routes.ts": null });
    expect(await standing()).toBe("stale");
    there.git("revert", "--no-edit", "HEAD");
    expect(await standing()).toBe("fresh");
    there.git("switch", "-qc", "other", "HEAD~1");
    expect(await standing()).toBe("stale");
    there.git("switch", "-q", "main");
    expect(await standing()).toBe("fresh");
  });

  test("holds however old it is: a date is no finding", async () => {
    rememberRoutes(["path:src/routes.ts"]);
    there.now = "2027-06-01T12:00:00Z";
    const { verdict } = await shown();
    expect(verdict).toMatchObject({ standing: "fresh", calendar: { isDue: true, status: "never" } });
    expect(verdict?.words).toMatch(/^fresh: its claim holds/);
    expect(await there.prompt(PROMPT)).toContain("Ann froze");
  });

  test("asks for a check after many commits on its files, and never more than that", async () => {
    rememberRoutes(["path:src/limits.ts::MAX_RETRIES=5"]);
    for (let i = 0; i < 20; i++) commit({ "src/limits.ts": `export const MAX_RETRIES = 5;\n// ${i}\n` });
    const { verdict } = await shown();
    // The clock of the commits is this machine's: what counts is that they are later than the memory.
    expect(verdict).toMatchObject({ standing: "check", commits: { count: 21 } });
    expect(verdict?.words).toContain("21 commits on its files since");
  });

  test.each([
    ["what should not be there", "absent:src/limits.ts", "stale: src/limits.ts is there"],
    ["an end that has passed", "until:2020-01-01", "stale: it held until 2020-01-01"],
  ])("%s is not said to be gone", async (_what, claim, words) => {
    rememberRoutes([claim]);
    const { verdict } = await shown();
    expect(verdict).toMatchObject({ standing: "stale", isGone: true });
    expect(verdict?.words.startsWith(words)).toBe(true);
  });

  test("of a rule whose script is gone: the rule is told, marked", async () => {
    there.remember({
      type: "feedback",
      name: "lint-first",
      statement: "run the linter before each commit",
      body: "Run `npm run lint`.\n\n**Why:** it broke.\n**How to apply:** always.",
      metadata: ['claims: ["path:src/gone.ts"]'],
    });
    expect(await there.start()).toContain(
      "run the linter before each commit: Run `npm run lint`. [heed:lint-first] (stale: src/gone.ts is not here",
    );
  });
});

describe("what cannot be measured is never fresh", () => {
  const verdictOf = async (): Promise<[string | undefined, string]> => {
    const { verdict } = await shown();
    return [verdict?.standing, verdict?.unchecked.join("; ") ?? ""];
  };

  test.each<[string, () => unknown, string]>([
    ["without a repository", withoutRepository, "there is no repository here"],
    [
      "in another repository",
      () => rememberRoutes(["path:src/routes.ts"], ["origin: { repo: github.com/acme/other }"]),
      "its claims are about github.com/acme/other, which is not here",
    ],
    ["in a shallow clone", withShallowClone, "a shallow clone does not show what came before"],
  ])("%s", async (_where, change, why) => {
    rememberRoutes(["path:src/routes.ts"]);
    change();
    expect(await verdictOf()).toEqual(["check", why]);
  });

  test("on a detached head, where a broken claim is no proof either", async () => {
    rememberRoutes(["path:src/routes.ts"]);
    commit({ "src/routes.ts": null });
    there.git("checkout", "-q", "--detach");
    expect(await verdictOf()).toEqual(["check", expect.stringContaining("detached")]);
    there.git("checkout", "-q", "--detach", "HEAD~1");
    expect((await verdictOf())[0]).toBe("check");
  });

  test("a claim that is none", async () => {
    rememberRoutes(["path:../outside"]);
    expect((await verdictOf())[0]).toBe("check");
  });
});

describe("verify", () => {
  test("attests what holds, with a note, and can be undone", async () => {
    rememberRoutes(["path:src/routes.ts"]);
    const result = await verify(
      "route-table",
      { claims: ["path:src/limits.ts"], note: "read both files" },
      MODEL,
    );
    expect(result).toMatchObject({
      outcome: "verified",
      attested: ["path:src/routes.ts", "path:src/limits.ts"],
    });
    const { metadata, verdict } = await shown();
    expect(metadata.verified).toBe("2026-11-21T12:00:00Z");
    expect(metadata.claims).toEqual(["path:src/routes.ts", "path:src/limits.ts"]);
    expect(verdict?.calendar).toMatchObject({ status: "fresh", ageDays: 0 });
    expect((await there.heed.history.list({ handle: "route-table", limit: 1 }))[0]?.summary).toContain(
      "read both files",
    );
    await there.heed.history.undo(
      { change: result.outcome === "verified" ? result.change : undefined },
      PERSON,
    );
    expect((await shown()).metadata.verified).toBeUndefined();
  });

  test("is refused when a claim is false, with what holds", async () => {
    rememberRoutes(["path:src/limits.ts::MAX_RETRIES=9"]);
    const result = await verify("route-table", { note: "looked at it closely" }, PERSON);
    expect(result).toMatchObject({ outcome: "refused", refusals: [{ gate: "claims" }] });
    expect(JSON.stringify(result)).toContain("MAX_RETRIES=5");
    expect((await shown()).metadata.verified).toBeUndefined();
  });

  test("is refused when nothing was attested, and takes a note where there is nothing to check", async () => {
    there.remember({
      type: "reference",
      name: "wiki",
      statement: "the wiki is at https://wiki.example.org",
    });
    for (const attestation of [{}, { note: "looked" }, { claims: [] }])
      expect(JSON.stringify(await verify("wiki", attestation, MODEL))).toContain("at least two words");
    expect((await verify("wiki", { note: "asked Kim" }, MODEL)).outcome).toBe("verified");
  });

  test("is refused where its claims cannot be measured", async () => {
    rememberRoutes(["path:src/routes.ts"]);
    withoutRepository();
    expect(await verify("route-table", { note: "looked at it closely" }, PERSON)).toMatchObject({
      outcome: "refused",
      refusals: [{ gate: "verification" }],
    });
  });

  test("anchors a memory first that has no claims", async () => {
    rememberRoutes([]);
    const result = await verify("route-table", {}, PERSON);
    expect(result).toMatchObject({ outcome: "verified", attested: ["path:src/routes.ts"] });
  });
});

describe("repair", () => {
  test("shows the change, makes it when accepted, and can be undone", async () => {
    rememberRoutes(["path:src/routes.ts", "path:src/limits.ts::MAX_RETRIES=5"]);
    commit({
      "src/routes.ts": null,
      "src/http/routes.ts": ROUTES,
      "src/limits.ts": "export const MAX_RETRIES = 7;\n",
    });
    const proposed = await there.heed.maintenance.repair("route-table", { isApplied: false }, PERSON);
    expect(proposed.outcome).toBe("proposed");
    expect(proposed.steps.map(({ becomes }) => becomes)).toEqual([
      "path:src/http/routes.ts",
      "path:src/limits.ts::MAX_RETRIES=7",
    ]);
    expect(proposed.diff).toContain("-Ann froze the route table in `src/routes.ts` until");
    expect(proposed.diff).toContain("+Ann froze the route table in `src/http/routes.ts` until");
    expect((await shown()).body).toContain("`src/routes.ts`");
    const repaired = await there.heed.maintenance.repair(
      "route-table",
      { isApplied: true, ifHash: proposed.hash },
      PERSON,
    );
    expect(repaired).toMatchObject({ outcome: "repaired", verdict: { standing: "check" } });
    const after = await shown();
    expect(after.body).toContain("`src/http/routes.ts`");
    expect(after.metadata.claims).toEqual([
      "path:src/http/routes.ts",
      "path:src/limits.ts::MAX_RETRIES=7",
      "was:path:src/limits.ts::MAX_RETRIES=5",
    ]);
    await there.heed.history.undo({ change: repaired.change }, PERSON);
    expect((await shown()).body).toContain("`src/routes.ts`");
  });

  test("is not made when the memory changed since it was shown", async () => {
    rememberRoutes(["path:src/routes.ts"]);
    commit({ "src/routes.ts": null, "src/http/routes.ts": ROUTES });
    const { hash } = await there.heed.maintenance.repair("route-table", { isApplied: false }, PERSON);
    await there.heed.memories.update("route-table", { tags: ["other", "tags", "now"] }, PERSON);
    await expect(
      there.heed.maintenance.repair("route-table", { isApplied: true, ifHash: hash }, PERSON),
    ).rejects.toMatchObject({ code: "changed-outside" });
  });

  test("says what it does not know", async () => {
    rememberRoutes(["path:src/routes.ts"]);
    commit({ "src/routes.ts": null });
    const result = await there.heed.maintenance.repair("route-table", { isApplied: true }, PERSON);
    expect(result).toMatchObject({ outcome: "nothing", steps: [] });
    expect(result.open[0]).toContain("src/routes.ts is gone");
  });
});
