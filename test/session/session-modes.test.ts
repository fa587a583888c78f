import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import type { Mode } from "../../src/store/config/store-config.ts";
import { rule, TemporaryHeed } from "../home/temporary-heed.ts";

const place = TemporaryHeed.forEachTest();
beforeEach(() => {
  place.remember(rule("tabs", "Indent with tabs"), FACT);
});

const FACT = {
  type: "project",
  name: "queue-retry",
  statement: "the email queue retries five times",
  body: "The email queue retries five times, and then parks the letter.",
};
const ASKS = "how often does the email queue retry, five times?";

/** What a session is told: rules, the map, or counts in its place, facts. */
async function injected(session: string): Promise<string[]> {
  const start = await place.start(session);
  const prompt = await place.prompt(ASKS, session);
  return [
    ...(start.includes("Indent with tabs") ? ["rules"] : []),
    ...(start.includes("<heed-map>") ? ["map"] : []),
    ...(start.includes("heed holds 1 fact") ? ["counts"] : []),
    ...(prompt.includes("heed:queue-retry") ? ["facts"] : []),
  ];
}

const MODES: [Mode, string[]][] = [
  ["typed", ["rules", "map", "facts"]],
  ["pull", ["rules", "counts"]],
  ["rules", ["rules"]],
  ["off", []],
];

test.each(MODES)("mode %s of the user's configuration", async (mode, parts) => {
  place.write(join(place.userStore, "config.yaml"), `mode: ${mode}\n`);
  expect(await injected("s1")).toEqual(parts);
});

test.each(MODES)("mode %s of one session, and of no other", async (mode, parts) => {
  await place.heed.setup.setMode(mode, { session: "s1" });
  expect(await injected("s1")).toEqual(parts);
  expect(await injected("s2")).toEqual(["rules", "map", "facts"]);
});

test("a session goes before the environment, that before the configuration", async () => {
  place.write(join(place.userStore, "config.yaml"), "mode: rules\n");
  place.env["HEED_MODE"] = "PULL";
  expect(await injected("s1")).toEqual(["rules", "counts"]);
  await place.heed.setup.setMode("typed", { session: "s2" });
  expect(await injected("s2")).toEqual(["rules", "map", "facts"]);
});

describe("setting a mode", () => {
  test("keeps the rest of the configuration", async () => {
    const file = place.write(join(place.userStore, "config.yaml"), "# mine\nstore: user # id\nmode: rules\n");
    await place.heed.setup.setMode("pull", "user");
    expect(readFileSync(file, "utf8")).toBe("# mine\nstore: user # id\nmode: pull\n");
    expect(await injected("s1")).toEqual(["rules", "counts"]);
  });

  test("is a change of the store's history, and makes the user's store where there is none", async () => {
    rmSync(place.userStore, { recursive: true });
    await place.heed.setup.setMode("pull", "user");
    expect((await place.heed.history.list())[0]).toMatchObject({ summary: "mode pull", actor: "person" });
    expect(await place.heed.setup.status()).toMatchObject({ mode: "pull" });
  });

  test("shows in the status and the overview, also the one of the environment", async () => {
    place.env["HEED_MODE"] = "Rules";
    expect(await place.heed.setup.status()).toMatchObject({ mode: "rules", problems: [] });
    expect(await place.heed.memories.overview()).toMatchObject({ mode: "rules" });
    const { mode, problems } = await place.open({ HEED_MODE: "loud" }).setup.status();
    expect(mode).toBe("typed");
    expect(problems.join()).toMatch(/HEED_MODE is "loud"/);
  });

  test.each([
    ["a mode that is none", () => place.heed.setup.setMode("loud" as Mode, "user"), "invalid-input"],
    ["no session", () => place.heed.setup.setMode("off", { session: " " }), "invalid-input"],
    ["no project store", () => place.heed.setup.setMode("off", "project"), "no-store"],
    [
      "a broken configuration",
      () => {
        place.write(join(place.userStore, "config.yaml"), "mode: [\n");
        return place.heed.setup.setMode("off", "user");
      },
      "broken-file",
    ],
    [
      "a configuration that would blow up",
      () => {
        const bomb = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"];
        for (let i = 1; i < 9; i++) bomb.push(`a${i}: &a${i} [${`*a${i - 1}, `.repeat(10)}]`);
        place.write(join(place.userStore, "config.yaml"), `${bomb.join("\n")}\n`);
        return place.heed.setup.setMode("off", "user");
      },
      "broken-file",
    ],
  ])("refuses %s", async (_, set, code) => {
    await expect(set()).rejects.toMatchObject({ code });
  });
});

test("the mode of a store that nobody approved does not count", async () => {
  place.write(".heed/config.yaml", "store: 01JD3Z8Q6T0V9W4X5Y6Z7A8B9C\nmode: off\n");
  expect(await injected("s1")).toEqual(["rules", "map", "facts"]);
});

test.each(["off", "rules", "pull"] as const)(
  "no model sets the mode %s, nor the size of the map",
  async (mode) => {
    const model = { kind: "model", client: "codex" } as const;
    for (const set of [
      place.heed.setup.setMode(mode, "user", model),
      place.heed.setup.setMode(mode, { session: "s1" }, model),
      place.heed.setup.setMap("off", "user", model),
    ])
      await expect(set).rejects.toMatchObject({ code: "gate-refused" });
    expect((await place.heed.memories.overview()).mode).toBe("typed");
  },
);
