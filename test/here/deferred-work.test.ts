import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { DeferredWork } from "../../src/here/place.ts";

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

test("a process that stays leaves its client the time for its request, one that ends does not", async () => {
  const done: string[] = [];
  const resident = new DeferredWork({}, true);
  resident.later(() => done.push("record of a prompt"), { isRequestNext: true });
  await vi.advanceTimersByTimeAsync(50);
  expect(done).toEqual([]);
  await vi.advanceTimersByTimeAsync(100);
  expect(done).toEqual(["record of a prompt"]);

  const brief = new DeferredWork({});
  brief.later(() => done.push("record"), { isRequestNext: true });
  await vi.advanceTimersByTimeAsync(1);
  expect(done).toEqual(["record of a prompt", "record"]);
});
