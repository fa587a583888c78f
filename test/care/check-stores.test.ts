import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { CheckReport } from "../../src/heed.ts";
import { memoryFile, rule, TemporaryHeed } from "../home/temporary-heed.ts";

const temporary = TemporaryHeed.forEachTest();

/** `file:line severity code` of every problem of the user store. */
function lines(report: CheckReport): string[] {
  return report.stores.flatMap(({ problems }) =>
    problems.map(({ file, line, severity, code }) => `${file}:${line ?? ""} ${severity} ${code}`),
  );
}

async function check(): Promise<string[]> {
  return lines(await temporary.heed.maintenance.check());
}

describe("check", () => {
  test("finds nothing in sound memories", async () => {
    temporary.remember(rule("no-force", "never push by force"), {
      type: "reference",
      name: "tickets",
      statement: "bugs are in Linear, project INGEST",
    });
    const report = await temporary.heed.maintenance.check();
    expect(lines(report)).toEqual([]);
    expect(report).toMatchObject({
      errors: 0,
      warnings: 0,
      stores: [{ files: 2, memories: 2, store: { kind: "user" } }],
    });
  });

  test("names file and line of what a type needs and a memory lacks", async () => {
    temporary.remember(
      { type: "feedback", name: "a", statement: "never", body: "Never.\n**How to apply:** always." },
      // The description is the statement, as for the gate on write.
      {
        type: "feedback",
        name: "b",
        statement: "never",
        body: "**Why:** it broke.\n**How to apply:** always.",
      },
      { type: "solution", name: "c", statement: "works", body: "It works." },
      { type: "reference", name: "d", statement: "the Figma file is called Lumen UI 3", body: "It is." },
      {
        type: "feedback",
        name: "e",
        statement: "never",
        body: 'Never.\n\n> "never" (the user, 2026-03-02)',
      },
      { type: "feedback", name: "f", statement: "how cats are fed", body: 'Never.\n\n> "never, ok?"' },
      { type: "feedback", name: "g", statement: "never", body: "Never.\n**Why:**\n**How to apply:**" },
    );
    expect(await check()).toEqual([
      "feedback/a.md:8 error missing-grounds",
      "feedback/f.md:8 error missing-grounds",
      "feedback/g.md:8 error missing-grounds",
      "solution/c.md:5 warning missing-parts",
      "solution/c.md:8 error missing-symptom",
      "solution/c.md:8 error missing-solution",
    ]);
  });

  test("reports broken files and reads the others", async () => {
    temporary.remember(rule("fine", "fine"));
    temporary.write(join(temporary.userStore, "user/broken.md"), "---\nname: x\n? [a\n: {b\n---\nText\n");
    temporary.write(
      join(temporary.userStore, "user/colon.md"),
      "---\nname: colon\ndescription: a: b\nmetadata:\n  type: user\n---\nA b\n",
    );
    temporary.write(
      join(temporary.userStore, "odd/wish.md"),
      "---\nname: w\ndescription: d\ntype: wish\n---\nText\n",
    );
    temporary.write(join(temporary.userStore, "config.yaml"), "mode: loud\n");
    expect(await check()).toEqual([
      "config.yaml: error config",
      "odd/wish.md:4 error unknown-type",
      "user/broken.md:4 error yaml",
      "user/colon.md:3 warning unquoted-value",
    ]);
  });

  test("finds duplicates, broken links and long descriptions", async () => {
    const same = ["id: 01SAME", "links: [{ rel: related, to: two }, { rel: supersedes, to: nowhere }]"];
    const lay = (file: string, name: string, statement: string, metadata: string[]): string =>
      temporary.write(
        join(temporary.userStore, `user/${file}.md`),
        memoryFile({ type: "user", name, statement, metadata }),
      );
    lay("one", "two", "d", same);
    lay("two", "two", "x".repeat(301), ["id: 01SAME", "expires: 2026-11-20"]);
    lay("three", "three", "d", ["expires: 2026-11-21"]);
    expect(await check()).toEqual([
      "user/one.md:8 warning broken-link",
      "user/two.md:2 error duplicate-name",
      "user/two.md:3 warning long-description",
      "user/two.md:7 error duplicate-id",
    ]);
  });

  test("reports words for days that only the day of writing explains", async () => {
    temporary.remember({
      type: "project",
      name: "freeze",
      statement: "the merge freeze begins tomorrow",
      body: "We agreed yesterday.",
    });
    const { stores, errors } = await temporary.heed.maintenance.check();
    expect(stores[0]?.problems).toMatchObject([
      {
        file: "project/freeze.md",
        line: 3,
        code: "relative-date",
        remedy: "write the day as a date (written on 2026-05-02)",
      },
    ]);
    expect(errors).toBe(0);
  });

  test("asks less of files that another tool owns", async () => {
    const attached = join(temporary.folder, "attached");
    temporary.write(
      join(attached, "feedback_x.md"),
      memoryFile({ type: "feedback", name: "x", statement: "never", body: "Never." }),
    );
    temporary.write(
      join(attached, "procedural/feedback.md"),
      "## One rule\nDo it.\n\n## Another\n**Why:** so\n",
    );
    await temporary.heed.setup.attach(attached, {}, { kind: "person" });
    const report = await temporary.heed.maintenance.check();
    expect(lines(report)).toEqual([
      "feedback_x.md:8 warning missing-grounds",
      "procedural/feedback.md:2 warning missing-grounds",
    ]);
    expect(report).toMatchObject({ errors: 0, stores: [{ files: 2, memories: 3 }] });
  });
});
