import { mkdirSync, symlinkSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { findPlaces } from "../../../src/machine/places.ts";
import { readPolicy } from "../../../src/store/config/policy.ts";
import { TemporaryHeed } from "../../home/temporary-heed.ts";
import { MODEL, PERSON, RULE } from "../../write/write-desk.ts";

const place = TemporaryHeed.withUserStore();
const set = (text: string): string => place.write(place.policy, text);
const FACT = { type: "project", statement: "Deploys run at noon" };

describe("modes", () => {
  test.each([
    ["modes: [typed, pull, rules]", "off", "rules"],
    ["modes: [typed]", "off", "typed"],
    ["modes: rules", "typed", "rules"],
    ["modes: [pull, off]", "rules", "off"],
    ["writes: model", "off", "off"],
  ] as const)("%s: who says %s gets %s, by setting, variable and session", async (text, said, mode) => {
    await place.heed.setup.setMode(said, { session: "s1" });
    await place.heed.setup.setMode(said, "user");
    await place.heed.memories.write({ ...RULE, statement: "use tabs", scope: "everywhere" }, PERSON);
    set(text);
    expect((await place.heed.setup.status()).mode).toBe(mode);
    expect((await place.open({ HEED_MODE: said }).setup.status()).mode).toBe(mode);
    const isInjected = (await place.start("s1")).includes("use tabs");
    expect(isInjected).toBe(mode !== "off");
    const again = await place.heed.setup.setMode(said, "user").then(() => "set", String);
    expect(again).toMatch(mode === said ? /^set$/ : /allows only .*, not/);
  });
});

test("no variable moves it", () => {
  const moved = {
    HEED_CONFIG_DIR: "/tmp/x",
    HEED_STATE_DIR: "/tmp/x",
    HEED_POLICY: "/tmp/x",
    ProgramData: "/tmp/x",
  };
  const files = (["linux", "darwin", "win32", "freebsd"] as const).map(
    (name) => findPlaces(moved, name).policy,
  );
  expect(files).toEqual([
    "/etc/heed/policy.yaml",
    "/Library/Application Support/heed/policy.yaml",
    "C:\\ProgramData\\heed\\policy.yaml",
    "/etc/heed/policy.yaml",
  ]);
});

test("history, capture and learning go off, whatever the user set", async () => {
  place.write(`${place.home}/config/config.yaml`, "learn: model\n");
  expect((await place.heed.setup.status()).learn.mode).toBe("model");
  set("history: off\ncapture: off\nlearn: off\n");
  const { learn, policy } = await place.heed.setup.status();
  expect(learn.mode).toBe("off");
  expect(learn.problems.join()).toContain("policy.yaml");
  expect(policy).toEqual({ file: place.policy, says: "history, capture, learn off" });
  const transcript = place.transcript("s1");
  transcript.user("how do we deploy?");
  await place.endsWith({ session: "s1", file: transcript.file });
  expect(await place.heed.conversations.search({ text: "deploy" })).toMatchObject({ isOff: true, count: 0 });
});

test("`writes: nobody` freezes what memories say, for people too; settings and a scrub go on", async () => {
  await place.heed.memories.write({ ...FACT, name: "deploys" }, PERSON);
  set("writes: nobody\n");
  const fact = { ...FACT, statement: "The board is green" };
  expect(await place.heed.memories.write(fact, MODEL)).toMatchObject({ outcome: "refused" });
  for (const move of [
    () => place.heed.memories.write(fact, PERSON),
    () => place.heed.memories.update("deploys", { statement: "Deploys run at one" }, PERSON),
    () => place.heed.memories.remove("deploys", "gone", PERSON),
    () => place.heed.maintenance.verify("deploys", { note: "looked at it" }, PERSON),
    () => place.heed.history.undo({}, PERSON),
    () => place.heed.setup.sync({ remote: place.project }),
  ])
    await expect(move()).rejects.toThrow(/organisation's policy lets nobody write/);
  await place.heed.setup.setMode("rules", "user");
  const { isApplied } = await place.heed.setup.scrub("Deploys run at noon", { isApplied: true }, PERSON);
  expect(isApplied).toBe(true);
});

describe("one that cannot be read whole is the strict one, and that is said", () => {
  test.each([
    ["broken YAML", "modes: [typed"],
    ["an empty file", ""],
    ["a key that is not known", "mode: typed\n"],
    ["a value that is not known", "writes: user\n"],
    ["no mode", "modes: []\n"],
    ["a list instead of a word", "history: [off]\n"],
    ["no settings", "- typed\n"],
    ["more than its bound", `modes: typed\n#${"x".repeat(20_000)}`],
  ])("%s", async (_, text) => {
    set("writes: model\n");
    await place.heed.setup.status();
    set(text);
    const { mode, writes, policy, problems } = await place.heed.setup.status();
    expect({ mode, writes }).toEqual({ mode: "rules", writes: "nobody" });
    expect(policy?.says).toBe("modes rules; writes nobody; history, capture, learn off");
    expect(problems.join("\n")).toContain("policy.yaml");
    expect((await place.begin()).notice).toContain("the organisation's policy cannot be read");
  });

  test.each([
    ["a folder", () => mkdirSync(place.policy)],
    ["a link to nothing", () => symlinkSync("/nowhere/policy.yaml", place.policy)],
  ])("%s in its place", (_, put) => {
    put();
    expect(readPolicy(place.policy)).toMatchObject({ writes: "nobody", modes: ["rules"] });
  });
});
