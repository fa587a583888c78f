import { createHash } from "node:crypto";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { sha256Hex } from "../../src/machine/sha256.ts";
import { ANY_CHARACTER } from "../any-character.ts";

const byNode = (text: string): string => createHash("sha256").update(text).digest("hex");

test("is what Node's own says, for every length around a block and for any text", () => {
  for (let length = 0; length < 300; length++)
    expect(sha256Hex("ž".repeat(length % 3) + "a".repeat(length))).toBe(
      byNode("ž".repeat(length % 3) + "a".repeat(length)),
    );
  fc.assert(
    fc.property(fc.string({ unit: ANY_CHARACTER, maxLength: 400 }), (text) => {
      expect(sha256Hex(text)).toBe(byNode(text));
    }),
  );
});
