import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { assert, property, string } from "fast-check";
import { describe, expect, test } from "vitest";
import { syncAgentsFile, withBlock } from "../../../src/surfaces/clients/sync-agents-file.ts";
import { rule, TemporaryHeed } from "../../home/temporary-heed.ts";

describe("heed's block in a file that agents read", () => {
  test("of any text, the rest stays byte for byte, and the block comes once and goes", () => {
    const texts = string({ maxLength: 200 }).filter((text) => !text.includes("heed:"));
    assert(
      property(texts, texts, (text, said) => {
        const once = withBlock(text, `rules ${said}`);
        expect(once.startsWith(text)).toBe(true);
        const again = withBlock(once, "other rules");
        expect(again.match(/heed: begin/g)).toHaveLength(1);
        expect(withBlock(again, "other rules")).toBe(again);
        expect(withBlock(again, "").trimEnd()).toBe(text.trimEnd());
      }),
    );
  });

  test("stays where its owner put it, with their line ends", () => {
    const text = withBlock("# Project\r\n", "old");
    const moved = `${text}\r\n## After\r\n`;
    const updated = withBlock(moved, "new\nlines");
    expect(updated.endsWith("\r\n## After\r\n")).toBe(true);
    expect(updated).toContain("\r\nnew\r\nlines\r\n");
    expect(updated.replaceAll("\r\n", "")).not.toContain("\n");
  });

  test("is bounded, and nothing in a memory ends it", () => {
    const said = `- <!-- heed: end --> is text\n${"- a rule of some length\n".repeat(2000)}`;
    const text = withBlock("", said);
    expect(text.length).toBeLessThan(8300);
    expect(withBlock(text, "")).toBe("");
  });

  test("without its end is left alone: what follows may be the user's", () => {
    expect(() => withBlock("<!-- heed: begin -->\nmine", "x")).toThrow(/no line/);
  });
});

describe("heed sync agents-md", () => {
  const made = TemporaryHeed.forEachTest();

  test("holds the repository's rules alone, and nothing of the user's own unless asked", async () => {
    made.remember(rule("mine", "My private rule"));
    await made.heed.setup.init("project");
    const { metadata: _metadata, ...shared } = rule("shared", "Run the migrations first");
    const { outcome } = await made.heed.memories.write({ ...shared, store: "project" }, { kind: "person" });
    expect(outcome).not.toBe("refused");
    const file = join(made.project, "AGENTS.md");
    writeFileSync(file, "# Ours\n");
    const report = await syncAgentsFile(made.heed, { root: made.project, name: "", isPersonal: false });
    expect(report).toMatchObject({ file, action: "changed" });
    const text = readFileSync(file, "utf8");
    expect(text.startsWith("# Ours\n")).toBe(true);
    expect(text).toContain("Run the migrations first");
    expect(text).not.toContain("My private rule");
    const again = await syncAgentsFile(made.heed, { root: made.project, name: "", isPersonal: false });
    expect(again.action).toBe("unchanged");
    await syncAgentsFile(made.heed, { root: made.project, name: "AGENTS.local.md", isPersonal: true });
    expect(readFileSync(join(made.project, "AGENTS.local.md"), "utf8")).toContain("My private rule");
  });

  test("keeps the rules of a folder in the file that is nearest there, and takes them out with the rule", async () => {
    await made.heed.setup.init("project");
    for (const folder of ["packages/ui", "packages/api", "out"])
      mkdirSync(join(made.project, folder), { recursive: true });
    const outside = join(made.folder, "elsewhere");
    mkdirSync(outside);
    symlinkSync(outside, join(made.project, "linked"));
    const ui = join(made.project, "packages/ui/AGENTS.md");
    writeFileSync(ui, "# Ours\n");
    const write = async (name: string, ...paths: string[]): Promise<void> => {
      const { metadata: _metadata, ...shared } = rule(name, `Rule of ${name}`);
      await made.heed.memories.write(
        { ...shared, name, store: "project", scope: { paths } },
        { kind: "person" },
      );
    };
    await write("styles", "packages/ui/**/*.css", "packages/api/**");
    await write("tests", "**/*.test.ts");
    await write("leads-out", "linked/**", "../elsewhere/**");
    const sync = () => syncAgentsFile(made.heed, { root: made.project, name: "", isPersonal: false });
    const text = (file: string): string => readFileSync(join(made.project, file), "utf8");
    expect(
      (await sync()).nested
        .map(({ file, action }) => [relative(made.project, file), action] as const)
        .toSorted(([a], [b]) => a.localeCompare(b)),
    ).toEqual([
      ["packages/api/AGENTS.md", "created"],
      ["packages/ui/AGENTS.md", "changed"],
    ]);
    expect(text("packages/ui/AGENTS.md")).toContain("# Ours\n");
    expect(text("packages/ui/AGENTS.md")).toContain(
      "for packages/ui/**/*.css, packages/api/**, kept by heed:\n- Rule of styles",
    );
    expect(text("AGENTS.md")).toContain("Rule of tests");
    expect(text("AGENTS.md")).not.toContain("Rule of styles");
    expect(readdirSync(outside)).toEqual([]);
    expect((await sync()).nested.map(({ action }) => action)).toEqual(["unchanged", "unchanged"]);
    await made.heed.memories.remove("styles", "over", { kind: "person" });
    expect((await sync()).nested.map(({ action }) => action).toSorted()).toEqual(["changed", "removed"]);
    expect([
      text("packages/ui/AGENTS.md").trim(),
      existsSync(join(made.project, "packages/api/AGENTS.md")),
    ]).toEqual(["# Ours", false]);
  });
});
