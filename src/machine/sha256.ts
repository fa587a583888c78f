/** SHA-256 (FIPS 180-4) in hexadecimal. Own code: loading node:crypto takes 4 ms of a hook's start. */
export function sha256Hex(text: string): string {
  const bytes = Buffer.from(text);
  const blockCount = Math.ceil((bytes.length + 9) / 64);
  const padded = Buffer.alloc(blockCount * 64);
  bytes.copy(padded);
  padded[bytes.length] = 0x80;
  padded.writeUIntBE(bytes.length * 8, padded.length - 6, 6);
  const hash = Uint32Array.from(INITIAL);
  const words = new Uint32Array(64);
  for (let at = 0; at < padded.length; at += 64) addBlock(hash, words, padded, at);
  return [...hash].map((word) => word.toString(16).padStart(8, "0")).join("");
}

/** The first 64 primes; of the first eight the square roots begin the hash, of all the cube roots are the constants. */
const PRIMES: readonly number[] = firstPrimes(64);
const INITIAL: readonly number[] = PRIMES.slice(0, 8).map((prime) => fractionOf(Math.sqrt(prime)));
const CONSTANTS: readonly number[] = PRIMES.map((prime) => fractionOf(Math.cbrt(prime)));

function firstPrimes(count: number): number[] {
  const primes: number[] = [];
  for (let n = 2; primes.length < count; n++) if (primes.every((prime) => n % prime !== 0)) primes.push(n);
  return primes;
}

/** The first 32 bits behind the point: a root below 7 has 50 of them exactly. */
function fractionOf(root: number): number {
  return Math.floor((root % 1) * 2 ** 32);
}

const rotated = (word: number, by: number): number => (word >>> by) | (word << (32 - by));

function addBlock(hash: Uint32Array, w: Uint32Array, bytes: Buffer, start: number): void {
  for (let i = 0; i < 16; i++) w[i] = bytes.readUInt32BE(start + i * 4);
  for (let i = 16; i < 64; i++) {
    const [before, near] = [w[i - 15]!, w[i - 2]!];
    const low = rotated(before, 7) ^ rotated(before, 18) ^ (before >>> 3);
    const high = rotated(near, 17) ^ rotated(near, 19) ^ (near >>> 10);
    w[i] = w[i - 16]! + low + w[i - 7]! + high;
  }
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = hash;
  for (let i = 0; i < 64; i++) {
    const choice = (e & f) ^ (~e & g);
    const first = h + (rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25)) + choice + CONSTANTS[i]! + w[i]!;
    const majority = (a & b) ^ (a & c) ^ (b & c);
    const second = (rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)) + majority;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + second) | 0];
  }
  for (const [i, word] of [a, b, c, d, e, f, g, h].entries()) hash[i] = hash[i]! + word;
}
