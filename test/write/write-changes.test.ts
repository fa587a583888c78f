import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { CLAIM, gatesOf, hashOf, MODEL, PERSON, RULE, textOf, writeDesk } from "./write-desk.ts";

const desk = writeDesk();

const PROJECT = {
  type: "project",
  name: "freeze",
  statement: "merge freeze until 2026-03-20 for the mobile release",
  body: "No merges to main: the mobile team cuts its release.",
};

describe("an update", () => {
  it("changes what it names and nothing else", async () => {
    const tags = ["merge", "freeze", "mobile"];
    await desk.heed.memories.write({ ...PROJECT, tags, expires: "2026-03-20" }, MODEL);
    desk.now = "2026-03-04T10:00:00Z";
    const result = await desk.heed.memories.update(
      "heed:freeze",
      { tags: ["mobile", "release", "merge"] },
      MODEL,
    );
    expect(result).toMatchObject({
      outcome: "amended",
      metadata: {
        tags: ["mobile", "release", "merge"],
        statement: PROJECT.statement,
        expires: "2026-03-20",
      },
      announcement: `changed (project): ${PROJECT.statement} [heed:freeze]`,
    });
    expect(textOf(result)).toContain("updated: 2026-03-04T10:00:00Z");
    expect("diff" in result && result.diff).toMatch(/^--- freeze/);
  });

  it("of what has ended says so", async () => {
    await desk.heed.memories.write({ ...PROJECT, expires: "2026-03-20" }, MODEL);
    desk.now = "2026-03-21T10:00:00Z";
    const update = (changes: object): Promise<unknown> => desk.heed.memories.update("freeze", changes, MODEL);
    const changed = `changed (project): ${PROJECT.statement} [heed:freeze]`;
    expect(await update({ tags: ["mobile"] })).toMatchObject({
      announcement: `${changed}; not in force: it ended on 2026-03-20`,
    });
    expect(await update({ expires: "2026-04-20" })).toMatchObject({ announcement: changed });
  });

  it("that retires a rule waits; a yes takes it out of force and keeps it", async () => {
    await desk.heed.memories.write(RULE, PERSON);
    const [known] = await desk.heed.memories.list();
    const name = known?.name ?? "";
    await desk.heed.memories.update(name, { status: "superseded" }, MODEL);
    const [question] = await desk.heed.consent.questions();
    expect(question?.text).toBe(`Change the rule "${RULE.statement}" to superseded?`);
    expect(await desk.start()).toContain(RULE.statement);
    await desk.heed.inbox.confirm(question?.name ?? "", {}, PERSON);
    expect(await desk.start("s2")).not.toContain(RULE.statement);
    expect((await desk.heed.memories.show(name)).metadata.status).toBe("superseded");
  });

  it("links by a short handle to the name, which stays", async () => {
    const old = "The orders database is MySQL 8 on the old host";
    await desk.heed.memories.write({ type: "project", statement: old }, MODEL);
    const [, handle = ""] = /\[(heed:the-orders\.\w{4})\]/.exec(await desk.start()) ?? [];
    const newer = { type: "project", statement: "Postgres 16 holds the orders since the move" };
    await desk.heed.memories.write({ ...newer, links: [{ rel: "supersedes", to: handle }] }, MODEL);
    const context = await desk.start("s2");
    expect(context).toContain(newer.statement);
    expect(context).not.toContain(old);
  });

  it("removes a key with null", async () => {
    await desk.heed.memories.write({ ...PROJECT, expires: "2026-03-20" }, MODEL);
    const result = await desk.heed.memories.update("freeze", { expires: null }, MODEL);
    expect(textOf(result)).not.toContain("expires");
  });

  it("passes the same gates as a write", async () => {
    await desk.heed.memories.write(PROJECT, MODEL);
    expect(
      gatesOf(await desk.heed.memories.update("freeze", { statement: "the freeze ends next sprint" }, MODEL)),
    ).toEqual(["relative-dates"]);
    await desk.heed.memories.write(RULE, PERSON);
    expect(gatesOf(await desk.heed.memories.update("no-verify", { body: "Never." }, MODEL))).toEqual([
      "amendment",
    ]);
  });

  it("asks about the days of a new statement, and leaves what was there and the text", async () => {
    await desk.heed.memories.write({ ...PROJECT, body: "Agreed 2026-02-27." }, PERSON);
    const path = join(desk.userStore, "project", "freeze.md");
    writeFileSync(path, readFileSync(path, "utf8").replace(PROJECT.statement, "the freeze begins today"));
    const statement = "the freeze begins today, the demo is tomorrow";
    expect(await desk.heed.memories.update("freeze", { statement }, MODEL)).toMatchObject({
      refusals: [
        { gate: "relative-dates", reason: expect.stringContaining('says "tomorrow", and') as string },
      ],
    });
    const body = "Agreed yesterday.";
    expect(textOf(await desk.heed.memories.update("freeze", { body }, MODEL))).toContain(body);
  });

  it("is not blamed for what the memory was like before", async () => {
    writeFileSync(
      join(desk.userStore, "old.md"),
      "---\nname: old\ndescription: deploys go through Jenkins\nmetadata:\n  type: feedback\n---\nUse Jenkins.\n",
    );
    expect(
      gatesOf(await desk.heed.memories.update("old", { tags: ["deploy", "jenkins", "ci"] }, MODEL)),
    ).toEqual(["amended"]);
    expect(
      gatesOf(await desk.heed.memories.update("old", { body: "Use Jenkins for all deploys." }, PERSON)),
    ).toEqual(["amended"]);
  });

  it("is refused when the memory is not the one that was read", async () => {
    const written = await desk.heed.memories.write(PROJECT, MODEL);
    const ifHash = hashOf(written);
    await desk.heed.memories.update("freeze", { salience: "high", ifHash }, PERSON);
    await expect(
      desk.heed.memories.update("freeze", { salience: "low", ifHash }, MODEL),
    ).rejects.toMatchObject({ code: "changed-outside" });
  });

  it("of a claim's tags tells nothing new, of its type does", async () => {
    await desk.heed.memories.write(CLAIM, PERSON);
    expect(
      gatesOf(await desk.heed.memories.update("prefers-vim", { tags: ["vim", "editor", "ide"] }, MODEL)),
    ).toEqual(["amended"]);
    await desk.heed.memories.write(
      { ...PROJECT, statement: "speaks Portuguese at home", name: "speaks" },
      MODEL,
    );
    expect(gatesOf(await desk.heed.memories.update("speaks", { type: "user" }, MODEL))).toEqual(["pending"]);
  });
});

describe("an edited file", () => {
  it("keeps what heed does not know, and is dated", async () => {
    const first = await desk.heed.memories.write(PROJECT, MODEL);
    const text = textOf(first)
      .replace("metadata:\n", "metadata:\n  owner: ana # hers\n")
      .replace("No merges to main", "The demo is on 2026-03-03.\nNo merges to main");
    const result = await desk.heed.memories.edit("freeze", { text, ifHash: hashOf(first) }, PERSON);
    expect(result.outcome).toBe("amended");
    expect(textOf(result)).toContain("owner: ana # hers");
    expect(textOf(result)).toContain("The demo is on 2026-03-03.");
  });

  it.each([
    [
      "without its identity",
      (text: string) =>
        text.replace(/^(?:name|  (?:id|created|source|origin)):.*\n/gm, "").replace("No merges", "No pushes"),
    ],
    [
      "with another's id",
      (text: string) =>
        text.replace(/id: \w+/, "id: 01ARZ3NDEKTSV4RRFFQ69G5FAV").replace("No merges", "No pushes"),
    ],
    ["without front matter", () => "No pushes to main.\n"],
  ])("%s stays the memory that it was", async (_, edit) => {
    const first = await desk.heed.memories.write({ ...PROJECT, source: "inferred" }, MODEL);
    const before = "metadata" in first ? first.metadata : undefined;
    await desk.heed.memories.edit("freeze", { text: edit(textOf(first)), ifHash: hashOf(first) }, PERSON);
    const { metadata, body } = await desk.heed.memories.show("freeze");
    expect(body).toMatch(/^No pushes to main/);
    const { id, name, created, source, origin, statement } = metadata;
    expect({ id, name, created, source, origin, statement }).toEqual({
      id: before?.id,
      name: "freeze",
      created: before?.created,
      source: "inferred",
      origin: { ...before?.origin, door: "terminal" },
      statement: before?.statement,
    });
  });

  it("gets no guard from a model", async () => {
    const first = await desk.heed.memories.write(RULE, PERSON);
    const bare = textOf(first);
    const text = bare.replace("metadata:\n", "metadata:\n  guard: { tool: Bash, action: deny }\n");
    expect(
      gatesOf(await desk.heed.memories.edit("no-verify", { text, ifHash: hashOf(first) }, MODEL)),
    ).toEqual(["schema"]);
    const guarded = await desk.heed.memories.edit("no-verify", { text, ifHash: hashOf(first) }, PERSON);
    expect(gatesOf(guarded)).toEqual(["amended"]);
    expect(
      gatesOf(await desk.heed.memories.edit("no-verify", { text: bare, ifHash: hashOf(guarded) }, MODEL)),
    ).toEqual(["schema"]);
  });
});

describe("a new description", () => {
  const ONE_LINE = "the importer goes live on 2031-03-05";
  it.each([
    ["a text that is the description", ONE_LINE, "NEW"],
    [
      "a text that begins with it",
      `${ONE_LINE}.\n\nThe auditors asked for it.`,
      "NEW\n\nThe auditors asked for it.",
    ],
    ["a text of its own", `Since ${ONE_LINE}, freeze it.`, `Since ${ONE_LINE}, freeze it.`],
    ["a first sentence that goes on", `${ONE_LINE} at noon.`, `${ONE_LINE} at noon.`],
  ])("is followed by %s", async (_, body, expected) => {
    await desk.heed.memories.write({ type: "project", name: "launch", statement: ONE_LINE, body }, PERSON);
    const statement = "the importer goes live on 2031-04-02";
    await desk.heed.memories.update("launch", { statement }, PERSON);
    expect((await desk.heed.memories.show("launch")).body).toBe(expected.replace("NEW", statement));
    await desk.heed.memories.update("launch", { statement: "the importer is dead", body: "Dead." }, PERSON);
    expect((await desk.heed.memories.show("launch")).body).toBe("Dead.");
  });
});

describe("removed, restored, renamed", () => {
  it("a removal needs a reason, a restoration a removed one", async () => {
    await desk.heed.memories.write(RULE, PERSON);
    await expect(desk.heed.memories.remove("no-verify", " ", PERSON)).rejects.toMatchObject({
      code: "invalid-input",
    });
    await expect(desk.heed.memories.restore("no-verify", PERSON)).rejects.toMatchObject({
      code: "not-found",
    });
  });

  it("a new name is taken everywhere", async () => {
    await desk.heed.memories.write(RULE, PERSON);
    const change = await desk.heed.memories.rename("no-verify", "Never bypass hooks", PERSON);
    expect(change).toMatchObject({ actor: "person" });
    expect((await desk.heed.history.list())[0]).toEqual(change);
    await expect(
      desk.heed.memories.rename("never-bypass-hooks", "hooks-are-off", MODEL),
    ).rejects.toMatchObject({ code: "gate-refused" });
    expect(await desk.heed.memories.show("never-bypass-hooks")).toMatchObject({
      metadata: { statement: RULE.statement },
    });
    for (const same of ["never-bypass-hooks", "Never bypass hooks!"])
      expect(await desk.heed.memories.rename("never-bypass-hooks", same, PERSON)).toMatchObject({
        id: "",
        summary: "nothing to change: it is called never-bypass-hooks already",
      });
  });

  it("no name is given twice, whatever the files are called", async () => {
    await desk.heed.memories.write(RULE, PERSON);
    mkdirSync(join(desk.userStore, "notes"));
    const note =
      "---\nname: release-day\ndescription: releases go out on Mondays\nmetadata:\n  type: project\n---\nMondays.\n";
    writeFileSync(join(desk.userStore, "notes", "by-hand.md"), note);
    await expect(desk.heed.memories.rename("no-verify", "Release Day", PERSON)).rejects.toMatchObject({
      code: "invalid-input",
    });
    expect(await desk.heed.memories.show("release-day")).toMatchObject({ body: "Mondays." });
  });
});
