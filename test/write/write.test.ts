import { execFileSync } from "node:child_process";
import { readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { type Heed, type MemoryDraft, openHeed } from "../../src/heed.ts";
import { gatesOf, MODEL, PERSON, RULE, textOf, writeDesk } from "./write-desk.ts";

const desk = writeDesk();

describe("writing a memory", () => {
  it("makes a file that says what was written, where and by whom", async () => {
    const result = await desk.heed.memories.write({ ...RULE, tags: ["git", "pre-commit", "hooks"] }, PERSON);
    expect(result).toMatchObject({
      outcome: "written",
      path: join(desk.userStore, "feedback", "no-verify.md"),
      announcement:
        "remembered as a rule (feedback): never use --no-verify when a pre-commit hook fails [heed:no-verify]",
      warnings: [],
    });
    const text = textOf(result);
    expect(text).toContain("name: no-verify\n");
    expect(text).toContain("type: feedback");
    expect(text).toMatch(/id: [0-9A-Z]{26}\n/);
    expect(text).toContain("created: 2026-03-02T10:00:00Z");
    expect(text).toContain("repo: github.com/acme/api");
    expect(text).toContain("actor: person, door: terminal");
    expect(text).toContain("**Why:** a bypass shipped a broken migration.");
  });

  it("puts reason and how below the statement and the user's words", async () => {
    await desk.start("session-1");
    await desk.prompt("run the linter first, CI is slow", "session-1");
    const statement = "Run the linter before the tests";
    const given = { reason: "CI is slow", how: "before each\npush", quote: "run the linter first" };
    const result = await desk.heed.memories.write({ type: "feedback", statement, ...given }, MODEL);
    expect(textOf(result).split("---\n")[2]).toBe(
      `${statement}\n\n> "run the linter first, CI is slow" (the user, 2026-03-02)\n\n**Why:** CI is slow\n\n**How to apply:** before each push\n`,
    );
    const changed = { how: "before a push", sections: { why: "CI takes an hour" } };
    const name = "run-the-linter-before-the-tests";
    const update = await desk.heed.memories.update(name, changed, PERSON);
    expect(textOf(update)).toMatch(/\*\*Why:\*\* CI takes an hour\n\n\*\*How to apply:\*\* before a push\n$/);
    const again = await desk.heed.memories.write({ type: "project", statement: "The host is oak" }, MODEL);
    expect(gatesOf(again)).toEqual(["written"]);
    const how = "log in with ghp_x8Kq2mVt5Rw9Zb3Nc7Jd1Lf6Hs4Pg0TyUaEi";
    const said = { type: "project", statement: "The host is oak" };
    expect(gatesOf(await desk.heed.memories.write({ ...said, how }, MODEL))).toEqual(["secret"]);
    const more = await desk.heed.memories.write({ ...said, how: "log in with ssh" }, MODEL);
    expect(textOf(more)).toContain("The host is oak\n\n**How to apply:** log in with ssh\n");
  });

  it("says everything that is wrong at once, and writes nothing", async () => {
    const result = await desk.heed.memories.write(
      { type: "projct", statement: "goes live next sprint", body: "It goes live next sprint." },
      MODEL,
    );
    expect(gatesOf(result)).toEqual(["schema", "relative-dates"]);
    expect(readdirSync(desk.userStore)).toEqual([]);
  });

  it.each(["- ", "? ", ": ", "[", "{a: "])("reads back and changes a row of %j", async (mark) => {
    const statement = `a row ${mark.repeat(70)}`.trim();
    await desk.heed.memories.write({ type: "project", name: "a-row", statement }, PERSON);
    await desk.heed.memories.update("a-row", { aliases: ["another"] }, PERSON);
    const { metadata } = await desk.heed.memories.show("a-row", { reader: PERSON });
    expect(metadata).toMatchObject({ statement, aliases: ["another"] });
  });

  it("keeps no control character in a list", async () => {
    const lists = { tags: ["a ta\u000E", "b\u001B[2K"], aliases: ["x\u0085y"], trigger: ["\u0003Ά"] };
    await desk.heed.memories.write(
      { type: "project", name: "odd", statement: "it is odd", ...lists },
      PERSON,
    );
    const { metadata } = await desk.heed.memories.show("odd", { reader: PERSON });
    expect(metadata).toMatchObject({ tags: ["a ta", "b [2K"], aliases: ["x y"], trigger: ["Ά"] });
  });

  it("expires on the day that is given, and on none that stands in the text", async () => {
    const statement = "merge freeze until 2026-03-05 for the mobile release";
    const freeze = { type: "project", name: "freeze", statement };
    const first = await desk.heed.memories.write(freeze, MODEL);
    expect("metadata" in first && first.metadata.expires).toBeUndefined();
    const second = await desk.heed.memories.write({ ...freeze, expires: "2026-03-05" }, MODEL);
    expect(second).toMatchObject({ outcome: "amended", metadata: { expires: "2026-03-05" } });
  });

  it("does not say again what CLAUDE.md says, word for word; other words are the writer's to judge", async () => {
    writeFileSync(
      join(desk.project, "CLAUDE.md"),
      "# Rules\n- Never use `--no-verify` when a pre-commit hook fails.\n",
    );
    const inBody = {
      ...RULE,
      statement: "never bypass",
      body: `**${RULE.statement}**!\n**Why:** it broke.`,
    };
    for (const draft of [RULE, inBody])
      expect(await desk.heed.memories.write(draft, PERSON)).toMatchObject({
        outcome: "refused",
        refusals: [{ gate: "derivable", reason: expect.stringContaining("CLAUDE.md:2") as string }],
      });
    const statement = "when a hook fails, do not commit with --no-verify";
    expect(gatesOf(await desk.heed.memories.write({ ...RULE, statement }, PERSON))).toEqual(["written"]);
  });

  it("takes no field that is not known", async () => {
    await expect(
      desk.heed.memories.write({ ...RULE, text: "never" } as MemoryDraft, PERSON),
    ).rejects.toMatchObject({
      code: "invalid-input",
      message: expect.stringContaining("draft.text") as string,
    });
  });
});

describe("the store of a memory", () => {
  /** A project store as a clone brings it. */
  const projectStore = (): string =>
    dirname(desk.write(".heed/config.yaml", "store: 01JD3Z8Q6T0V9W4X5Y6Z7A8B9C\n"));

  it("is the user's own, also beside a trusted one of the repository, unless the draft names that", async () => {
    const store = projectStore();
    await desk.heed.setup.trust();
    expect(await desk.heed.memories.write(RULE, PERSON)).toMatchObject({
      path: join(desk.userStore, "feedback", "no-verify.md"),
    });
    const shared = { ...RULE, name: "shared", store: "project" as const };
    expect(await desk.heed.memories.write(shared, PERSON)).toMatchObject({
      path: join(store, "feedback", "shared.md"),
    });
  });

  it("is never an untrusted one", async () => {
    const store = projectStore();
    expect(await desk.heed.memories.write(RULE, PERSON)).toMatchObject({
      path: join(desk.userStore, "feedback", "no-verify.md"),
    });
    expect(
      gatesOf(await desk.heed.memories.write({ ...RULE, name: "other", store: "project" }, PERSON)),
    ).toEqual(["store-trust"]);
    expect(readdirSync(store)).toEqual(["config.yaml"]);
  });

  it("is named when it is not here", async () => {
    await expect(desk.heed.memories.write({ ...RULE, store: "project" }, PERSON)).rejects.toMatchObject({
      code: "no-store",
      data: { store: "project" },
    });
  });
});

describe("a name or title that exists", () => {
  it("amends that memory, shown as a diff, and keeps what the file has besides", async () => {
    const first = await desk.heed.memories.write(RULE, PERSON);
    const path = "path" in first ? first.path : "";
    writeFileSync(path, textOf(first).replace("metadata:\n", "metadata:\n  owner: ana # keep\n"));
    desk.now = "2026-03-03T10:00:00Z";
    const body = `${RULE.body}\nAsk before any exception.`;
    const result = await desk.heed.memories.write({ ...RULE, name: "No Verify", body }, PERSON);
    expect(result).toMatchObject({ outcome: "amended", metadata: { name: "no-verify" } });
    expect("diff" in result && result.diff).toContain("+Ask before any exception.");
    expect(textOf(result)).toContain("owner: ana # keep");
    expect(textOf(result)).toContain("created: 2026-03-02T10:00:00Z");
    expect(textOf(result)).toContain("updated: 2026-03-03T10:00:00Z");
    expect(readdirSync(join(desk.userStore, "feedback"))).toEqual(["no-verify.md"]);
  });

  it("knows the title in any case", async () => {
    await desk.heed.memories.write(RULE, PERSON);
    const draft = {
      ...RULE,
      name: "another",
      statement: "Never use --no-verify when a pre-commit hook fails!",
    };
    for (const [body, outcome] of [
      [RULE.body, "unchanged"],
      [`${RULE.body}\nAsk first.`, "amended"],
    ] as const)
      expect(await desk.heed.memories.write({ ...draft, body }, PERSON)).toMatchObject({
        outcome,
        metadata: { name: "no-verify" },
      });
  });

  it("changes nothing when nothing is said again", async () => {
    await desk.heed.memories.write(RULE, PERSON);
    desk.now = "2026-03-03T10:00:00Z";
    const result = await desk.heed.memories.write(RULE, PERSON);
    expect(result.outcome).toBe("unchanged");
    expect(textOf(result)).toContain("updated: 2026-03-02T10:00:00Z");
  });
});

describe("what was removed", () => {
  it("is written again, and the answer says that it was removed, when and why", async () => {
    await desk.heed.memories.write(RULE, PERSON);
    await desk.heed.memories.remove("no-verify", "the hooks are gone", PERSON);
    expect(await desk.heed.memories.write(RULE, PERSON)).toMatchObject({
      outcome: "written",
      near: [{ name: "no-verify", removed: "removed on 2026-03-02: the hooks are gone" }],
    });
    expect(gatesOf(await desk.heed.memories.write(RULE, PERSON))).toEqual(["unchanged"]);
  });
});

/** Heed in another repository of the same machine. */
function inAnother(): Heed {
  const cwd = join(desk.folder, "web");
  execFileSync("git", ["init", "-q", "-b", "main", cwd]);
  return openHeed({ cwd, env: desk.env, now: () => new Date(desk.now) });
}

/** The rules that a session is told there. */
async function rulesElsewhere(): Promise<string> {
  const elsewhere = inAnother();
  const memories = await elsewhere.memories.list({ types: ["feedback"] });
  await elsewhere.close();
  return memories.map(({ name }) => name).join();
}

it("a rule belongs to the repository where it was given", async () => {
  await desk.heed.memories.write(RULE, PERSON);
  expect(await rulesElsewhere()).toBe("");
});

it("one for everywhere holds in other repositories too", async () => {
  const result = await desk.heed.memories.write({ ...RULE, scope: "everywhere" }, PERSON);
  expect(textOf(result)).not.toContain("acme/api");
  expect(textOf(result)).toContain("actor: person");
  expect(await rulesElsewhere()).toBe("no-verify");
});

it("and so does one that is made so later", async () => {
  await desk.heed.memories.write(RULE, PERSON);
  const result = await desk.heed.memories.update("no-verify", { scope: "everywhere" }, PERSON);
  expect(result.outcome).toBe("amended");
  expect(await rulesElsewhere()).toBe("no-verify");
});

it("the words of one repository change no rule of another", async () => {
  await desk.heed.memories.write(RULE, PERSON);
  const quote = "use --no-verify when a pre-commit hook fails";
  await desk.prompt(quote, "session-1");
  const elsewhere = inAnother();
  const changed = await elsewhere.memories.update("no-verify", { statement: quote, quote }, MODEL);
  await elsewhere.close();
  expect(changed.outcome).toBe("pending");
});
