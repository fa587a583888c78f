import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { FileMemoryStore } from "../../src/store/file-memory-store.ts";
import { git } from "../machine/git-sandbox.ts";
import { aMemory, NOTE } from "./memory-store-suite.ts";
import { runScript } from "./run-script.ts";
import { temporaryFolder, temporaryPlaces, temporaryStore } from "./temporary-store.ts";

const WRITER = new URL("mixed-writer.ts", import.meta.url);
/** `HEED_STRESS=8x500` runs the full size that the design asks for; by default it is small enough for every run. */
const [WRITERS = 4, ROUNDS = 40] = (process.env["HEED_STRESS"] ?? "4x40").split("x").map(Number);

async function aSharedStore(): Promise<FileMemoryStore> {
  const store = temporaryStore({ id: "S" }, { places: temporaryPlaces(temporaryFolder()) });
  await store.create(aMemory({ id: "ID-shared", name: "shared", type: "project", body: "lines" }), NOTE);
  await store.reconcile();
  return store;
}

function startWriter(store: FileMemoryStore, writer: number, rounds: number): ReturnType<typeof runScript> {
  const state = join(store.state.folder, "..", "..");
  return runScript(WRITER, [store.ref.root, state, String(writer), String(rounds), store.ref.kind]);
}

/** Everything that writers were told was done is there, and nothing is half done. */
function expectAllKept(store: FileMemoryStore, confirmed: readonly string[]): void {
  const scan = store.list();
  expect(scan.problems).toEqual([]);
  const living = new Set(scan.memories.map(({ metadata }) => metadata.name));
  const dead = new Set(store.listTombstones().map(({ memory }) => memory.metadata.name));
  const shared = store.read("project/shared.md").memory?.body ?? "";
  const lines = shared.split("\n").filter((line) => line.startsWith("- "));
  expect(new Set(lines).size).toBe(lines.length);
  const missing = confirmed.filter((line) => {
    const [what, name = ""] = line.split(" ");
    if (what === "shared") return !lines.includes(`- ${name}`);
    const [writer, round] = name.slice(1).split("-");
    const names = [name, `w${writer}-${Number(round) + 4}-renamed`];
    return what === "made" && !names.some((known) => living.has(known) || dead.has(known));
  });
  expect(missing).toEqual([]);
  const temporary = readdirSync(store.ref.root, { recursive: true }).filter((file) =>
    String(file).endsWith(".tmp"),
  );
  expect(temporary).toEqual([]);
}

// Writers that are killed are a scenario of the torture.
describe("many writers at once", () => {
  it(`${WRITERS} processes x ${ROUNDS} mixed writes lose nothing`, { timeout: 900_000 }, async () => {
    const store = await aSharedStore();
    const writers = Array.from({ length: WRITERS }, (_, writer) => startWriter(store, writer, ROUNDS));
    const startedAt = performance.now();
    expect(await Promise.all(writers.map(({ exit }) => exit))).toEqual(Array(WRITERS).fill(0));
    if (process.env["HEED_STRESS"]) console.log(`${Math.round(performance.now() - startedAt)} ms`);
    const confirmed = writers.flatMap(({ lines }) => lines);
    expect(confirmed).toHaveLength(WRITERS * ROUNDS);
    expectAllKept(store, confirmed);
    expect(await store.reconcile()).toEqual([]);
    const env = { PATH: process.env["PATH"] ?? "" };
    expect(git(store.ref.root, env, "status", "--porcelain")).toBe("");
    const subjects = git(store.ref.root, env, "log", "--format=%s").trimEnd().split("\n");
    const restores = subjects.filter((subject) => subject.startsWith("restore")).length;
    expect(subjects).toHaveLength(WRITERS * ROUNDS + restores + 1);
    expect(subjects.filter((subject) => subject.startsWith("edited outside"))).toEqual([]);
  });
});
