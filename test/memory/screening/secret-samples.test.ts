import { describe, expect, test } from "vitest";
import { drawSecrets } from "../../../bench/draw-secrets.ts";
import { isLeft, SecretSampler } from "../../../bench/secret-samples.ts";
import { findSecrets, redactSecrets } from "../../../src/memory/screening/find-secrets.ts";
import { drawLookAlikes } from "../../../bench/secret-look-alikes.ts";

const KNOWN_SEED = 1;

// Drawn again at each run, and told with the seed.
describe.each([KNOWN_SEED, Math.floor(Math.random() * 2 ** 31)])("values drawn with the seed %i", (seed) => {
  const sampler = new SecretSampler(seed);
  const secrets = drawSecrets(sampler);
  const alike = drawLookAlikes(sampler);

  const left = secrets.filter(({ text, value = "" }) => isLeft(redactSecrets(text), value));
  const isDrawn = ({ kind }: { kind: string }): boolean => kind.startsWith("drawn:");

  test("nothing of a secret is left, but for a run of letters that reads like words", () => {
    expect(secrets.length).toBeGreaterThan(150);
    const missed = left.filter((sample) => !isDrawn(sample)).map(({ kind, text }) => `${kind}: ${text}`);
    // Five of 285,000, measured over 1,500 seeds: two in one run are a fault, one in 300 runs is not.
    expect(missed).toEqual(seed === KNOWN_SEED ? [] : missed.slice(0, 1));
  });

  test("of passwords drawn without a symbol, one in twenty reads like words", () => {
    const drawn = Array.from({ length: 10 }, () => drawSecrets(sampler).filter(isDrawn)).flat();
    expect(drawn.length).toBeGreaterThan(600);
    // One in thirty, measured: one in fifteen is five standard deviations away.
    const kept = drawn.filter(({ text, value = "" }) => isLeft(redactSecrets(text), value));
    expect(kept.length).toBeLessThanOrEqual(drawn.length / 15);
  });

  test("a second time changes nothing more", () => {
    for (const { text } of secrets) expect(redactSecrets(redactSecrets(text))).toBe(redactSecrets(text));
  });

  test("what looks like one is left alone", () => {
    expect(alike.length).toBeGreaterThan(150);
    expect(alike.filter(({ text }) => findSecrets(text).length > 0).map(({ text }) => text)).toEqual([]);
  });
});
