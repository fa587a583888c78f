import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { quantizeVector } from "../../../src/optional/semantic/onnx-encoder.ts";
import { readVectorFile, writeVectorFile, VectorTable } from "../../../src/optional/semantic/vector-table.ts";
import { temporaryFolder } from "../../store/temporary-store.ts";

const key = (n: number): string => n.toString(16).padStart(16, "0");
const MODEL = "0123456789abcdef";

function cosine(a: readonly number[], b: readonly number[]): number {
  const dot = (x: readonly number[], y: readonly number[]): number =>
    x.reduce((sum, value, i) => sum + value * (y[i] ?? 0), 0);
  return dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b));
}

const vector = fc
  .array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: 32, maxLength: 32 })
  .filter((values) => values.some((value) => Math.abs(value) > 0.01));

describe("vectors of one byte a component", () => {
  test("keep the cosine of floats to within 0.03", () => {
    fc.assert(
      fc.property(vector, vector, (a, b) => {
        const table = new VectorTable(32);
        table.add(key(1), quantizeVector(a));
        expect(Math.abs((table.cosineOf(key(1), quantizeVector(b)) ?? 9) - cosine(a, b))).toBeLessThan(0.03);
      }),
    );
  });

  test("a zero vector is near to nothing, and a vector of another width is refused", () => {
    const table = new VectorTable(4);
    table.add(key(1), new Int8Array(4));
    expect(table.cosineOf(key(1), Int8Array.of(1, 2, 3, 4))).toBe(0);
    expect(() => table.add(key(2), new Int8Array(5))).toThrow(RangeError);
    expect(table.cosineOf(key(2), Int8Array.of(1, 2, 3, 4))).toBeUndefined();
  });
});

describe("the file of vectors", () => {
  function written(): { file: string; bytes: Buffer } {
    const table = new VectorTable(3);
    table.add(key(1), Int8Array.of(1, -2, 3));
    table.add(key(2), Int8Array.of(4, 5, -6));
    table.add(key(3), Int8Array.of(7, 8, 9));
    const file = join(temporaryFolder(), "cache", "a.vectors");
    writeVectorFile(file, MODEL, table, (wanted) => wanted !== key(2));
    return { file, bytes: readFileSync(file) };
  }

  test("holds what is wanted, pinned byte by byte", () => {
    const { file, bytes } = written();
    const read = readVectorFile(file, MODEL);
    expect([...(read?.keys() ?? [])]).toEqual([key(1), key(3)]);
    expect(read?.vectorOf(key(1))).toEqual(Int8Array.of(1, -2, 3));
    expect(bytes.toString("latin1", 0, 24)).toBe(`HEEDVEC1${MODEL}`);
    expect(bytes.subarray(36).toString("hex")).toBe("000000000000000101fe030000000000000003070809");
  });

  test("of another model, damaged anywhere or cut off is no file", () => {
    const { file, bytes } = written();
    expect(readVectorFile(file, "another-model")).toBeUndefined();
    expect(readVectorFile(`${file}.none`, MODEL)).toBeUndefined();
    for (let at = 0; at < bytes.length; at++) {
      const damaged = Buffer.from(bytes);
      damaged[at] = (damaged[at] ?? 0) ^ 0x5a;
      writeFileSync(file, damaged);
      expect(readVectorFile(file, MODEL), `byte ${at}`).toBeUndefined();
    }
    writeFileSync(file, bytes.subarray(0, -1));
    expect(readVectorFile(file, MODEL)).toBeUndefined();
  });
});
