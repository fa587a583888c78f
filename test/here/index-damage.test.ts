import { expect, test } from "vitest";
import { type Place, withSoundIndex } from "../../src/here/place.ts";
import { IndexDamage } from "../../src/search/index/segment/bytes.ts";
import { temporaryPlace } from "../home/temporary-place.ts";

test("a call that came upon a damaged index is begun again once, at a place that looks again", async () => {
  const { place } = temporaryPlace();
  const seen: Place[] = [];
  const answer = await withSoundIndex(place, async (at) => {
    seen.push(at);
    if (seen.length === 1) throw new IndexDamage();
    return "done";
  });
  expect(answer).toBe("done");
  expect(seen).toHaveLength(2);
  expect(seen[0]).toBe(place);
  expect(seen[1]).not.toBe(place);
  expect(seen[1]?.workspace).toBe(place.workspace);
});

test("a second damage is told", async () => {
  let runs = 0;
  const call = withSoundIndex(temporaryPlace().place, async () => {
    runs += 1;
    throw new IndexDamage();
  });
  await expect(call).rejects.toThrow(IndexDamage);
  expect(runs).toBe(2);
});

test("a call that has changed something is not begun again: half of it would be done twice", async () => {
  let runs = 0;
  const damage = new IndexDamage();
  const call = withSoundIndex(temporaryPlace().place, async (at) => {
    runs += 1;
    at.hasChanged = true;
    throw damage;
  });
  await expect(call).rejects.toMatchObject({
    code: "io-failed",
    message: expect.stringContaining("the change was made") as string,
    cause: damage,
  });
  expect(runs).toBe(1);
});

test("anything else that fails is passed on", async () => {
  let runs = 0;
  const call = withSoundIndex(temporaryPlace().place, async () => {
    runs += 1;
    throw new Error("another matter");
  });
  await expect(call).rejects.toThrow("another matter");
  expect(runs).toBe(1);
});
