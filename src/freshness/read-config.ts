/** So deep and so large a value is looked into. */
const MAX_DEPTH = 30;

/** The documents of a configuration file as plain data, or why it cannot be read. */
export async function readConfig(
  path: string,
  text: string,
): Promise<{ documents: unknown[] } | { why: string }> {
  try {
    if (/\.toml$/i.test(path)) {
      const { parse } = await import("smol-toml");
      return { documents: [parse(text)] };
    }
    if (/\.ya?ml$/i.test(path)) {
      const { parseAllDocuments } = await import("yaml");
      const documents = parseAllDocuments(text, { uniqueKeys: false, logLevel: "silent" });
      // Aliases that multiply are refused by the library past this count.
      return {
        documents: [...documents].map((document) => document.toJS({ maxAliasCount: 100 }) as unknown),
      };
    }
    return { documents: [JSON.parse(plainJson(text))] };
  } catch (error) {
    return {
      why: `it cannot be read: ${String(error instanceof Error ? error.message : error)
        .split("\n")[0]
        ?.slice(0, 120)}`,
    };
  }
}

/** The value under a path of keys; a number is also an index of a list. `found` false: there is no such key. */
export function valueAt(
  value: unknown,
  keys: readonly string[],
): { found: boolean; value: unknown; missing?: string } {
  let at = value;
  for (const [i, key] of keys.slice(0, MAX_DEPTH).entries()) {
    const index = Array.isArray(at) && /^\d{1,6}$/.test(key) ? Number(key) : key;
    if (typeof at !== "object" || at === null || !Object.hasOwn(at, index))
      return { found: false, value: undefined, missing: keys.slice(0, i + 1).join(".") };
    at = (at as Record<string | number, unknown>)[index];
  }
  return { found: true, value: at };
}

/** A value as a claim would state it. */
export function configText(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? String(value));
}

/** JSON without what tsconfig.json and its like allow besides: comments, commas at the end, a byte order mark. */
function plainJson(text: string): string {
  let plain = "";
  let at = text.startsWith("\uFEFF") ? 1 : 0;
  const tokens = /"(?:[^"\\\n]|\\.)*"|\/\/[^\n]*|\/\*[^]*?\*\//g;
  tokens.lastIndex = at;
  for (let match = tokens.exec(text); match; match = tokens.exec(text)) {
    plain += text.slice(at, match.index) + (match[0].startsWith('"') ? match[0] : " ");
    at = match.index + match[0].length;
  }
  plain += text.slice(at);
  return plain.replace(/"(?:[^"\\\n]|\\.)*"|,(?=\s*[}\]])/g, (part) => (part === "," ? "" : part));
}
