import type { Arbitrary } from "fast-check";
import { nat } from "fast-check";

const SURROGATES = { first: 0xd800, count: 0x800 };

/**
 * Any character of Unicode, as a unit of strings. fast-check's own unit for them, `binary`, keeps a table of all million
 * characters: that makes the process that runs the tests, and with it each program that it starts, twice as dear.
 */
export const ANY_CHARACTER: Arbitrary<string> = nat({ max: 0x10ffff - SURROGATES.count }).map((number) =>
  String.fromCodePoint(number < SURROGATES.first ? number : number + SURROGATES.count),
);
