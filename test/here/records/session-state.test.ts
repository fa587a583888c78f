import { spawn } from "node:child_process";
import { existsSync, readdirSync, statSync, utimesSync } from "node:fs";
import { dirname, join } from "node:path";
import { build } from "esbuild";
import { beforeEach, expect, test } from "vitest";
import { readSession, sessionFile } from "../../../src/here/records/session-state.ts";
import { type Places, findPlaces } from "../../../src/machine/places.ts";
import { rule, TemporaryHeed } from "../../home/temporary-heed.ts";
import { temporaryFolder } from "../../store/temporary-store.ts";

const place = TemporaryHeed.forEachTest();
let state: string;
let places: Places;
beforeEach(() => {
  state = temporaryFolder();
  places = findPlaces({ HOME: state, HEED_STATE_DIR: state });
});

test.each(["../../etc/passwd", "a/b", "", "..", "S1", "s".repeat(300), "con\u0000", "ß"])(
  "the session id %j names no file but its own",
  (session) => {
    const file = sessionFile(places, session);
    expect(dirname(file)).toBe(join(state, "sessions"));
    expect(file).toMatch(/[/\\]h-[0-9a-f]{32}\.jsonl$/);
  },
);

test("processes that record at the same time lose nothing", async () => {
  const script = join(state, "append-told.cjs");
  await build({
    entryPoints: [join(import.meta.dirname, "../../session/append-injected.ts")],
    bundle: true,
    platform: "node",
    outfile: script,
  });
  const workers = ["a", "b", "c", "d"].map(
    (name) =>
      new Promise<number | null>((resolve) => {
        spawn(process.execPath, [script, state, name, "100"], { stdio: "ignore" }).on("exit", resolve);
      }),
  );
  expect(await Promise.all(workers)).toEqual([0, 0, 0, 0]);
  const { context } = readSession(places, "s1");
  expect(context.injected.size).toBe(400);
  expect(context.factChars).toBe(400);
});

test("a session's start removes old logs, and keeps the rest within its room, the newest first", async () => {
  const ages = {
    "sessions/young": 29,
    "sessions/old": 31,
    "receipts/20260830": 83,
    "receipts/20260801": 112,
  };
  for (const [name, days] of Object.entries(ages)) {
    const time = new Date(Date.parse(place.now) - days * 86_400_000);
    utimesSync(place.write(join(place.state, `${name}.jsonl`), "{}\n"), time, time);
  }
  await place.start("before");
  await place.heed.close();
  const isThere = (name: string): boolean => existsSync(join(place.state, `${name}.jsonl`));
  expect(Object.keys(ages).filter(isThere)).toEqual(["sessions/young", "receipts/20260830"]);
  place.remember(rule("brief", "answer in one sentence"));
  const numbers = Array.from({ length: 40 }, (_, i) => i);
  const day = (i: number): string => new Date(Date.UTC(2026, 9, 12 + i)).toISOString().slice(0, 10);
  const filled = {
    receipts: numbers.map((i) => day(i).replaceAll("-", "")),
    sessions: numbers.map((i) => `n${i}`),
    use: numbers
      .slice(0, 20)
      .map((i) => `20${25 + Math.floor(i / 12)}-${String((i % 12) + 1).padStart(2, "0")}`),
  };
  for (const [folder, names] of Object.entries(filled))
    for (const [i, name] of names.entries()) {
      const file = place.write(join(place.state, folder, `${name}.jsonl`), `${"x".repeat(1_500_000)}\n`);
      utimesSync(file, new Date(), new Date(Date.now() - (names.length - i) * 60_000));
    }
  const heed = place.open();
  await place.begin("s1", {}, heed);
  await heed.close();
  const bytesIn = (folder: string): number =>
    readdirSync(join(place.state, folder)).reduce(
      (sum, name) => sum + statSync(join(place.state, folder, name)).size,
      0,
    );
  for (const [folder, room] of Object.entries({ receipts: 17, sessions: 17, use: 9 }))
    expect([folder, bytesIn(folder) / 1_048_576 < room]).toEqual([folder, true]);
  expect(readdirSync(join(place.state, "receipts"))).toContain("20261120.jsonl");
});
