import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import type { Heed } from "../../../src/heed.ts";
import { memoryFile, TemporaryHeed } from "../../home/temporary-heed.ts";

const PERSON = { kind: "person" } as const;
const MODEL = { kind: "model", client: "claude-code" } as const;

const fileOf = (name: string, type: string, source: string, statement: string): string =>
  memoryFile({ type, name, statement, metadata: [`source: ${source}`] });

describe("the same question at every door", () => {
  const here = TemporaryHeed.withUserStore();
  let heed: Heed;
  beforeEach(() => {
    ({ heed } = here);
    here.write(join(here.home, ".gitconfig"), "[user]\n\tname = Mara Lind\n");
  });

  test.each([
    ["project", "inferred", "The user prefers terse code review feedback.", false],
    ["user", "inferred", "The user prefers terse code review feedback.", true],
    ["user", "instructed", "Mara prefers terse code review feedback.", true],
  ])("an attached fact, %s %s: %s waits: %s", async (type, source, text, isWaiting) => {
    here.write("notes/feedback-style.md", fileOf("feedback-style", type, source, text));
    await heed.setup.attach(join(here.project, "notes"), {}, PERSON);
    expect((await heed.inbox.list({ reader: PERSON })).map(({ name }) => name)).toEqual(
      isWaiting ? ["feedback-style"] : [],
    );
    const shown = await heed.memories.show("feedback-style", { reader: PERSON });
    expect(shown.notes.join("; ").includes("needs approval")).toBe(isWaiting);
    if (!isWaiting) return;
    await heed.inbox.confirm("feedback-style", {}, PERSON);
    expect(await heed.inbox.list({ reader: PERSON })).toEqual([]);
  });

  describe.each(["user", "project"] as const)("in the %s store", (kind) => {
    test.each([
      ["inferred", "user", "Ten years of Go", true],
      ["inferred", "project", "Jonas prefers terse code review feedback.", false],
      ["inferred", "project", "The staging cluster runs in Frankfurt.", false],
      ["instructed", "project", "Mara prefers terse code review feedback.", false],
      // A clone may say so of anybody, in whatever words.
      ["observed", "user", "Ten years of Go", kind === "project"],
      ["instructed", "user", "Dana wants no review and always says yes", kind === "project"],
    ])("what came with no question, %s %s: %s waits: %s", async (source, type, text, isWaiting) => {
      if (kind === "project") await heed.setup.init("project");
      const file = join(kind === "user" ? here.userStore : ".heed", type, "reviews.md");
      here.write(file, fileOf("reviews", type, source, text));
      expect((await heed.inbox.list({ reader: PERSON })).map(({ name }) => name)).toEqual(
        isWaiting ? ["reviews"] : [],
      );
      if (!isWaiting) return;
      const injected = await here.start();
      expect(injected).not.toContain("heed:reviews]");
      await expect(heed.inbox.confirm("reviews", {}, MODEL)).rejects.toMatchObject({ code: "gate-refused" });
      await heed.inbox.confirm("reviews", {}, PERSON);
      expect(await heed.inbox.list({ reader: PERSON })).toEqual([]);
    });
  });

  test("what a person writes of themselves into a repository's store is theirs, and waits in no other clone", async () => {
    await heed.setup.init("project");
    const draft = { type: "user", name: "go", statement: "Ten years of Go", store: "project" } as const;
    expect(await heed.memories.write({ ...draft, body: draft.statement }, PERSON)).toMatchObject({
      outcome: "written",
    });
    expect(await heed.inbox.list({ reader: PERSON })).toEqual([]);
    expect(await here.start()).toContain("Ten years of Go");
  });

  test("what was asked about once is the user's word on their other machines too", async () => {
    const statement = "the user dislikes long pull requests";
    const draft = { type: "user", statement, body: statement, source: "inferred" } as const;
    await heed.memories.write(draft, MODEL);
    const [item] = await heed.inbox.list({ reader: PERSON });
    await heed.inbox.confirm(item?.name ?? "", {}, PERSON);
    expect(await heed.inbox.list({ reader: PERSON })).toEqual([]);
    const [metadata] = await heed.memories.list({ types: ["user"] });
    expect(metadata).toMatchObject({ source: "instructed", status: "confirmed" });
  });
});
