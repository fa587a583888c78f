import { describe, expect, test } from "vitest";
import { drawSecrets } from "../../bench/draw-secrets.ts";
import { isLeft, SecretSampler } from "../../bench/secret-samples.ts";
import { findSecrets, redactSecrets } from "../../src/screening/find-secrets.ts";
import { drawLookAlikes } from "../../bench/secret-look-alikes.ts";

// Drawn again at each run, and told with the seed.
describe.each([1, Math.floor(Math.random() * 2 ** 31)])("values drawn with the seed %i", (seed) => {
  const sampler = new SecretSampler(seed);
  const secrets = drawSecrets(sampler);
  const alike = drawLookAlikes(sampler);

  const left = secrets.filter(({ text, value = "" }) => isLeft(redactSecrets(text), value));
  const isDrawn = ({ kind }: { kind: string }): boolean => kind.startsWith("drawn:");

  test("nothing of a secret is left", () => {
    expect(secrets.length).toBeGreaterThan(150);
    expect(left.filter((sample) => !isDrawn(sample)).map(({ kind, text }) => `${kind}: ${text}`)).toEqual([]);
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
