import { describe, expect, it } from "vitest";
import { withSoundIndex } from "../../../src/app/place/index-damage.ts";
import { openedStore } from "../../../src/app/place/opened-stores.ts";
import { Place } from "../../../src/app/place/place.ts";
import type { ChangeKind } from "../../../src/app/writing/change-kind.ts";
import { CHANGE_KINDS } from "../../../src/app/writing/change-kind.ts";
import { makeStore } from "../../../src/app/writing/make-store.ts";
import { MemoryWriter } from "../../../src/app/writing/memory-writer.ts";
import type { GatePass } from "../../../src/app/writing/gate-pass.ts";
import type { HeedError } from "../../../src/errors/heed-error.ts";
import { IndexDamage } from "../../../src/index/segment/index-damage.ts";
import type { ActorKind } from "../../../src/memory/actor.ts";
import { ACTOR_KINDS } from "../../../src/memory/actor.ts";
import type { StoreRef } from "../../../src/memory/store-ref.ts";
import type { StoredMemory } from "../../../src/store/files/scan-store.ts";
import { aMemory } from "../../store/a-memory.ts";
import { temporaryPlace } from "../temporary-place.ts";

const PASS = {} as GatePass;
const SECRET = `ghp_${"aB3dE6gH9j".repeat(4).slice(0, 36)}`;
const KINDS = Object.keys(CHANGE_KINDS) as ChangeKind[];

async function withMemory(): Promise<{ place: Place; store: StoreRef; current: StoredMemory }> {
  const { place } = temporaryPlace();
  const store = await makeStore(place, "user");
  const writer = new MemoryWriter(place, { kind: "person" });
  const { memory } = await writer.create(store, aMemory(), { kind: "write", why: "said so", pass: PASS });
  return { place, store, current: memory };
}

/** What a refusal is known by. */
const codeOf = (error: unknown): string => (error as HeedError).code;

const someoneFor = (kind: ChangeKind): ActorKind => CHANGE_KINDS[kind].by?.[0] ?? "model";

describe("who may make a change", () => {
  it.each(KINDS.flatMap((kind) => ACTOR_KINDS.map((actor) => [kind, actor] as const)))(
    "%s by a %s",
    async (kind, actor) => {
      const { place, current } = await withMemory();
      const purpose = { kind, why: "tried", pass: PASS };
      const tried = new MemoryWriter(place, { kind: actor }).amend(current, { tags: ["tried"] }, purpose);
      const isAllowed = CHANGE_KINDS[kind].by?.includes(actor) ?? true;
      const outcome = tried.then(({ memory }) => memory.card.tags[0], codeOf);
      expect(await outcome).toBe(isAllowed ? "tried" : "gate-refused");
    },
  );
});

describe("what a change may say", () => {
  it.each(KINDS)("%s: a new text", async (kind) => {
    const { place, current } = await withMemory();
    const writer = new MemoryWriter(place, { kind: someoneFor(kind) });
    const edit = { body: "Another text altogether." };
    const { text } = CHANGE_KINDS[kind];
    const tried = writer.amend(current, edit, { kind, why: "tried" });
    const isFree = text === "screened" || text === "past";
    const outcome = tried.then(({ memory }) => memory.body.trim(), codeOf);
    expect(await outcome).toBe(isFree ? edit.body : "gate-refused");
  });

  it.each(KINDS.filter((kind) => CHANGE_KINDS[kind].text === "gated"))(
    "%s: what passed the gates",
    async (kind) => {
      const { place, current } = await withMemory();
      const writer = new MemoryWriter(place, { kind: someoneFor(kind) });
      const proven = await writer.amend(current, { body: "Proven." }, { kind, why: "tried", pass: PASS });
      expect(proven.memory.body.trim()).toBe("Proven.");
    },
  );

  it.each(KINDS.filter((kind) => CHANGE_KINDS[kind].text === "screened"))(
    "%s: brings no secret, and leaves alone one that is there",
    async (kind) => {
      const { place, store, current } = await withMemory();
      const writer = new MemoryWriter(place, { kind: someoneFor(kind) });
      await expect(
        writer.amend(current, { body: `The token is ${SECRET}.` }, { kind, why: "tried" }),
      ).rejects.toMatchObject({ code: "gate-refused", data: { gate: "secret" } });
      expect(openedStore(place, store).read(current.card.file).text).not.toContain(SECRET);
      const held = { ...current, body: `The token is ${SECRET}.` };
      await expect(
        writer.amend(held, { body: `The token is ${SECRET}, since May.` }, { kind, why: "tried" }),
      ).resolves.toMatchObject({ memory: { body: expect.stringContaining("since May") as string } });
    },
  );
});

describe("a call that comes upon a damaged index", () => {
  const damage = (): never => {
    throw new IndexDamage("a wrong byte");
  };

  it("is begun anew when it has changed nothing", async () => {
    const { place } = await withMemory();
    let runs = 0;
    const fresh = new Place(place.workspace);
    const answer = await withSoundIndex(fresh, () => Promise.resolve(runs++ === 0 ? damage() : "answered"));
    expect([answer, runs]).toEqual(["answered", 2]);
  });

  it("does nothing twice when it has changed something", async () => {
    const { place, store } = await withMemory();
    let runs = 0;
    const calling = withSoundIndex(new Place(place.workspace), async (at) => {
      runs += 1;
      const memory = { ...aMemory(), name: `run-${runs}`, id: `01ARZ3NDEKTSV4RRFFQ69G5F${runs}0` };
      await new MemoryWriter(at, { kind: "person" }).create(store, memory, {
        kind: "write",
        why: "said so",
        pass: PASS,
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
        .memories.map(({ card }) => card.name),
    ).toContain("run-1");
  });
});
