import * as fc from "fast-check";
import { expect, test } from "vitest";
import { newId } from "../../src/memory/handle.ts";

test("newId writes the time and the random bits of the ULID specification", () => {
  // The example of github.com/ulid/spec: 01ARZ3NDEK is 2016-07-30T23:54:10.259Z.
  const id = newId(new Date("2016-07-30T23:54:10.259Z"), new Uint8Array(10).fill(255));
  expect(id).toBe("01ARZ3NDEKZZZZZZZZZZZZZZZZ");
  expect(newId(new Date(0), new Uint8Array(10))).toBe("0".repeat(26));
});

test("newId sorts by time and does not repeat", () => {
  const time = fc.date({ min: new Date(0), max: new Date("2200-01-01"), noInvalidDate: true });
  fc.assert(
    fc.property(time, time, (a, b) => {
      if (a.getTime() === b.getTime()) return;
      expect(newId(a) < newId(b)).toBe(a < b);
    }),
  );
  expect(new Set(Array.from({ length: 1000 }, () => newId())).size).toBe(1000);
  expect(newId()).toMatch(/^[0-7][0-9A-HJKMNP-TV-Z]{25}$/);
});
