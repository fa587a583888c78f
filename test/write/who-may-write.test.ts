import { expect, test } from "vitest";
import { join } from "node:path";
import { TemporaryHeed } from "../home/temporary-heed.ts";
import { MODEL, PERSON } from "./write-desk.ts";

const place = TemporaryHeed.prepared(async (first) => {
  await first.heed.setup.init("user");
  await first.start("session-1");
  await first.prompt("never push on fridays", "session-1");
});

const RULE = { type: "feedback", statement: "Never push on Fridays", quote: "never push on fridays" };
const HOOK = { kind: "hook", client: "claude-code" } as const;
const FACT = { type: "project", name: "fact", statement: "The board is green" };
const set = (writes: string, file = join(place.home, "config/config.yaml")): string =>
  place.write(file, `writes: ${writes}\n`);

test("`ask`: every write of a model waits, and the user's own does not", async () => {
  await place.heed.memories.write(FACT, MODEL);
  set("ask");
  expect(await place.heed.memories.write(RULE, MODEL)).toMatchObject({ outcome: "pending" });
  expect(
    await place.heed.memories.write({ ...FACT, name: "other", statement: "Deploys run at noon" }, MODEL),
  ).toMatchObject({
    outcome: "pending",
    reason: expect.stringContaining("`writes: ask` is on: it needs approval and is not in force"),
  });
  expect(await place.heed.memories.update("fact", { tags: ["board", "green"] }, MODEL)).toMatchObject({
    outcome: "pending",
  });
  await expect(place.heed.memories.remove("fact", "gone", MODEL)).rejects.toMatchObject({
    code: "gate-refused",
  });
  expect(await place.heed.memories.write({ ...RULE, name: "mine" }, PERSON)).toMatchObject({
    outcome: "written",
  });
});

test("`me`: a model's write is refused, with what the user does instead", async () => {
  await place.heed.memories.write(FACT, MODEL);
  set("me");
  expect(await place.heed.memories.write(RULE, MODEL)).toMatchObject({
    outcome: "refused",
    refusals: [{ gate: "user-word", remedy: expect.stringContaining("heed keep:") as string }],
  });
  for (const move of [
    () => place.heed.memories.remove("fact", "gone", MODEL),
    () => place.heed.memories.rename("fact", "other", MODEL),
    () => place.heed.memories.remove("fact", "gone", HOOK),
    () => place.heed.maintenance.verify("fact", { note: "looked at the board itself" }, MODEL),
    () => place.heed.maintenance.repair("fact", { isApplied: true }, MODEL),
    () => place.heed.history.undo({}, MODEL),
    () => place.heed.exchange.importFrom({ from: place.project, isApplied: true }, MODEL),
  ])
    await expect(move()).rejects.toMatchObject({ code: "gate-refused" });
  expect(
    await place.heed.memories.write({ ...FACT, name: "hooked", statement: "Deploys run at noon" }, HOOK),
  ).toMatchObject({ outcome: "pending" });
  await place.heed.maintenance.verify("fact", { note: "looked at the board itself" }, PERSON);
  expect((await place.heed.setup.status()).writes).toBe("me");
});

test.each([
  [undefined, undefined, undefined, "model"],
  ["model", "model", "model", "model"],
  ["ask", undefined, "model", "ask"],
  ["model", "me", undefined, "me"],
  ["ask", "model", "me", "me"],
  ["nobody", undefined, undefined, "ask"],
  ["model", "model", "nobody", "nobody"],
  ["[", undefined, undefined, "ask"],
  [undefined, "off", undefined, "ask"],
  [undefined, undefined, "[", "nobody"],
  [undefined, "[", undefined, "ask"],
] as const)(
  "the strictest holds: user %s, repository %s, organisation %s: %s",
  async (user, repository, organisation, setting) => {
    if (user !== undefined) set(user);
    if (repository !== undefined) set(repository, ".heed/config.yaml");
    if (organisation !== undefined) set(organisation, place.policy);
    expect((await place.open().setup.status()).writes).toBe(setting);
  },
);
