import type { SecretSample, SecretSampler } from "./secret-samples.ts";

/** Passwords that people make of a word and a number, where their name says what they are. */
export function drawWordPasswords({ word, from }: SecretSampler): SecretSample[] {
  const drawn = (write: (value: string) => string, value: string): SecretSample => ({
    kind: "word and number",
    text: write(value),
    value,
  });
  const year = (): string => `20${from("0123456789", 2)}`;
  return [
    drawn((value) => `password: ${value}`, `${word()}${year()}`),
    drawn((value) => `DB_PASSWORD=${value}`, `${word()}${year()}!`),
    drawn(
      (value) => `"password": "${value}"`,
      `${word()}${from("0123456789", 2)}${word()}${from("0123456789", 1)}`,
    ),
    drawn((value) => `the password for the wiki is ${value}`, `${word()}${from("0123456789", 3)}`),
    drawn((value) => `Passwort: ${value}`, `${word()}${from("0123456789", 3)}`),
  ];
}
