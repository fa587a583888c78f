import type { SecretSample, SecretSampler } from "./secret-samples.ts";
import { drawTornKeys } from "./torn-keys.ts";
import { drawWordPasswords } from "./word-passwords.ts";

/** One sample of each kind of secret, torn keys and passwords made of words among them. */
export function drawSecrets(sampler: SecretSampler): SecretSample[] {
  return [...sampler.secrets(), ...drawTornKeys(sampler), ...drawWordPasswords(sampler)];
}
