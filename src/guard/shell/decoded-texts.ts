/** Words of a text that are taken for encoded ones, at most. */
const MAX_ENCODED = 50;
const PRINTABLE = /^[\t\n\r\x20-\x7e]{4,}$/;

/** A text, and what it says once quotes that are joined, escapes, base64, hex and reversed order are taken away. */
export function decodedTexts(text: string): string[] {
  const joined = text.replace(/(["'`])\s*[+.]\s*["'`]/g, "");
  const plain = unescaped(joined.replace(/%(?=[0-9a-fA-F]{2})/g, "\\x"));
  const words = (plain.match(/[\w+/]{8,}={0,2}/g) ?? []).slice(0, MAX_ENCODED);
  const encoded = words.flatMap((word) => {
    const encoding = /^(?:[0-9a-f]{2})+$/i.test(word) ? "hex" : "base64";
    const said = Buffer.from(word, encoding).toString("latin1");
    return PRINTABLE.test(said) ? said : [];
  });
  const quoted = plain.length < 2000 && /revers|\[::-1\]/.test(plain) ? [reversed(plain)] : [];
  return [...new Set([text, plain, ...quoted, ...(encoded.length > 0 ? [encoded.join("\n")] : [])])];
}

/** Escapes of characters by their number, as the shell and other languages write them. */
export function unescaped(text: string): string {
  return text
    .replace(/\\x([0-9a-fA-F]{1,2})|\\u\{?([0-9a-fA-F]{4})\}?/g, (_, hex: string, unicode: string) =>
      String.fromCharCode(Number.parseInt(hex ?? unicode, 16)),
    )
    .replace(/\\0?([0-7]{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8) % 256))
    .replace(/\\([nt0\\])/g, (_, char: string) => ESCAPES[char] ?? "");
}

const ESCAPES: Readonly<Record<string, string>> = { n: "\n", "0": "\n", t: "\t", "\\": "\\" };

/** A line from its end to its beginning. */
export function reversed(line: string): string {
  return Array.from(line).reverse().join("");
}
