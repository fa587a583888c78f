import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import type { Heed } from "../../../src/heed.ts";
import { findPlaces } from "../../../src/machine/places.ts";
import { slugOf } from "../../../src/memory/handle.ts";
import { memoryFile, TemporaryHeed } from "../../home/temporary-heed.ts";
import { MODEL, PERSON, RULE } from "../../write/write-desk.ts";

/** No scanner knows it: it passes every gate, and so gets everywhere. */
const VALUE = "blue-Heron/42 lands & leaves";

const there = TemporaryHeed.withUserStore();
let heed: Heed;
beforeEach(async () => {
  heed = there.heed;
  await heed.setup.init("project");
});

/** The files below the home and the project that hold a text as it is, in JSON or in a URL; git's objects are packed. */
function filesWith(value: string): string[] {
  const forms = [
    value,
    JSON.stringify(value).slice(1, -1),
    encodeURIComponent(value),
    Buffer.from(value).toString("base64"),
  ];
  return readdirSync(there.folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => {
      const text = readFileSync(path, "utf8");
      return forms.some((form) => text.includes(form) || path.includes(form));
    });
}

/** A write that is not refused. */
async function keep(...args: Parameters<Heed["memories"]["write"]>): Promise<void> {
  const [draft, actor] = args;
  const result = await heed.memories.write(draft, actor);
  if (result.outcome === "refused") throw new Error(JSON.stringify(result.refusals));
}

/** Puts the value wherever heed keeps text. */
async function leakEverywhere(): Promise<void> {
  await keep({ ...RULE, store: "user", body: `${RULE.body}\nThe phrase is ${VALUE}.` }, PERSON);
  await heed.memories.update("no-verify", { tags: ["git", "hooks"] }, PERSON);
  await keep(
    {
      type: "project",
      name: "pass-phrase",
      store: "project",
      statement: `releases are signed with ${VALUE}`,
      body: "Signed in CI.",
    },
    PERSON,
  );
  await keep(
    { type: "project", name: "old", statement: `the old phrase was ${VALUE} too`, body: "Gone." },
    PERSON,
  );
  await heed.memories.remove("old", `it said ${VALUE}`, PERSON);
  await keep({ type: "user", name: "likes", statement: `the user likes ${VALUE}`, body: "Likes it." }, MODEL);
  await keep({ type: "user", name: "hates", statement: `the user hates ${VALUE}`, body: "Hates it." }, MODEL);
  await heed.inbox.reject("hates", `no, ${VALUE} is fine`, PERSON);
  await there.start();
  await there.prompt(`how are releases signed, with the pass phrase ${VALUE}?`);
  there.write(join(there.state, "heed.log"), `2026-01-01 could not read ${JSON.stringify(VALUE)}\n`);
  there.write(join(there.userStore, "reference", `${slugOf(VALUE)}.md`), "x");
  there.write(
    join(there.userStore, "reference", "encoded.md"),
    memoryFile({
      type: "reference",
      name: "encoded",
      statement: "where the phrase is",
      body: `https://vault.example/?q=${encodeURIComponent(VALUE)}\n${Buffer.from(VALUE).toString("base64")}\n`,
    }),
  );
  there.write(join(findPlaces(there.env).config, "notes.yaml"), `phrase: ${VALUE}\n`);
  await heed.memories.list();
  await heed.close();
}

describe("heed scrub", () => {
  test("takes it out of every file that a dry run names, and a search of all of them finds nothing", async () => {
    await leakEverywhere();
    const before = filesWith(VALUE);
    expect(before.length).toBeGreaterThan(8);
    const dry = await heed.setup.scrub(VALUE, {}, PERSON);
    expect(dry).toMatchObject({ isApplied: false, left: [] });
    expect(dry.files.map(({ path }) => path)).toEqual(
      expect.arrayContaining(before.filter((path) => !path.includes("/cache/"))),
    );
    expect(filesWith(VALUE)).toEqual(before);
    const report = await heed.setup.scrub(VALUE, { isApplied: true }, PERSON);
    expect(report).toMatchObject({ isApplied: true, left: [] });
    expect(filesWith(VALUE)).toEqual([]);
    // What else the files said is still there, and can be read.
    const problems = (await heed.maintenance.check()).stores.flatMap((store) => store.problems);
    expect(
      problems.filter(
        ({ severity, code }) =>
          severity === "error" && code !== "no-description" && code !== "missing-pointer",
      ),
    ).toEqual([]);
    const shown = await heed.memories.show("no-verify");
    expect(shown.body).toContain("The phrase is (scrubbed).");
    expect(shown.metadata.tags).toEqual(["git", "hooks"]);
    expect(
      (await heed.memories.search({ query: "releases signed" })).hits.map(({ metadata }) => metadata.name),
    ).toContain("pass-phrase");
    expect((await heed.memories.search({ query: "heron" })).hits).toEqual([]);
    expect((await heed.inbox.list()).map(({ name }) => name)).toEqual(["likes"]);
    expect((await heed.session.receipts()).length).toBeGreaterThan(0);
    // Nothing brings it back.
    await keep({ ...RULE, name: "another", statement: "another rule about hooks in the build" }, PERSON);
    await heed.memories.update("no-verify", { tags: ["git", "commit"] }, PERSON);
    await heed.close();
    expect(filesWith(VALUE)).toEqual([]);
  });

  test("names the histories that hold it, with commands that do not", async () => {
    await leakEverywhere();
    there.commit();
    const { histories } = await heed.setup.scrub(VALUE, { isApplied: true }, PERSON);
    expect(histories.map(({ repository, isCertain }) => ({ repository, isCertain }))).toEqual([
      { repository: there.userStore, isCertain: true },
      { repository: there.project, isCertain: true },
    ]);
    const commands = histories[0]?.commands.join("\n") ?? "";
    expect(commands).toContain(`git -C ${there.userStore} filter-repo`);
    expect(commands).toContain("gc --prune=now");
    expect(commands).not.toContain("Heron");
  });

  test("is a person's to run", async () => {
    await expect(heed.setup.scrub(VALUE, { isApplied: true }, MODEL)).rejects.toMatchObject({
      code: "gate-refused",
    });
  });

  test("leaves another tool's directory alone, and says so", async () => {
    const file = there.write(
      join(there.folder, "notes", "a.md"),
      memoryFile({ type: "project", name: "a", statement: `it is ${VALUE}` }),
    );
    await heed.setup.attach(join(there.folder, "notes"), {}, { kind: "person" });
    const report = await heed.setup.scrub(VALUE, { isApplied: true }, PERSON);
    expect(report.left).toEqual([file]);
    expect(existsSync(file)).toBe(true);
    expect(readFileSync(file, "utf8")).toContain(VALUE);
  });
});
