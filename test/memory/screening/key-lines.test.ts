import { generateKeyPairSync } from "node:crypto";
import { describe, expect, test } from "vitest";
import { findSecrets, redactSecrets } from "../../../src/memory/screening/find-secrets.ts";

// Keys that are made here and now: their beginnings are what programs really write.
const PAIRS = {
  "RSA 2048": generateKeyPairSync("rsa", { modulusLength: 2048 }),
  "EC P-256": generateKeyPairSync("ec", { namedCurve: "P-256" }),
  "EC P-521": generateKeyPairSync("ec", { namedCurve: "P-521" }),
  Ed25519: generateKeyPairSync("ed25519"),
  X25519: generateKeyPairSync("x25519"),
};
const CIPHER = { cipher: "aes-256-cbc", passphrase: "x" } as const;
const PRIVATE = Object.entries(PAIRS).flatMap(([name, { privateKey }]): [string, string][] => [
  [name, String(privateKey.export({ format: "pem", type: "pkcs8" }))],
  [`${name}, encrypted`, String(privateKey.export({ format: "pem", type: "pkcs8", ...CIPHER }))],
  ...(name.startsWith("EC")
    ? ([[`${name}, SEC 1`, String(privateKey.export({ format: "pem", type: "sec1" }))]] as [string, string][])
    : []),
  ...(name.startsWith("RSA")
    ? ([[`${name}, PKCS 1`, String(privateKey.export({ format: "pem", type: "pkcs1" }))]] as [
        string,
        string,
      ][])
    : []),
]);

type Tear = (lines: readonly string[]) => readonly string[];
const TEARS: Record<string, Tear> = {
  whole: (lines) => lines,
  "without its beginning": (lines) => lines.slice(1),
  "without its beginning and first line": (lines) => lines.slice(2),
  "without its end": (lines) => lines.slice(0, -1),
  "without a mark": (lines) => lines.slice(1, -1),
  "in one line": (lines) => [lines.slice(1, -1).join("")],
  "with breaks written out": (lines) => [lines.slice(1).join("\\n")],
  quoted: (lines) => lines.slice(1).map((line) => `> ${line}`),
  "as code": (lines) => lines.slice(1, -1).map((line) => `  "${line}\\n" +`),
  numbered: (lines) => lines.slice(1, -1).map((line, i) => `${String(i + 1).padStart(6)}→${line}`),
  "in a numbered list": (lines) => lines.map((line, i) => `${i}. ${line}`),
  "in a table": (lines) => lines.map((line, i) => `| ${i} | ${line} |`),
  "in a list of code": (lines) => lines.map((line) => `- \`${line}\``),
  "with words between": (lines) => lines.flatMap((line, i) => [line, `(line ${i} of the key)`]),
  "broken again": (lines) => lines.flatMap((line) => line.match(/.{1,20}/g) ?? []),
  "in a diff": (lines) => lines.slice(1, -1).map((line) => `-${line}`),
};

describe.each(PRIVATE)("a private key, %s,", (_, pem) => {
  const lines = pem.trim().split("\n");
  test.each(Object.entries(TEARS))("is told by no line of it: %s", (_tear, tear) => {
    const shown = redactSecrets(`Deploy with\n\n${tear(lines).join("\n")}\n\nand no other.`);
    expect(
      lines.slice(1, -1).filter((line) => line.length >= 16 && shown.includes(line.slice(0, 20))),
    ).toEqual([]);
    expect(shown).toMatch(/^Deploy with\n\n[^]*\n\nand no other\.$/);
  });
});

test.each(["ILF1stgc4Jaz", "PeNqNeTbCStpSKVS", "Qco"])(
  "the last line of a torn one goes with it: %s",
  (last) => {
    const lines = PRIVATE[0]?.[1].trim().split("\n").slice(5, -3) ?? [];
    expect(redactSecrets([...lines, last].join("\n"))).toBe("[redacted: private-key]");
  },
);

test("the middle of a long one is known by its lines", () => {
  const lines = PRIVATE[0]?.[1].trim().split("\n").slice(5, -5) ?? [];
  expect(lines.length).toBeGreaterThan(10);
  expect(redactSecrets(lines.join("\n"))).toBe("[redacted: private-key]");
});

test.each(Object.entries(PAIRS))("the public one, %s, is shown, torn or not", (_, { publicKey }) => {
  const pem = String(publicKey.export({ format: "pem", type: "spki" }));
  const lines = pem.trim().split("\n");
  for (const text of [lines, lines.slice(1), lines.slice(0, -1), lines.slice(1, -1)])
    expect(findSecrets(text.join("\n"))).toEqual([]);
});

test("a line of a public one that ends in a word for a password is none's name", () => {
  const line = "MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAnBPQkGvMHRqVzBknpwd";
  expect(findSecrets(`${line}\naXpxcEoslPNf8k+Wt5ieVfNH9dwDL3ukry0QAcQqgJghFgP+3Y5ggASUtElFphJ+`)).toEqual(
    [],
  );
  expect(findSecrets("the staging pwd\naXpxcEoslPNf8k+Wt5ieVf")).toHaveLength(1);
});
