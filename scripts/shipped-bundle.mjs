// Bundles as they are shipped: plain ASCII, with a source map that knows lines.
import { decode, encode } from "@jridgewell/sourcemap-codec";

/**
 * A bundle and its source map, from what esbuild made; a bundle of libraries alone has no map.
 *
 * The launcher reads bundles as plain ASCII. esbuild escapes strings but leaves regular expressions as they are written.
 *
 * The map names the line of a source for each place of the bundle, of heed's own sources alone: a quarter of the size of
 * one that knows columns and libraries too, and all that a stack trace needs.
 */
export function toShipped(name, code, mapText) {
  const map = JSON.parse(mapText);
  const isOwn = map.sources.map((source) => /^(?:\.\.\/)*src\//.test(source));
  if (!isOwn.includes(true)) return { code: toAscii(code) };
  const lines = code.split("\n");
  const mappings = decode(map.mappings).map((segments, i) => {
    const kept = [];
    let added = 0;
    let read = 0;
    for (const [column, source, line] of segments) {
      added += lengthAdded(lines[i].slice(read, column));
      read = column;
      const at = isOwn[source] ? [source, line, 0] : [];
      const last = kept.at(-1);
      if (last?.[1] !== at[0] || last?.[2] !== at[1]) kept.push([column + added, ...at]);
    }
    return kept;
  });
  const { version, sources } = map;
  return {
    code: `${toAscii(code)}//# sourceMappingURL=${name}.map\n`,
    map: JSON.stringify({ version, sources, names: [], mappings: encode(mappings) }),
  };
}

const NON_ASCII = /[^\0-\x7f]/g;

const toAscii = (text) =>
  text.replace(NON_ASCII, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`);

const lengthAdded = (text) => 5 * (text.match(NON_ASCII)?.length ?? 0);
