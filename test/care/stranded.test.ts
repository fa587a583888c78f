import { renameSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { openHeed } from "../../src/heed.ts";
import { remedyLine } from "../../src/surfaces/remedy-line.ts";
import { rule, TemporaryHeed } from "../home/temporary-heed.ts";

const made = TemporaryHeed.withUserStore();

async function stranded(): Promise<string[][]> {
  const { sections } = await made.heed.maintenance.health();
  const { findings = [] } = sections.find(({ kind }) => kind === "stranded") ?? {};
  return findings.map(({ subject, words, remedies }) => [subject, words, ...remedies.map(remedyLine)]);
}

beforeEach(() => void made.commit());

test("memories held to a branch that is gone, merged or not merged are listed, with what brings them here", async () => {
  for (const branch of ["done", "open"]) made.git("branch", branch);
  made.git("checkout", "-q", "open");
  made.commit({}, "open");
  made.git("checkout", "-q", "-b", "here", "main");
  made.commit({}, "here");
  made.remember(
    ...["gone", "done", "open", "here"].map((branch) =>
      rule(`on-${branch}`, `Rule of ${branch}`, [`scope: { branch: ${branch}, paths: [a/**, b/**] }`]),
    ),
    rule("other", "Rule of another repository", ["scope: { repo: github.com/else/where, branch: gone }"]),
    rule("moved", "Rule of a worktree", ["scope: { worktree: /nowhere/at/all }"]),
  );
  expect((await stranded()).map(([name, words, first]) => [name, words, first])).toEqual([
    [
      "moved",
      "holds only in the worktree /nowhere/at/all, which is not there now",
      "heed edit --no-branch moved",
    ],
    ...[
      ["done", ", which is merged"],
      ["gone", ""],
      ["open", ""],
    ].map(([branch, how]) => [
      `on-${branch}`,
      `holds only on the branch ${branch}${how}`,
      `heed edit --no-branch on-${branch} --path a/**,b/**`.replace("a/**,b/**", '"a/**,b/**"'),
    ]),
  ]);
  const { outcome } = await made.heed.memories.update(
    "on-gone",
    { scope: { paths: ["a/**"] } },
    { kind: "person" },
  );
  expect(outcome).toBe("amended");
  expect((await stranded()).map(([name]) => name)).not.toContain("on-gone");
});

test("where git does not answer they are listed still, and none is called merged", async () => {
  made.remember(rule("on-done", "Rule of done", ["scope: { branch: done }"]));
  made.git("branch", "done");
  renameSync(join(made.project, ".git/objects"), join(made.project, ".git/elsewhere"));
  expect(await stranded()).toEqual([
    ["on-done", "holds only on the branch done", "heed edit --no-branch on-done"],
  ]);
});

test("a rule of one worktree holds there, and in no other", async () => {
  await made.heed.setup.init("project");
  const worktree = join(made.folder, "ticket");
  made.git("worktree", "add", "-q", worktree);
  const there = openHeed({ cwd: worktree, env: made.env });
  try {
    const text =
      "---\nname: fast\ndescription: Always run make fast\ntype: feedback\nscope: { worktree: true }\n---\nAlways run make fast";
    const { draft } = await there.memories.readDraft(text);
    const given = { ...draft!, type: "feedback" };
    const written = await there.memories.write(given, { kind: "person" });
    expect(written).toMatchObject({ metadata: { scope: { worktree } } });
    const injected = async (cwd: string): Promise<boolean> =>
      ((await made.begin(cwd, { cwd })).context ?? "").includes("make fast");
    expect([await injected(worktree), await injected(made.project)]).toEqual([true, false]);
    await expect(
      made.heed.memories.write({ ...given, name: "shared", store: "project" }, { kind: "person" }),
    ).rejects.toMatchObject({
      code: "invalid-input",
    });
  } finally {
    await there.close();
  }
});
