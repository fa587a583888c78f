import type { SecretSample, SecretSampler } from "./secret-samples.ts";
import { drawPasswords } from "./drawn-passwords.ts";
import { drawTornKeys } from "./torn-keys.ts";
import { drawWordPasswords } from "./word-passwords.ts";

/** One sample of each kind of secret; torn keys, passwords made of words and ones drawn by lot among them. */
export function drawSecrets(sampler: SecretSampler): SecretSample[] {
  return [
    ...sampler.secrets(),
    ...drawTornKeys(sampler),
    ...drawWordPasswords(sampler),
    ...drawPasswords(sampler),
  ];
}
