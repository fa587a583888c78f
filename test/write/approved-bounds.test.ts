import { expect, test } from "vitest";
import type { MemoryChanges, WriteResult } from "../../src/heed.ts";
import { TemporaryHeed } from "../home/temporary-heed.ts";

// A change of where and how long a rule holds waits; approved, it is what was shown.
const PERSON = { kind: "person" } as const;
const MODEL = { kind: "model", client: "test", session: "s1" } as const;

const place = TemporaryHeed.prepared(async (first) => {
  await first.heed.setup.init("user");
  await first.start("s1");
});

const rule = {
  type: "feedback",
  name: "tabs",
  statement: "Indent with tabs",
  expires: "2027-01-01",
} as const;

test.each<[string, MemoryChanges, string]>([
  ["everywhere", { scope: "everywhere" }, "-  scope:"],
  ["in paths", { scope: { paths: ["src/**"] } }, "src/**"],
  ["without an end", { expires: null }, "-  expires: 2027-01-01"],
  ["with another end", { expires: "2027-02-01" }, "+  expires: 2027-02-01"],
])("a rule that is to hold %s does once it is approved", async (_, changes, shown) => {
  await place.heed.memories.write(rule, PERSON);
  const before = (await place.heed.memories.show("tabs")).metadata;
  const asked: WriteResult = await place.heed.memories.update("tabs", changes, MODEL);
  const [item] = await place.heed.inbox.list();
  expect(item?.diff).toContain(shown);
  await place.heed.consent.answer("code" in asked ? asked.code : "", "yes", PERSON);
  const { scope, expires, origin } = (await place.heed.memories.show("tabs")).metadata;
  const wanted = {
    scope:
      changes.scope === "everywhere" ? { paths: [] } : { ...before.scope, paths: changes.scope?.paths ?? [] },
    expires: changes.expires === undefined ? before.expires : (changes.expires ?? undefined),
  };
  expect({ scope, expires }).toEqual(wanted);
  expect(origin.actor).toBe("person");
  expect(await place.heed.inbox.list()).toEqual([]);
});
