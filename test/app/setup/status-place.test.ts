import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openHeed } from "../../../src/heed.ts";
import { TemporaryHeed } from "../temporary-heed.ts";
import { PERSON } from "../writing/write-desk.ts";

let place: TemporaryHeed;
beforeEach(async () => {
  place = new TemporaryHeed();
  place.write("a.txt", "a");
  place.git("add", ".");
  place.git("-c", "user.name=t", "-c", "user.email=t@example.org", "commit", "-qm", "first");
  await place.heed.setup.init("user");
});
afterEach(() => place.remove());

test("status calls the place as its memories are scoped", async () => {
  const written = await place.heed.memories.write(
    { type: "project", description: "the bastion is at https://bastion.test/2", body: "It is." },
    PERSON,
  );
  const scope = "card" in written ? written.card.scope.repo : "";
  expect(scope).toMatch(/^root:/);
  expect((await place.open().setup.status()).repository).toBe(scope);
});

test("status names the question that is open in a place that says it is another one", async () => {
  await place.heed.memories.write(
    { type: "project", description: "the bastion is at https://bastion.test/2", body: "It is." },
    PERSON,
  );
  expect((await place.heed.setup.status()).problems).toEqual([]);
  const clone = join(place.folder, "clone");
  execFileSync("git", ["clone", "-q", place.project, clone]);
  const heed = openHeed({ cwd: clone, env: place.env, now: () => new Date(place.now) });
  expect((await heed.setup.status()).problems).toEqual([
    expect.stringContaining("The same? heed trust --same. Another? heed trust --other"),
  ]);
  await heed.close();
});
