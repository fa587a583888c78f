import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { GATE_NAMES } from "../src/machine/heed-error.ts";

const ROOT = join(import.meta.dirname, "..");
const { drawStructure, withFolders } = (await import(join(ROOT, "scripts/draw-structure.mjs"))) as {
  drawStructure: (root: string) => string;
  withFolders: (text: string) => string;
};
const read = (name: string): string => readFileSync(join(ROOT, name), "utf8");

const pagesIn = (folder: string): string[] =>
  readdirSync(join(ROOT, folder))
    .filter((name) => name.endsWith(".md"))
    .map((name) => join(folder, name));
const PAGES = [".", "docs", "docs/reference", "examples", "plugin", "test/e2e"].flatMap(pagesIn);
/** Pages that tell where something is; others show paths of repositories that are made up. */
const TOURS = ["ARCHITECTURE.md", "CONTRIBUTING.md", "SECURITY.md"].concat(
  ["decisions", "rules", "reference/glossary", "reference/limits", "measurements"].map(
    (name) => `docs/${name}.md`,
  ),
);

/** Every file of the repository that is ours, by its name without folders. */
const NAMES = new Set(
  ["src", "test", "bench", "scripts", "docs", "plugin"].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" }).map((file) =>
      file.split("/").at(-1),
    ),
  ),
);

const anchorsOf = (page: string): string[] =>
  [...read(page).matchAll(/^#+ (.*)$/gm)].map(([, title = ""]) =>
    title
      .toLowerCase()
      .replace(/[^\p{L}\p{N} -]/gu, "")
      .replaceAll(" ", "-"),
  );

function brokenLinks(page: string): string[] {
  const targets = [...read(page).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = ""]) => target);
  return targets
    .filter((target) => !/^[a-z]+:/.test(target))
    .filter((target) => {
      const [path = "", fragment] = target.split("#");
      const file = path === "" ? page : join(dirname(page), path);
      if (!existsSync(join(ROOT, file))) return true;
      return fragment !== undefined && !anchorsOf(file).includes(fragment);
    });
}

const spansOf = (text: string): string[] => [...text.matchAll(/`([^`\n]+)`/g)].map(([, span = ""]) => span);

/** The files that a page names in code spans and that are not there: a path from the root or `src/`, or a bare name. */
function missingFiles(page: string): string[] {
  return spansOf(read(page))
    .filter(
      (span) =>
        /^[\w./@-]+\.(?:ts|mjs|cjs|svg)$|^(?:test|bench)\/[\w./-]+$/.test(span) && !span.includes("NAME"),
    )
    .filter((file) => !["", "src"].some((base) => existsSync(join(ROOT, base, file))))
    .filter((file) => file.includes("/") || !NAMES.has(file));
}

/** The commands that a page names and that would run nothing. */
function missingRuns(page: string): string[] {
  const places: Readonly<Record<string, (what: string) => string>> = {
    bench: (what) => `bench/${what}.bench.ts`,
    e2e: (what) => `test/e2e/scenarios/${what}.scenario.ts`,
  };
  return spansOf(read(page)).filter((span) => {
    const [, script = "", what] = /^npm run (bench|e2e|torture|fuzz)(?: -- ([a-z][a-z-]*))?/.exec(span) ?? [];
    const place = what === undefined ? undefined : places[script]?.(what);
    return place !== undefined && !existsSync(join(ROOT, place));
  });
}

describe("the pages about heed", () => {
  it.each(PAGES)("%s names commands that run something", (page) => {
    expect(missingRuns(page)).toEqual([]);
  });

  it.each(PAGES)("%s has no broken link", (page) => {
    expect(brokenLinks(page)).toEqual([]);
  });

  it.each(TOURS)("%s names files that are there", (page) => {
    expect(missingFiles(page)).toEqual([]);
  });

  it("show the folders and arrows that are there: node scripts/draw-structure.mjs", () => {
    expect(read("docs/structure.svg")).toBe(drawStructure(ROOT));
    expect(read("ARCHITECTURE.md")).toBe(withFolders(read("ARCHITECTURE.md")));
    expect(read("ARCHITECTURE.md")).toContain("| `write/` |");
  });

  it("name every gate in the glossary, and no other", () => {
    const [, names = ""] =
      /^\| gate \|.*: ([a-z, -]+) \(`machine/m.exec(read("docs/reference/glossary.md")) ?? [];
    expect(names.split(", ")).toEqual([...GATE_NAMES]);
  });

  it("have at most 40 words in the glossary", () => {
    const words = read("docs/reference/glossary.md").match(/^\| (?!word \|)[^|]+ \|/gm) ?? [];
    expect(words.length).toBeLessThanOrEqual(40);
  });

  it("keep the tour short", () => {
    expect(read("ARCHITECTURE.md").split(/\s+/).length).toBeLessThanOrEqual(1_600);
  });

  it("keep the promises short", () => {
    expect(read("SECURITY.md").split(/\s+/).length).toBeLessThanOrEqual(2_000);
  });
});

describe("a promise of SECURITY.md", () => {
  const lines = read("SECURITY.md").match(/^\|.*$/gm) ?? [];
  const rows = lines
    .filter((line) => !/^\| promise \||^\|---/.test(line))
    .map((line) => line.slice(2, -2).split(" | "))
    .map((cells) => [cells[0] ?? "", cells.at(-1) ?? "", cells.length] as const);

  it("is a row of promise, limits and test, on one line", () => {
    const headings = lines.filter((line) => line === "| promise | limits | test |");
    expect(headings.length).toBe(read("SECURITY.md").match(/^\|---\|---\|---\|$/gm)?.length);
    // A row without limits has a dash there.
    for (const [promise, , cells] of rows) expect([promise, cells]).toEqual([promise, 3]);
  });

  it.each(rows)("has a test that is there: %s", (_, shown) => {
    const spans = spansOf(shown);
    expect(spans.filter((span) => /^(?:test\/|node scripts\/)/.test(span)).length).toBeGreaterThan(0);
    for (const span of spans) expect(span).toMatch(/^(?:test\/\S+\.ts|node scripts\/\S+|npm run .+)$/);
  });

  // `test/torture/torture.test.ts` ("clones"): a case of that file, or of a file beside it.
  const cases = rows.flatMap(([, shown]) =>
    [...shown.matchAll(/`([^`]+)` \("([^"]+)"\)/g)].map(([, file = "", name = ""]) => [file, name] as const),
  );
  it.each(cases)("names a case of %s: %s", (file, name) => {
    const folder = join(ROOT, dirname(file));
    const texts = readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((other) => other.endsWith(".ts"))
      .map((other) => readFileSync(join(folder, other), "utf8"));
    expect(texts.some((text) => text.includes(`"${name}"`))).toBe(true);
  });

  it("is one of many", () => {
    expect(rows.length).toBeGreaterThan(30);
    expect(cases.length).toBeGreaterThan(0);
  });
});

describe("decisions", () => {
  const titles = [...read("docs/decisions.md").matchAll(/^## (\d+) \S/gm)];

  it("are numbered without a gap", () => {
    expect(titles.map(([, number]) => Number(number))).toEqual(titles.map((_, at) => at + 1));
  });
});

describe("the recipe for debugging a hook", () => {
  const home = mkdtempSync(join(tmpdir(), "heed-recipe-"));
  afterAll(() => rmSync(home, { recursive: true, force: true, maxRetries: 10 }));

  it("works as it is written", () => {
    const block = [...read("CONTRIBUTING.md").matchAll(/^```sh\n(.*?)^```/gms)].find(([, text]) =>
      text?.includes("hook_event_name"),
    );
    const out = execFileSync("sh", ["-e", "-c", block?.[1] ?? "false"], {
      cwd: ROOT,
      env: { PATH: process.env["PATH"], TMPDIR: home },
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    });
    expect(out).toContain('{"hookSpecificOutput":{"hookEventName":"UserPromptSubmit","additionalContext":');
    expect(out).toMatch(/^receipt \d{8}-\d{6}-\w+ /m);
    expect(out).toMatch(/^body +\d+ +board /m);
    expect(out).toMatch(/no trouble\n$/);
  });
});
