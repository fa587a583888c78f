const C1 = 0xcc9e2d51;
const C2 = 0x1b873593;
const IS_LITTLE_ENDIAN = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;

/**
 * MurmurHash3 (x86, 32 bits) of a range. Chosen over CRC-32 for speed in plain JavaScript (four bytes a step); each
 * step is a bijection, so damage inside one 4-byte word is always noticed, any other with probability 1 - 2^-32.
 */
export function checksumOf(bytes: Uint8Array, start = 0, end: number = bytes.length): number {
  let hash = 0x68656564;
  let at = start;
  const words = (end - start) >>> 2;
  // A cold process runs this loop before it is compiled: one read a step instead of four.
  const isAligned = IS_LITTLE_ENDIAN && ((bytes.byteOffset + start) & 3) === 0;
  const aligned = isAligned ? new Int32Array(bytes.buffer, bytes.byteOffset + start, words) : undefined;
  for (let index = 0; index < words; index++) {
    let word =
      aligned === undefined
        ? (bytes[at] as number) |
          ((bytes[at + 1] as number) << 8) |
          ((bytes[at + 2] as number) << 16) |
          ((bytes[at + 3] as number) << 24)
        : (aligned[index] as number);
    at += 4;
    word = Math.imul(word, C1);
    word = (word << 15) | (word >>> 17);
    hash ^= Math.imul(word, C2);
    hash = (hash << 13) | (hash >>> 19);
    hash = (Math.imul(hash, 5) + 0xe6546b64) | 0;
  }
  let tail = 0;
  for (let shift = 0; at < end; at++, shift += 8) tail |= (bytes[at] as number) << shift;
  tail = Math.imul(tail, C1);
  tail = (tail << 15) | (tail >>> 17);
  hash ^= Math.imul(tail, C2);
  hash ^= end - start;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
