import { execFileSync } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { type CheckDiffRequest, type DiffReport, openHeed } from "../../src/heed.ts";
import { diffLinesAs } from "../../src/surfaces/cli/terminal/diff-report.ts";
import { memoryFile, TemporaryHeed } from "../home/temporary-heed.ts";
import { temporaryFolder } from "../store/temporary-store.ts";

const LOGIN =
  'export const MAX_RETRIES = 5;\nexport function login(user: string) {\n  return user.trim() + "x";\n}\n';

const place = TemporaryHeed.forEachTest();
const put = place.write.bind(place);
const commit = (): string => place.commit();
async function check(request: CheckDiffRequest, cwd = place.project): Promise<DiffReport> {
  const heed = openHeed({ cwd, env: place.env });
  try {
    return await heed.maintenance.checkDiff(request, { kind: "person" });
  } finally {
    await heed.close();
  }
}
beforeEach(() => {
  put(".heed/config.yaml", "store: S1\n");
  put("src/auth/login.ts", LOGIN);
  put("package.json", '{"name":"x","scripts":{"lint":"oxlint ."},"dependencies":{"left-pad":"^1.2.0"}}');
});

function remember(
  name: string,
  { type = "project", statement = name, body = "text", metadata = [] as string[] },
): void {
  const memory = { type, name, statement, body, metadata: [`id: ID-${name}`, ...metadata] };
  put(`.heed/${type}/${name}.md`, memoryFile(memory));
}

const shown = ({ findings }: DiffReport): string[] =>
  findings.map(({ memory, code }) => `${memory ?? "-"} ${code}`);

describe("a change of the repository", () => {
  it.each<[string, { claims?: string[]; body?: string }, () => void, string[], string]>([
    [
      "that moves a file which a claim names",
      { claims: ["path:src/auth/login.ts"] },
      () => place.git("mv", "src/auth/login.ts", "src/sign-in.ts"),
      ["m made-false"],
      "+  claims: [path:src/sign-in.ts]",
    ],
    [
      "that moves a file which a text alone names",
      { body: "Names are normalised in `src/auth/login.ts`." },
      () => place.git("mv", "src/auth/login.ts", "src/sign-in.ts"),
      ["m made-false"],
      "+Names are normalised in `src/sign-in.ts`.",
    ],
    [
      "that renames a symbol called as its file is",
      { claims: ["path:src/auth/login.ts::login"], body: "See `login` in src/auth/login.ts." },
      () => put("src/auth/login.ts", LOGIN.replace("function login", "function signIn")),
      ["m made-false"],
      "+See `signIn` in src/auth/login.ts.",
    ],
    [
      "that moves a symbol to a new file",
      { claims: ["path:src/auth/login.ts::login"] },
      () => {
        put("src/auth/login.ts", "export const MAX_RETRIES = 5;\n");
        put("src/enter.ts", LOGIN.slice(LOGIN.indexOf("export function")));
      },
      ["m made-false"],
      "",
    ],
    [
      "that removes what is named",
      { claims: ["path:src/auth/login.ts"] },
      () => rmSync(join(place.project, "src/auth/login.ts")),
      ["m made-false"],
      "",
    ],
    [
      "that changes a value, of which nobody knows whether it is right",
      { claims: ["path:src/auth/login.ts::MAX_RETRIES=5"] },
      () => put("src/auth/login.ts", LOGIN.replace("5", "7")),
      ["m made-false"],
      "",
    ],
    [
      "that breaks what must be",
      { claims: ["must:path:src/auth/login.ts::MAX_RETRIES=5"] },
      () => put("src/auth/login.ts", LOGIN.replace("5", "7")),
      ["m breaks-requirement"],
      "",
    ],
    [
      "that touches nothing named",
      { claims: ["path:src/auth/login.ts"] },
      () => put("README.md", "hello"),
      [],
      "",
    ],
    [
      "with a claim that was false before",
      { claims: ["path:src/never.ts"] },
      () => place.git("mv", "src/auth/login.ts", "src/sign-in.ts"),
      [],
      "",
    ],
  ])("%s", async (_, { claims = [], body = "text" }, change, findings, repair) => {
    remember("m", { body, metadata: claims.length > 0 ? [`claims: [${claims.join(", ")}]`] : [] });
    const base = commit();
    // Somebody works on the file still.
    place.git("checkout", "-qb", "other");
    put("src/auth/login.ts", `${LOGIN}// mine\n`);
    commit();
    place.git("checkout", "-q", "main");
    change();
    place.git("add", "-A");
    const staged = await check({ isStaged: true });
    const head = commit();
    const report = await check({ base });
    for (const one of [staged, report]) {
      expect(shown(one)).toEqual(findings);
      expect(one.errors).toBe(findings.length);
      expect(one.patch.split("\n").filter((line) => line === repair)).toEqual([repair]);
    }
    expect([staged.head, report.head]).toEqual(["staged", head]);
    if (report.patch === "") return;
    execFileSync("git", ["apply", "--check"], { cwd: place.project, input: report.patch });
    const fixed = await check({ base, isFixed: true });
    expect(fixed.fixed).toEqual(["m"]);
    commit();
    expect(shown(await check({ base }))).toEqual([]);
  });

  it("brings a memory that does not hold, one about a person, and a secret", async () => {
    const base = commit();
    remember("gone", { metadata: ["claims: [path:src/nowhere.ts]"] });
    remember("bob", { type: "user", statement: "Bob likes long mails", metadata: ["status: confirmed"] });
    remember("key", { body: "DB_PASSWORD=hK7mQ2vX9pL4sT8w" });
    commit();
    const report = await check({ base });
    expect(shown(report).toSorted()).toEqual(["- secret", "bob about-a-person", "gone does-not-hold"]);
    expect([report.errors, report.warnings]).toEqual([2, 1]);
  });

  it("changes rules and guards: told first, with what they stop", async () => {
    remember("kept", { type: "feedback", body: "**Why:** it broke" });
    remember("gone", { type: "feedback", body: "**Why:** it broke" });
    const base = commit();
    const metadata = ["guard: { command: git push, flags: [--force] }"];
    remember("kept", {
      type: "feedback",
      statement: "never force a push",
      body: "**Why:** it broke",
      metadata,
    });
    rmSync(join(place.project, ".heed/feedback/gone.md"));
    commit();
    const { rules, errors } = await check({ base });
    const [kept] = rules;
    remember("kept", { type: "feedback", statement: "never force a push", body: "**Why:** it broke" });
    commit();
    const [loosened] = (await check({ base: "HEAD^" })).rules;
    expect([loosened?.guards, loosened?.stopsNoMore]).toEqual([[], kept?.guards]);
    expect(errors).toBe(0);
    expect(rules.map(({ name, change, guards }) => [name, change, guards.length])).toEqual([
      ["kept", "changed", 1],
      ["gone", "removed", 0],
    ]);
    expect(kept?.guards[0]).toContain("git push");
    expect(kept?.diff).toContain('+description: "never force a push"');
  });

  it("is what is staged, not what lies in the work tree since", async () => {
    commit();
    remember("key", { body: "DB_PASSWORD=hK7mQ2vX9pL4sT8w" });
    place.git("add", "-A");
    remember("key", { body: "in the vault" });
    const report = await check({ isStaged: true });
    expect(report.findings.map(({ code }) => code)).toEqual(["secret"]);
  });

  it("makes a memory in a package's own store false", async () => {
    put("packages/ui/.heed/config.yaml", "store: S2\n");
    const metadata = ["id: M", "claims: [path:src/auth/login.ts]"];
    const memory = memoryFile({ type: "project", name: "m", statement: "see it", metadata });
    put("packages/ui/.heed/project/m.md", memory);
    const base = commit();
    place.git("mv", "src/auth/login.ts", "src/sign-in.ts");
    commit();
    const report = await check({ base });
    expect(report.findings.map(({ file, code }) => [file, code])).toEqual([
      ["packages/ui/.heed/project/m.md", "made-false"],
    ]);
  });

  it("is compared with where the branch began, not with what others did since", async () => {
    remember("m", { metadata: ["claims: [path:src/auth/login.ts]"] });
    commit();
    place.git("checkout", "-qb", "feature");
    put("README.md", "mine");
    commit();
    place.git("checkout", "-q", "main");
    place.git("rm", "-rq", "src");
    commit();
    place.git("checkout", "-q", "feature");
    expect(shown(await check({ base: "main" }))).toEqual([]);
  });

  it("is checked in a shallow clone that has the base", async () => {
    remember("m", { metadata: ["claims: [path:src/auth/login.ts]"] });
    commit();
    place.git("checkout", "-qb", "feature");
    place.git("mv", "src/auth/login.ts", "src/sign-in.ts");
    commit();
    const clone = temporaryFolder();
    place.git("clone", "-q", "--depth=1", "--branch=feature", `file://${place.project}`, clone);
    place.git("-C", clone, "fetch", "-q", "--depth=1", "origin", "main:refs/remotes/origin/main");
    const report = await check({ base: "origin/main" }, clone);
    expect(shown(report)).toEqual(["m made-false"]);
    expect(report.patch).toContain("src/sign-in.ts");
  });

  it.each(["nowhere", "--output=/tmp/x", "HEAD~99"])("is not compared with %j", async (base) => {
    commit();
    await expect(check({ base })).rejects.toMatchObject({ code: "invalid-input" });
  });
});

describe("a report", () => {
  const report: DiffReport = {
    base: "b",
    head: "h",
    rules: [
      {
        file: ".heed/r.md",
        name: "r|<b>",
        type: "feedback",
        change: "new",
        isFact: false,
        statement: "never `x`",
        guards: ["git push"],
        stopsNoMore: ["git tag"],
        hasUnreadableGuard: false,
        text: "",
        flags: [],
      },
    ],
    findings: [
      {
        file: ".heed/a,b.md",
        line: 3,
        severity: "error",
        code: "made-false",
        memory: "m",
        message: "50% is\n::error::gone",
        remedy: "mend <it>",
      },
    ],
    patch: "--- a\n+++ b\n+```\n",
    fixed: [],
    errors: 1,
    warnings: 0,
  };
  const linesOf = (form: string): string => diffLinesAs(form, report).map(String).join("\n");

  it("is annotations of GitHub that no text breaks out of", () => {
    expect(linesOf("github").split("\n")).toEqual([
      "::notice file=.heed/r.md,line=1,title=heed%3A new-rule::new rule r|<b>: never `x`%0Astops no more: git tag%0Astops: git push",
      "::error file=.heed/a%2Cb.md,line=3,title=heed%3A made-false::50%25 is%0A::error::gone%0Amend <it>",
    ]);
  });

  it("is Markdown that no text breaks out of", () => {
    const text = linesOf("markdown");
    expect(text).toContain(
      "| note | .heed/r.md:1 | new rule r\\|\\<b\\>: never \\`x\\` | stops no more: git tag; stops: git push |",
    );
    expect(text).toContain("| error | .heed/a,b.md:3 | 50% is ::error::gone | mend \\<it\\> |");
    expect(text).toContain("````diff\n--- a\n+++ b\n+```\n````");
  });

  it("is SARIF 2.1.0", () => {
    const { version, runs } = JSON.parse(linesOf("sarif")) as {
      version: string;
      runs: { tool: { driver: { rules: { id: string }[] } }; results: Record<string, unknown>[] }[];
    };
    expect([version, runs[0]?.tool.driver.rules.map(({ id }) => id)]).toEqual([
      "2.1.0",
      ["new-rule", "made-false"],
    ]);
    expect(runs[0]?.results[1]).toMatchObject({
      ruleId: "made-false",
      level: "error",
      locations: [
        { physicalLocation: { artifactLocation: { uri: ".heed/a%2Cb.md" }, region: { startLine: 3 } } },
      ],
    });
  });
});
