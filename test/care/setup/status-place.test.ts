import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import type { Heed } from "../../../src/heed.ts";
import { openHeed } from "../../../src/heed.ts";
import { diagnose } from "../../../src/surfaces/clients/doctor/examine.ts";
import { thisMachine } from "../../../src/surfaces/clients/this-machine.ts";
import { TemporaryHeed } from "../../home/temporary-heed.ts";
import { PERSON } from "../../write/write-desk.ts";

const place = TemporaryHeed.forEachTest();
beforeEach(async () => {
  place.write("a.txt", "a");
  place.git("add", ".");
  place.git("-c", "user.name=t", "-c", "user.email=t@example.org", "commit", "-qm", "first");
  await place.heed.setup.init("user");
});

test("status calls the place as its memories are scoped", async () => {
  const written = await place.heed.memories.write(
    { type: "project", description: "the bastion is at https://bastion.test/2", body: "It is." },
    PERSON,
  );
  const scope = "metadata" in written ? written.metadata.scope.repo : "";
  expect(scope).toMatch(/^root:/);
  expect((await place.open().setup.status()).repository).toBe(scope);
});

test("status, map and why name the question that is open in a place that says it is another one", async () => {
  await place.heed.memories.write(
    { type: "project", description: "the bastion is at https://bastion.test/2", body: "It is." },
    PERSON,
  );
  const asked = async ({ setup, session }: Heed): Promise<unknown[]> => {
    const answers = [await setup.status(), await session.map(), await session.why({ prompt: "the bastion" })];
    return answers.map(({ question }) => question);
  };
  expect(await asked(place.heed)).toEqual([undefined, undefined, undefined]);
  const clone = join(place.folder, "clone");
  execFileSync("git", ["clone", "-q", place.project, clone]);
  const heed = openHeed({ cwd: clone, env: place.env, now: () => new Date(place.now) });
  const question = expect.stringContaining(
    "is the same project: heed trust --same, or heed trust --other.",
  ) as string;
  expect(await asked(heed)).toEqual([question, question, question]);
  const machine = await thisMachine(heed.setup, { cwd: clone, env: place.env, script: "heed" });
  expect(await diagnose(heed.setup, machine, false)).toContainEqual({
    about: "machine",
    what: "place",
    state: "note",
    detail: question,
  });
  await heed.close();
});
