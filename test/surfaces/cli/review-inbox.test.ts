import { describe, expect, test } from "vitest";
import { Output } from "../../../src/surfaces/cli/output/output.ts";
import { reviewInbox } from "../../../src/surfaces/cli/terminal/review-inbox.ts";
import { TemporaryHeed } from "../../home/temporary-heed.ts";

const home = TemporaryHeed.prepared(async (first) => {
  // A repository is known by its remote, wherever it lies.
  first.addOrigin("https://github.com/acme/api.git");
  for (const editor of ["vim", "emacs", "nano"])
    await first.heed.memories.write(
      {
        type: "user",
        statement: `the user knows ${editor} well`,
        body: `Give instructions for ${editor}.`,
      },
      { kind: "model", client: "test", session: "s1" },
    );
});

async function review(
  keys: string,
  edits: ({ statement: string; body: string } | undefined)[] = [],
): Promise<{ kept: string[]; left: string[]; shown: string; types: string[] }> {
  const shown: string[] = [];
  const stream = { write: (text: string) => shown.push(text) };
  const out = new Output({ isJson: false }, {}, stream, stream);
  const pressed = keys.split("");
  await reviewInbox(await home.heed.inbox.list(), home.heed, { kind: "person" }, out, {
    readKey: () => pressed.shift() ?? "",
    describe: (item) => [item.statement],
    edit: () => edits.shift(),
    types: ["feedback", "user", "project"],
  });
  const [kept, left] = [await home.heed.memories.list(), await home.heed.inbox.list()];
  return {
    kept: kept.map(({ name }) => name).sort(),
    left: left.map(({ name }) => name).sort(),
    shown: shown.join(""),
    types: kept.map(({ type, statement }) => `${type}: ${statement}`),
  };
}

const [VIM, EMACS, NANO] = ["vim", "emacs", "nano"].map((editor) => `the-user-knows-${editor}-well`);

describe("a review of the inbox takes one key an item", () => {
  test.each([
    ["yyy", [EMACS, NANO, VIM], []],
    ["nnn", [], []],
    ["ysn", [EMACS], [NANO]],
    ["yq", [EMACS], [NANO, VIM]],
    ["", [], [EMACS, NANO, VIM]],
    ["xx?Yns", [EMACS], [VIM]],
    ["\u001b", [], [EMACS, NANO, VIM]],
    ["uq", [], [EMACS, NANO, VIM]],
    ["yuq", [], [EMACS, NANO, VIM]],
    ["nuyq", [EMACS], [NANO, VIM]],
    ["suyyuuns", [], [NANO, VIM]],
    ["kds", [EMACS], [VIM]],
  ])("%j", async (keys, kept, left) => {
    const result = await review(keys);
    expect({ kept: result.kept, left: result.left }).toEqual({ kept, left });
  });

  test("e edits before it counts; an editor that is left without a change asks again", async () => {
    const edited = { statement: "the user knows emacs a little", body: "Explain emacs." };
    expect(await review("eq", [edited])).toMatchObject({ types: ["user: the user knows emacs a little"] });
    expect(await review("es", [undefined])).toMatchObject({ kept: [EMACS] });
  });

  test("a key that means nothing is answered with those that do", async () => {
    const { shown } = await review("xq");
    expect(shown.match(/\[k\] keep/g)).toHaveLength(2);
    expect((await review("t9")).shown.match(/\[3\] project/g)).toHaveLength(2);
  });

  test("t changes the type", async () => {
    expect((await review("t3q")).types).toEqual(["project: the user knows emacs well"]);
  });

  test("what resembles a memory is kept, and it says so", async () => {
    home.remember({ type: "user", name: "emacs-at-work", statement: "the user knows emacs well at work" });
    const { shown, types } = await review("yq");
    expect(shown).toContain("near: emacs-at-work the user knows emacs well at work");
    expect(types).toHaveLength(2);
  });

  test("it shows the item and the keys", async () => {
    const { shown } = await review("q");
    expect(shown).toContain("1/3");
    expect(shown).toContain("the user knows emacs well");
    expect(shown).toContain("[e] edit, then keep");
  });
});
