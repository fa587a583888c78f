import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { memoryFile, TemporaryHeed } from "../home/temporary-heed.ts";

const CLAIM = {
  type: "user",
  name: "uses-helix",
  statement: "the user edits Rust code in the helix editor",
};
const ASKS = "in which editor do I edit Rust code, helix?";
const PERSON = { kind: "person" } as const;

const place = TemporaryHeed.forEachTest();
let file: string;
beforeEach(async () => {
  file = place.write(join(place.folder, "notes", "helix.md"), memoryFile(CLAIM));
  await place.heed.setup.attach(join(place.folder, "notes"), {}, { kind: "person" });
});

const injected = async (session: string): Promise<string> =>
  (await place.event({ kind: "prompt", prompt: ASKS, session })).context ?? "";

describe("a statement about the user in another tool's directory", () => {
  test("waits, is counted, and is told once a person confirmed it, as long as it reads the same", async () => {
    const start = await place.event({ kind: "session-start", source: "startup", session: "s0" });
    expect(start.notice).toContain("1 memory from another tool or machine needs your approval");
    expect(await injected("s1")).toBe("");
    expect(await place.heed.inbox.list()).toMatchObject([{ name: "uses-helix", type: "user" }]);
    expect(await place.heed.setup.status()).toMatchObject({ pending: 1 });
    expect((await place.heed.memories.show("uses-helix")).notes.join()).toContain(
      "heed inbox confirm uses-helix",
    );

    const confirmed = await place.heed.inbox.confirm("heed:uses-helix", {}, PERSON);
    expect(confirmed).toMatchObject({ outcome: "unchanged", metadata: { name: "uses-helix" } });
    expect("announcement" in confirmed && confirmed.announcement).toMatch(/^confirmed about you/);
    expect(await injected("s2")).toContain("helix editor");
    expect(await place.heed.inbox.list()).toEqual([]);
    expect((await place.heed.memories.show("uses-helix")).notes).toEqual([]);
    await expect(place.heed.inbox.confirm("uses-helix", {}, PERSON)).rejects.toMatchObject({
      code: "not-found",
    });

    place.write(
      file,
      memoryFile({ ...CLAIM, statement: "the user edits Rust code in the emacs editor, not helix" }),
    );
    expect(await injected("s3")).toBe("");
    expect(await place.heed.inbox.list()).toHaveLength(1);
  });

  test.each(["confirmed", "rejected"])(
    "waits again once a person takes back that they %s it",
    async (word) => {
      const { inbox } = place.heed;
      const before = await inbox.list();
      if (word === "confirmed") await inbox.confirm("uses-helix", {}, PERSON);
      else await inbox.reject("uses-helix", "not so", PERSON);
      expect(await inbox.list()).toEqual([]);
      await inbox.restore("uses-helix", PERSON);
      expect(await inbox.list()).toEqual(before);
      expect(await injected("s9")).toBe("");
      await expect(inbox.restore("uses-helix", PERSON)).rejects.toMatchObject({ code: "not-found" });
    },
  );

  test("is neither told nor asked about again when the user rejected it", async () => {
    await place.heed.inbox.reject("uses-helix", "long ago", PERSON);
    expect(await injected("s1")).toBe("");
    expect(await place.heed.inbox.list()).toEqual([]);
    expect((await place.heed.memories.show("uses-helix")).notes.join()).toContain("rejected");
  });
});

describe("a memory in the inbox", () => {
  const MODEL = { kind: "model", session: "s1" } as const;
  const PROPOSAL = {
    ...CLAIM,
    name: "prefers-tabs",
    statement: "the user prefers tabs",
    body: "Use tabs for them.",
  };

  test("can be shown, and says what to do with it when it is to be changed", async () => {
    await place.heed.memories.write(PROPOSAL, MODEL);
    const shown = await place.heed.memories.show("heed:prefers-tabs");
    expect(shown).toMatchObject({
      isPending: true,
      body: "Use tabs for them.",
      metadata: { name: "prefers-tabs", type: "user" },
    });
    expect(shown.path).toBe(join(place.state, "inbox", "prefers-tabs.md"));
    expect(shown.notes.join()).toContain("heed inbox confirm prefers-tabs");
    await expect(place.heed.memories.update("prefers-tabs", { tags: ["a"] }, MODEL)).rejects.toMatchObject({
      code: "not-found",
      message: expect.stringContaining("heed inbox confirm prefers-tabs") as string,
    });
    await expect(place.heed.memories.show("prefers-tabz")).rejects.toMatchObject({ code: "not-found" });
  });

  test("that changes a memory is told of with that memory", async () => {
    await place.heed.memories.write(PROPOSAL, PERSON);
    await place.heed.memories.update("prefers-tabs", { body: "Use tabs, also in YAML." }, MODEL);
    const shown = await place.heed.memories.show("prefers-tabs");
    expect(shown).toMatchObject({ isPending: false, body: "Use tabs for them." });
    expect(shown.notes.join()).toContain("a change of it needs");
  });
});
