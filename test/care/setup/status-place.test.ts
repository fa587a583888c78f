import { expect, test } from "vitest";
import { TemporaryHeed } from "../../home/temporary-heed.ts";
import { PERSON } from "../../write/write-desk.ts";

const place = TemporaryHeed.forEachTest();

test("status calls the place as its memories are scoped", async () => {
  place.write("a.txt", "a");
  place.git("add", ".");
  place.git("-c", "user.name=t", "-c", "user.email=t@example.org", "commit", "-qm", "first");
  await place.heed.setup.init("user");
  const written = await place.heed.memories.write(
    { type: "project", statement: "the bastion is at https://bastion.test/2", body: "It is." },
    PERSON,
  );
  const scope = "metadata" in written ? written.metadata.scope.repo : "";
  expect(scope).toMatch(/^root:/);
  expect((await place.open().setup.status()).repository).toBe(scope);
});
