import type { SecretSample, SecretSampler } from "./secret-samples.ts";

/** How the bytes of private keys begin, and what is lost of their text when somebody tears it. */
const HEADS: readonly [kind: string, mark: string, head: string, lines: number, width: number][] = [
  ["PKCS 1", "RSA PRIVATE KEY", "MIIEpAIBAAKCAQEA", 25, 64],
  ["PKCS 8", "PRIVATE KEY", "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQ", 25, 64],
  ["encrypted", "ENCRYPTED PRIVATE KEY", "MIIFHDBOBgkqhkiG9w0BBQ0wQTApBgkqhkiG9w0BBQwwHAQI", 28, 64],
  ["EC", "EC PRIVATE KEY", "MHcCAQEEI", 3, 64],
  [
    "OpenSSH",
    "OPENSSH PRIVATE KEY",
    "b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQAAAAAAAAABAAABlwAAAAdzc2gtcn",
    36,
    70,
  ],
];

/** Private keys of which a mark, both, or both and the beginning are gone, in what people put them into. */
export function drawTornKeys({ mixed }: SecretSampler): SecretSample[] {
  return HEADS.flatMap(([kind, mark, head, count, width]) => {
    const lines = Array.from({ length: count }, (_, i) => {
      const length = i === count - 1 ? width - 19 : width;
      return i === 0 ? head + mixed(length - head.length) : mixed(length);
    });
    const body = lines.join("\n");
    const [begin, end] = [`-----BEGIN ${mark}-----`, `-----END ${mark}-----`];
    const torn = (what: string, value: string, text: string): SecretSample => ({
      kind: `${kind}, ${what}`,
      text,
      value,
    });
    return [
      torn("no begin", body, `Deploy with\n${body}\n${end}\nand no other`),
      torn("no end", body, `Deploy with\n${begin}\n${body}\nand no other`),
      torn("no mark", body, `Deploy with\n\n${body}\n\nand no other`),
      torn("no mark, quoted", lines.join("\n> "), `> ${lines.join("\n> ")}`),
      torn("no mark, of a diff", lines.join("\n+"), `@@ -0,0 +1 @@\n+${lines.join("\n+")}`),
      torn("behind words", body, `remember ${body}\nand no other`),
      torn("one line", lines.join(""), `KEY ${lines.join("")} in one`),
      ...(count < 6
        ? []
        : [torn("middle", lines.slice(2).join("\n"), `and then\n${lines.slice(2).join("\n")}\nwas all`)]),
    ];
  });
}
