import { rmSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { TemporaryRepository } from "./temporary-repository.ts";

const opened: TemporaryRepository[] = [];
afterEach(() => {
  for (const repository of opened.splice(0)) repository.remove();
});

function repositoryOf(files: Readonly<Record<string, string>>): TemporaryRepository {
  const repository = new TemporaryRepository(files);
  opened.push(repository);
  return repository;
}

const ROUTES = Array.from({ length: 30 }, (_, i) => `export const route${i} = "/path/${i}";`).join("\n");
const OTHER = Array.from(
  { length: 30 },
  (_, i) => `export function other${i}(): number { return ${i}; }`,
).join("\n");

const MATCH = "export function match(): void {}\n";

describe("a path that is gone", () => {
  test("was renamed twice", async () => {
    const repository = repositoryOf({ "a.ts": ROUTES });
    const commit = repository.commit({ "a.ts": null, "b.ts": ROUTES });
    repository.commit({ "b.ts": null, "c.ts": ROUTES });
    const { since, became } = await repository.explain("path:a.ts");
    expect([since?.commit, became?.claim]).toEqual([commit, "path:c.ts"]);
  });

  test("was renamed and rewritten to more than half in one commit, under the same name", async () => {
    const repository = repositoryOf({ "src/routes.ts": ROUTES });
    const half = ROUTES.split("\n").slice(0, 12).join("\n");
    repository.commit({
      "src/routes.ts": null,
      "lib/routes.ts": `${half}\n${OTHER.split("\n").slice(0, 18).join("\n")}`,
    });
    expect((await repository.explain("path:src/routes.ts")).became?.claim).toBe("path:lib/routes.ts");
  });

  test("was removed: the commit, and nothing in its place", async () => {
    const repository = repositoryOf({ "a.ts": ROUTES, "b.ts": OTHER });
    const commit = repository.commit({ "a.ts": null });
    const found = await repository.explain("path:a.ts");
    expect(found).toEqual({
      since: { commit, date: "2026-01-03" },
      moved: "a.ts is gone",
      isLost: true,
    });
  });

  test("was moved but not committed, staged or not", async () => {
    const repository = repositoryOf({ "src/a.ts": ROUTES });
    repository.move("src/a.ts", "lib/a.ts");
    expect((await repository.explain("path:src/a.ts")).became?.claim).toBe("path:lib/a.ts");
    repository.git("add", "-A");
    expect((await repository.explain("path:src/a.ts")).became?.claim).toBe("path:lib/a.ts");
  });

  test("was removed, put back, and removed again: the last removal counts", async () => {
    const repository = repositoryOf({ "a.ts": ROUTES });
    repository.commit({ "a.ts": null });
    repository.git("revert", "--no-edit", "HEAD");
    expect(await repository.check("path:a.ts")).toBe("kept");
    const commit = repository.commit({ "a.ts": null });
    expect((await repository.explain("path:a.ts")).since?.commit).toBe(commit);
  });

  test("is a folder that moved as a whole", async () => {
    const repository = repositoryOf({ "src/x/a.ts": ROUTES, "src/x/b.ts": OTHER });
    repository.commit({ "src/x": null, "lib/x/a.ts": ROUTES, "lib/x/b.ts": OTHER });
    expect((await repository.explain("path:src/x/")).became?.claim).toBe("path:lib/x/");
  });
});

describe("what is inside a file", () => {
  test.each([
    ["a symbol that moved", "path:a.ts::match", { "a.ts": OTHER, "b.ts": `${OTHER}\n${MATCH}` }],
    [
      "a symbol that moved, where another like it came",
      "path:a.ts::match",
      { "a.ts": `${OTHER}\n${MATCH.replace("match", "fresh")}`, "b.ts": `${OTHER}\n${MATCH}` },
    ],
    ["a literal", 'path:a.md::"#help"', { "a.md": "Ask in the channel #support, always.\n" }],
    ["a script", "script:lint", { "package.json": '{"scripts":{"check":"oxlint"}}' }],
    ["a target of make", "make:fmt", { Makefile: "vet: deps\n\tgolangci-lint run\n" }],
  ])("%s that is no longer there: since when", async (_what, claim, after) => {
    const repository = repositoryOf({
      "a.ts": `${MATCH}${OTHER}`,
      "b.ts": OTHER,
      "a.md": "Ask in the channel #help, always.\n",
      "package.json": '{"scripts":{"lint":"oxlint"}}',
      Makefile: "A := b\nlint fmt: deps\n\tgolangci-lint run\n",
    });
    expect(await repository.check(claim)).toBe("kept");
    const commit = repository.commit(after);
    repository.commit({ "c.ts": OTHER });
    expect(await repository.explain(claim)).toEqual({ since: { commit, date: "2026-01-03" } });
  });

  test("a symbol under a new name", async () => {
    const body = "(x: number): number {\n  const y = x * 2;\n  log(y);\n  return y + 1;\n}\n";
    const repository = repositoryOf({ "a.py": "x = 1\n", "a.ts": `export function compute${body}` });
    repository.commit({
      "a.ts": `// now with words\nexport function computeTotal${body}export const z = 1;\n`,
    });
    const found = await repository.explain("path:a.ts::compute");
    expect(found.became).toEqual({
      claim: "path:a.ts::computeTotal",
      words: "compute is called computeTotal now",
    });
  });

  test("a symbol in a file that was renamed", async () => {
    const repository = repositoryOf({ "a.ts": ROUTES });
    repository.commit({ "a.ts": null, "lib/b.ts": ROUTES });
    expect((await repository.explain("path:a.ts::route3")).became?.claim).toBe("path:lib/b.ts::route3");
  });

  test("a symbol that was renamed in the commit that moved its file", async () => {
    const start = "export function start(port: number): string {\n  return `listening on ${port}`;\n}\n";
    const repository = repositoryOf({ "a.ts": `${ROUTES}\n${start}` });
    const commit = repository.commit({
      "a.ts": null,
      "lib/b.ts": `${ROUTES}\n${start.replace("start", "listen")}`,
    });
    expect(await repository.explain("path:a.ts::start")).toMatchObject({
      since: { commit },
      became: {
        claim: "path:lib/b.ts::listen",
        words: "a.ts was renamed to lib/b.ts, and start is called listen now",
      },
    });
  });

  test("of what is gone for good, where its file went is told all the same", async () => {
    const repository = repositoryOf({ "a.ts": `${ROUTES}\nexport class Odd {}\n` });
    const commit = repository.commit({ "a.ts": null, "lib/b.ts": ROUTES });
    expect(await repository.explain("path:a.ts::Odd")).toEqual({
      since: { commit, date: expect.any(String) },
      moved: "a.ts was renamed to lib/b.ts, and lib/b.ts no longer defines Odd",
    });
  });

  test("a value, and since when", async () => {
    const repository = repositoryOf({ "a.ts": "export const MAX = 5;\n" });
    const commit = repository.commit({ "a.ts": "export const MAX = 7;\n" });
    repository.commit({ "a.ts": "// a comment\nexport const MAX = 7;\n" });
    const found = await repository.explain("path:a.ts::MAX=5");
    expect(found.since?.commit).toBe(commit);
    expect(found.became).toEqual({ claim: "path:a.ts::MAX=7", words: "MAX is 7 now" });
  });

  test("a dependency at another version, a key with another value", async () => {
    // Some editors write a byte order mark.
    const text = (react: string, type: string): string =>
      `\uFEFF${JSON.stringify({ dependencies: { react }, type }, null, 2)}`;
    const repository = repositoryOf({ "package.json": text("^18.2.0", "module") });
    const commit = repository.commit({ "package.json": text("^19.0.0", "commonjs") });
    for (const [claim, becomes] of [
      ["dep:react@^18", "dep:react@^19.0.0"],
      ["config:package.json#type=module", "config:package.json#type=commonjs"],
    ] as const)
      expect(await repository.explain(claim)).toMatchObject({
        since: { commit },
        became: { claim: becomes },
      });
  });

  test("of two manifests the one that had the dependency, or has it now", async () => {
    const web = (react: object): string => JSON.stringify({ name: "web", dependencies: react }, null, 2);
    const python = '[project]\nname = "x"\ndependencies = ["requests>=2"]\n';
    const repository = repositoryOf({ "pyproject.toml": python, "package.json": web({ react: "^18.0.0" }) });
    const moved = repository.commit({ "package.json": null, "web/package.json": web({ react: "^18.0.0" }) });
    expect(await repository.explain("dep:react@^18")).toMatchObject({
      since: { commit: moved },
      became: { claim: "dep:web#react@^18" },
    });
    repository.commit({ "web/package.json": null, "package.json": web({}) });
    expect((await repository.explain("dep:react")).since?.commit).toBe(moved);
    const added = repository.commit({ "package.json": web({ moment: "1.0.0" }) });
    repository.commit({ "package.json": web({ moment: "1.0.0" }), "pyproject.toml": `${python}\n` });
    expect((await repository.explain("absent:dep:moment")).since?.commit).toBe(added);
  });

  test.each([["in one commit"], ["one after the other"]])(
    "a file and a value in it under other names, %s",
    async (when) => {
      const batch = (name: string): string =>
        `package batch\n\nconst (\n\t${name} = 500\n\tMaxTries = 3\n)\n`;
      const [from, to] = ["internal/batch/batcher.go", "internal/batch/splitter.go"];
      const repository = repositoryOf({ [from]: batch("MaxBatchItems") });
      if (when !== "in one commit") repository.commit({ [from]: batch("MaxItemsPerFile") });
      repository.commit({ [from]: null, [to]: batch("MaxItemsPerFile") });
      for (const rest of ["", "=500"])
        for (const must of rest === "" ? [""] : ["", "must:"])
          expect((await repository.explain(`${must}path:${from}::MaxBatchItems${rest}`)).became?.claim).toBe(
            `${must}path:${to}::MaxItemsPerFile${rest}`,
          );
      expect((await repository.explain(`path:${from}::MaxBatchItems=400`)).became).toBeUndefined();
    },
  );

  test("a target of make that may come from elsewhere, and what is none", async () => {
    const repository = repositoryOf({ Makefile: "A := b\nfmt: deps\n\tgo fmt\n" });
    expect(await repository.check("make:A")).toBe("broken: Makefile has no target A");
    repository.commit({ Makefile: "include mk/*.mk\n" });
    expect(await repository.check("make:fmt")).toMatch(/^unchecked: Makefile has patterns or includes/);
  });

  test("what only another branch has is not checked out here; what never was is not said to be", async () => {
    const repository = repositoryOf({ "src/a.ts": ROUTES });
    repository.git("switch", "-qc", "feature");
    const text = `${ROUTES}\nexport function computeTax() {\n  return 1;\n}\n`;
    repository.commit({ "src/a.ts": text, "src/tax.ts": OTHER });
    repository.git("switch", "-q", "main");
    const elsewhere = async (claim: string): Promise<string | undefined> =>
      (await repository.explain(claim)).elsewhere;
    const has = "is not checked out here: feature has it";
    expect(await elsewhere("path:src/tax.ts")).toBe(`src/tax.ts ${has}`);
    expect(await elsewhere("path:src/a.ts::computeTax")).toBe(`src/a.ts::computeTax ${has}`);
    repository.write("src/limit.ts", "export const LIMIT = 5;\n");
    repository.commit({});
    repository.git("switch", "-qc", "raised");
    repository.commit({ "src/limit.ts": "export const LIMIT = 7;\n" });
    repository.git("switch", "-q", "main");
    expect(await elsewhere("path:src/limit.ts::LIMIT=7")).toContain("is not checked out here: raised has it");
    // Removed and not committed: it is here, whatever another branch has.
    rmSync(join(repository.root, "src/limit.ts"));
    expect(await repository.explain("path:src/limit.ts")).toEqual({
      moved: "src/limit.ts is deleted here, and that is not committed",
    });
    for (const claim of ["path:src/never.ts", "path:src/a.ts::neverThere"])
      expect(await repository.explain(claim)).toEqual({});
  });

  test("what was absent and came back, since when", async () => {
    const repository = repositoryOf({ "b.ts": OTHER });
    const commit = repository.commit({ "a.ts": ROUTES });
    expect((await repository.explain("absent:a.ts")).since?.commit).toBe(commit);
  });
});

describe("where history does not help", () => {
  test("a repository without commits", async () => {
    const repository = repositoryOf({});
    expect((await repository.explain("path:a.ts")).unchecked).toMatch(/failed/);
  });

  test("a shallow clone knows no more than its one commit", async () => {
    const repository = repositoryOf({ "a.ts": ROUTES });
    repository.commit({ "a.ts": null, "b.ts": ROUTES });
    const clone = repositoryOf({});
    clone.git("fetch", "-q", "--depth=1", `file://${repository.root}`, "main");
    clone.git("reset", "-q", "--hard", "FETCH_HEAD");
    expect((await clone.explain("path:a.ts")).became).toBeUndefined();
  });
});
