import { mkdirSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import type { DiffReport } from "../../src/heed.ts";
import { renderText } from "../../src/surfaces/cli/output/output.ts";
import { diffLinesAs } from "../../src/surfaces/cli/terminal/diff-report.ts";
import { memoryFile, TemporaryHeed } from "../home/temporary-heed.ts";

const place = TemporaryHeed.forEachTest();
const put = place.write.bind(place);
beforeEach(() => {
  put(".heed/config.yaml", "store: S1\n");
  rule();
  put(".heed/project/fact.md", memoryFile({ type: "project", name: "fact", statement: "a fact" }));
});

/** The rule of these tests, with further fields. */
function rule(...fields: string[]): void {
  const type = /^type: (.*)$/m.exec(fields.join("\n"))?.[1] ?? "feedback";
  const others = fields.filter((field) => !field.startsWith("type:"));
  const metadata = ["id: R1", "guard: { command: git push }", ...others];
  const body = "**Why:** it broke";
  put(
    ".heed/feedback/r.md",
    memoryFile({ type, name: "r", statement: "never push to main", body, metadata }),
  );
}

async function afterChange(change: () => void): Promise<DiffReport> {
  const base = place.commit();
  change();
  place.commit();
  return place.heed.maintenance.checkDiff({ base }, { kind: "person" });
}

const said = ({ rules, findings }: DiffReport): string[] => [
  ...rules.map(
    ({ name, change, guards, stopsNoMore }) => `${change} ${name} ${guards.length}/${stopsNoMore.length}`,
  ),
  ...findings.map(({ severity, code, file }) => `${severity} ${code} ${file}`),
];

describe("a change that takes a rule out of force", () => {
  const R = ".heed/feedback/r.md";
  it.each<[string, () => void, string[]]>([
    ["by its date", () => rule("expires: 2026-01-01"), ["changed r 0/1", `warning rule-ended ${R}`]],
    ["by its status", () => rule("status: superseded"), ["changed r 0/1", `warning rule-ended ${R}`]],
    [
      "by its type",
      () => rule("type: project"),
      ["changed r 0/1", `warning rule-ended ${R}`, `warning guard-on-no-rule ${R}`],
    ],
    ["by its branch", () => rule("scope: {branch: nope}"), ["changed r 1/0", `warning rule-narrowed ${R}`]],
    [
      "by its paths",
      () => rule("scope: {paths: [nope/**]}"),
      ["changed r 1/0", `warning rule-narrowed ${R}`],
    ],
    ["from tomorrow on", () => rule("expires: 2999-01-01"), ["changed r 1/0", `warning rule-narrowed ${R}`]],
    [
      "by the mode",
      () => put(".heed/config.yaml", "store: S1\nmode: off\n"),
      ["warning setting .heed/config.yaml"],
    ],
    [
      "by another identity of the store",
      () => put(".heed/config.yaml", "store: S2\n"),
      ["warning setting .heed/config.yaml"],
    ],
    [
      "by no store",
      () => rmSync(join(place.project, ".heed"), { recursive: true }),
      ["removed r 0/1", "warning store-gone .heed"],
    ],
    [
      "by a link in place of the store",
      () => {
        renameSync(join(place.project, ".heed"), join(place.project, "elsewhere"));
        symlinkSync("elsewhere", join(place.project, ".heed"));
      },
      ["removed r 0/1", "error store-replaced .heed"],
    ],
    [
      "by a link in place of its file",
      () => {
        renameSync(join(place.project, R), join(place.project, "r.md"));
        symlinkSync("../../r.md", join(place.project, R));
      },
      ["removed r 0/1", `error not-read ${R}`],
    ],
    [
      "by a folder that is too deep to be read",
      () => {
        rmSync(join(place.project, R));
        mkdirSync(join(place.project, ".heed/a/b/c/d/e/f/g/h/i"), { recursive: true });
        place.git("show", `HEAD:${R}`);
        put(".heed/a/b/c/d/e/f/g/h/i/r.md", place.git("show", `HEAD:${R}`));
      },
      ["removed r 0/1"],
    ],
    [
      "by a store of its own for a folder",
      () => put("src/.heed/config.yaml", "store: S2\n"),
      ["warning new-store src/.heed"],
    ],
    ["by its size", () => rule(`tags: [${"x".repeat(600_000)}]`), ["removed r 0/1", `error not-read ${R}`]],
  ])("%s is told", async (_, change, lines) => {
    expect(said(await afterChange(change))).toEqual(lines);
  });

  it("by a type that is declared no more is told, though its file is the same", async () => {
    const type = "types:\n  house:\n    holds: rules of the house\n    inject: always\n";
    put(".heed/config.yaml", `store: S1\n${type}`);
    rule("type: house");
    const report = await afterChange(() => put(".heed/config.yaml", "store: S1\n"));
    expect(said(report)).toContain("warning rule-ended .heed/feedback/r.md");
    expect(report.rules[0]?.stopsNoMore).toHaveLength(1);
  });

  it("is told although a second file has its id and its former text", async () => {
    const report = await afterChange(() => {
      put(".heed/feedback/z.md", place.git("show", "HEAD:.heed/feedback/r.md"));
      rule("status: superseded");
    });
    expect(said(report)).toContain("warning rule-ended .heed/feedback/r.md");
    expect(report.errors).toBeGreaterThan(0);
  });
});

describe("a file's name", () => {
  it.each(["!\nHEAD^1:.heed/feedback/r.md", "feedback/0\n.md", "feedback/\u202Edm.md"])(
    "%j hides nothing of another file, and is an error of its own",
    async (name) => {
      const report = await afterChange(() => {
        rule("status: superseded");
        put(`.heed/${name}`, place.git("show", "HEAD:.heed/project/fact.md"));
      });
      expect(said(report)).toContain("warning rule-ended .heed/feedback/r.md");
      expect(said(report)).toContain(`error file-name .heed/${name}`);
      const lines = diffLinesAs("text", report).flatMap((line) => renderText(line, false).split("\n"));
      expect(lines.filter((line) => line.startsWith("HEAD^1"))).toEqual([]);
    },
  );
});

it("a memory that is too large to be read at all is told", async () => {
  const report = await afterChange(() => put(".heed/project/large.md", "x".repeat(9_000_000)));
  expect(said(report)).toEqual(["error not-read .heed/project/large.md"]);
});
