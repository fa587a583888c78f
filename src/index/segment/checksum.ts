const MULTIPLIER = 0x9e3779b1;

/**
 * A 32-bit checksum, four bytes at a time. Each step is a bijection, so damage inside one word is always
 * noticed, other damage with probability 1 - 2^-32. As few operations as possible: it runs before anything is
 * compiled.
 */
export function checksumOf(bytes: Uint8Array, start = 0, end: number = bytes.length): number {
  const length = Math.max(0, end - start);
  const words = length >>> 2;
  const from = bytes.byteOffset + start;
  let hash = 0x68656564 ^ length;
  if (from % 4 === 0) {
    const view = new Uint32Array(bytes.buffer, from, words);
    for (let i = 0; i < words; i++) {
      hash = Math.imul(hash ^ (view[i] as number), MULTIPLIER);
      hash ^= hash >>> 15;
    }
  } else {
    for (let i = 0, at = start; i < words; i++, at += 4) {
      hash = Math.imul(hash ^ wordAt(bytes, at), MULTIPLIER);
      hash ^= hash >>> 15;
    }
  }
  let tail = 0;
  for (let at = start + words * 4, shift = 0; at < end; at++, shift += 8)
    tail |= (bytes[at] as number) << shift;
  hash = Math.imul(hash ^ tail, MULTIPLIER);
  hash ^= hash >>> 13;
  return Math.imul(hash, MULTIPLIER) >>> 0;
}

/** Four bytes as a little-endian word, as the typed array reads them on every machine that Node runs on. */
function wordAt(bytes: Uint8Array, at: number): number {
  return (
    (bytes[at] as number) |
    ((bytes[at + 1] as number) << 8) |
    ((bytes[at + 2] as number) << 16) |
    ((bytes[at + 3] as number) << 24)
  );
}
