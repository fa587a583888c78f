import { describe, expect, it } from "vitest";
import { Place, withSoundIndex } from "../../src/here/place.ts";
import { openedStore } from "../../src/here/opened-stores.ts";
import type { MemoryAmendment } from "../../src/memory/codec/encode-memory.ts";
import { makeStore } from "../../src/write/make-store.ts";
import { type AmendmentKind, MemoryWriter } from "../../src/write/memory-writer.ts";
import type { HeedError } from "../../src/machine/heed-error.ts";
import { IndexDamage } from "../../src/search/index/segment/bytes.ts";
import type { ActorKind, Memory, StoreRef } from "../../src/memory/memory.ts";
import type { StoredMemory } from "../../src/store/files/scan-store.ts";
import { aMemory } from "../store/a-memory.ts";
import { temporaryPlace } from "../home/temporary-place.ts";

const SECRET = `ghp_${"aB3dE6gH9j".repeat(4).slice(0, 36)}`;

async function withMemory(
  memory: Memory = aMemory(),
): Promise<{ place: Place; store: StoreRef; current: StoredMemory }> {
  const { place } = temporaryPlace();
  const store = await makeStore(place, "user");
  const writer = new MemoryWriter(place, { kind: "person" });
  const { memory: current } = await writer.create(store, memory, { kind: "write", why: "said so" });
  return { place, store, current };
}

/** What a refusal is known by. */
const codeOf = (error: unknown): string => (error as HeedError).code;

const ACTORS: readonly ActorKind[] = ["person", "model", "hook", "import"];

// Written out, and not taken from the table that is tested: who may amend what as which kind.
const AMENDS: [AmendmentKind, readonly ActorKind[], MemoryAmendment, MemoryAmendment][] = [
  ["episode", ["hook"], { body: "Another text." }, { tags: ["other"] }],
  ["repair", ACTORS, { body: "Another text." }, { status: "superseded" }],
  ["verify", ACTORS, { verified: "2026-03-01T00:00:00Z" }, { guard: { command: "git push" } }],
  ["guard", ["person"], { guard: { command: "git push" } }, { statement: "another rule" }],
];

describe("what an amendment may touch", () => {
  it.each(
    AMENDS.flatMap(([kind, who, own, other]) =>
      ACTORS.map((actor) => [kind, actor, who, own, other] as const),
    ),
  )("%s by a %s", async (kind, actor, who, own, other) => {
    const { place, current } = await withMemory(aMemory({ type: "project" }));
    const writer = new MemoryWriter(place, { kind: actor });
    const amend = (edit: MemoryAmendment): Promise<string> =>
      writer.amend(current, edit, { kind, why: "tried" }).then(() => "done", codeOf);
    expect(await amend(other)).toBe("gate-refused");
    expect(await amend(own)).toBe(who.includes(actor) ? "done" : "gate-refused");
  });
});

describe("heed's own words", () => {
  it.each<[AmendmentKind, ActorKind]>([
    ["episode", "hook"],
    ["repair", "model"],
  ])("%s: brings no secret, and leaves alone one that is there", async (kind, actor) => {
    const { place, store, current } = await withMemory(aMemory({ type: "project" }));
    const writer = new MemoryWriter(place, { kind: actor });
    await expect(
      writer.amend(current, { body: `The token is ${SECRET}.` }, { kind, why: "tried" }),
    ).rejects.toMatchObject({ code: "gate-refused", data: { gate: "secret" } });
    expect(openedStore(place, store).read(current.metadata.file).text).not.toContain(SECRET);
    const held = { ...current, body: `The token is ${SECRET}.` };
    await expect(
      writer.amend(held, { body: `The token is ${SECRET}, since May.` }, { kind, why: "tried" }),
    ).resolves.toMatchObject({ memory: { body: expect.stringContaining("since May") as string } });
  });

  it("a new name brings none either", async () => {
    const { place, current } = await withMemory();
    const renaming = new MemoryWriter(place, { kind: "person" }).rename(current, SECRET, "tried");
    await expect(renaming).rejects.toMatchObject({ code: "gate-refused", data: { gate: "secret" } });
  });
});

describe("a call that comes upon a damaged index", () => {
  const damage = (): never => {
    throw new IndexDamage("a wrong byte");
  };

  it("does nothing twice when it has changed something", async () => {
    const { place, store } = await withMemory();
    let runs = 0;
    const calling = withSoundIndex(new Place(place.workspace), async (at) => {
      runs += 1;
      const memory = { ...aMemory(), name: `run-${runs}`, id: `01ARZ3NDEKTSV4RRFFQ69G5F${runs}0` };
      await new MemoryWriter(at, { kind: "person" }).create(store, memory, {
        kind: "write",
        why: "said so",
      });
      return damage();
    });
    await expect(calling).rejects.toMatchObject({
      code: "io-failed",
      message: expect.stringContaining("the change was made") as string,
    });
    expect(runs).toBe(1);
    expect(
      openedStore(place, store)
        .list()
        .memories.map(({ metadata }) => metadata.name),
    ).toContain("run-1");
  });
});
