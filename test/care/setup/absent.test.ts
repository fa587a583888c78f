import {
  cpSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { memoryFile, TemporaryHeed } from "../../home/temporary-heed.ts";

const PERSON = { kind: "person" } as const;
const place = TemporaryHeed.withUserStore();

test.each(["absent", "empty"])(
  "a folder on a drive that is not there (%s) is named, and not forgotten",
  async (how) => {
    const folder = join(place.folder, "drive", "notes");
    const statement = "Never deploy on Fridays";
    place.write(join(folder, "a.md"), memoryFile({ type: "feedback", name: "no-friday", statement }));
    await place.heed.setup.attach(folder, {}, PERSON);
    const away = join(place.folder, "away");
    renameSync(folder, away);
    if (how === "empty") mkdirSync(folder);
    const words = `the attached folder is ${how === "empty" ? "empty" : "not there"}`;
    expect((await place.heed.setup.status()).problems.join()).toContain(`${folder}: ${words}`);
    const { problems, errors } = await place.heed.maintenance.check();
    expect([problems.map(({ file, severity }) => [file, severity]), errors]).toEqual([
      [[folder, "warning"]],
      0,
    ]);
    const { notice, context } = await place.begin();
    expect([notice, context]).toEqual([expect.stringContaining(words), expect.stringContaining(words)]);
    expect(context).not.toContain("goes on with what was last good");
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
    renameSync(away, folder);
    expect((await place.heed.setup.status()).problems).toEqual([]);
    expect(await place.prompt("hello", "back")).toContain(statement);
  },
);

test("a project's store behind a link is not read, which a start and doctor say", async () => {
  const link = join(place.project, ".heed");
  symlinkSync(place.folder, link);
  const words = `${link}: is a link, which heed does not follow`;
  const { notice, context } = await place.begin();
  expect([notice, context]).toEqual([expect.stringContaining(words), expect.stringContaining(words)]);
  expect((await place.heed.setup.status()).problems.join()).toContain(words);
  unlinkSync(link);
  expect((await place.heed.setup.status()).problems).toEqual([]);
});

test("a check names what is absent where there is no store at all", async () => {
  const alone = new TemporaryHeed();
  onTestFinished(() => alone.remove());
  const link = join(alone.project, ".heed");
  symlinkSync(alone.folder, link);
  const { stores, problems, errors, warnings } = await alone.heed.maintenance.check();
  expect([stores, problems.map(({ file }) => file), errors, warnings]).toEqual([[], [link], 0, 1]);
});

test.each(["removed", "left out of a sparse checkout"])(
  "a project's store that is %s and in git is named at a start and by doctor",
  async (how) => {
    await place.heed.setup.init("project");
    const draft = {
      type: "feedback",
      statement: "Never push on Fridays",
      body: "It broke.",
      store: "project",
    };
    await place.heed.memories.write(draft as never, PERSON);
    place.commit();
    const folder = join(place.project, ".heed");
    if (how === "removed") rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
    else place.git("sparse-checkout", "set", "--no-cone", "/*", "!/.heed");
    // What sparse checkout leaves of heed's own goes too.
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
    const words = `${folder}: is in git and not in the work tree`;
    // On a busy machine git has no answer in time.
    const told = async (): Promise<unknown> => {
      const { notice, context } = await place.begin();
      return [notice, context];
    };
    await expect
      .poll(told, { timeout: 60_000 })
      .toEqual([expect.stringContaining(words), expect.stringContaining(words)]);
    expect((await place.heed.setup.status()).problems.join()).toContain(words);
    place.git("rm", "-rqf", "--cached", "--sparse", ".heed");
    expect((await place.heed.setup.status()).problems).toEqual([]);
  },
);

test("a client's folder that is still empty, or is another project's, is no trouble", async () => {
  for (const folder of [place.clientMemory(), place.clientMemory("/elsewhere")]) {
    mkdirSync(folder, { recursive: true });
    await place.heed.setup.attach(folder, {}, PERSON);
  }
  rmSync(place.clientMemory("/elsewhere"), { recursive: true });
  expect((await place.heed.setup.status()).problems).toEqual([]);
});

test("a repository that was put back from a copy has its memories before a session starts", async () => {
  place.commit();
  const write = { type: "project", name: "staging", statement: "staging is rebuilt at 02:00" };
  expect((await place.heed.memories.write(write, PERSON)).outcome).toBe("written");
  const { scope } = (await place.heed.memories.show("staging")).metadata;
  expect(scope.repo).toMatch(/^root:/);
  const copy = `${place.project}.copy`;
  cpSync(place.project, copy, { recursive: true });
  rmSync(place.project, { recursive: true });
  renameSync(copy, place.project);
  // Where nothing can be remembered it is learnt all the same.
  const file = join(place.state, "repositories.json");
  const known = readFileSync(file, "utf8");
  rmSync(file);
  mkdirSync(join(file, "in-its-place"), { recursive: true });
  expect((await place.heed.memories.list()).map(({ name }) => name)).toEqual(["staging"]);
  rmSync(file, { recursive: true });
  writeFileSync(file, known);
  expect((await place.heed.memories.show("staging")).notes).toEqual([]);
  expect((await place.heed.memories.list()).map(({ name }) => name)).toEqual(["staging"]);
});
