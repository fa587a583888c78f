import { beforeEach, expect, test } from "vitest";
import { TemporaryHeed } from "../home/temporary-heed.ts";

const place = TemporaryHeed.withUserStore();
beforeEach(async () => {
  place.opened("without");
  place.remember(
    ...["auth", "billing", "payments", "search", "orders"].map((service) => ({
      type: "reference",
      name: `rb-${service}`,
      statement: `runbook of the ${service} service: https://wiki.acme.example/rb/${service}`,
    })),
    { type: "reference", name: "console", statement: "billing console: https://z.example.com/1" },
  );
});

/** What of the family a prompt is told, in a session without a map and in one with it. */
async function injectedOf(prompt: string): Promise<string[][]> {
  await place.start("with-map");
  return Promise.all(
    ["with-map", "without"].map(async (session) =>
      [...(await place.prompt(prompt, session)).matchAll(/heed:(rb-[a-z]+)/g)].map(([, name = ""]) => name),
    ),
  );
}

test.each([
  ["where is the runbook of the billing service?", ["rb-billing"]],
  ["payments is down, where's its runbook, the one of the service?", ["rb-payments"]],
  ["Open the runbook of the search service for me", ["rb-search"]],
  ["latency of orders is up, where do I look? the runbook?", ["rb-orders"]],
  ["show me the auth service's runbook and say what is wrong", ["rb-auth"]],
])("of five runbooks: %s", async (prompt, names) => {
  const [withMap = [], without] = await injectedOf(prompt);
  expect(without).toEqual(names);
  expect(withMap.filter((name) => !names.includes(name))).toEqual([]);
});

test("where none is singled out, none of the family is told, and the map has it", async () => {
  expect(await injectedOf("where do I find the runbook of a service, on which page?")).toEqual([[], []]);
});
