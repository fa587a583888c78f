import type { SeededRandom } from "../../bench/seeded-random.ts";

/** Texts that trouble readers of any kind. */
const NASTY = [
  "9".repeat(40),
  ...(
    "¦ ¦\n¦\r\n¦\t¦\0¦\uFEFF¦\u200B¦\u202E¦\u2028¦\uD800¦\uDFFF¦é¦𝕏¦ﬁ¦<¦>¦</¦&lt;¦\"¦'¦\\¦`¦```¦" +
    "---¦...¦:¦: ¦#¦ #¦- ¦? ¦&a¦*a¦!!js¦[¦]¦{¦}¦(¦)¦$(¦${¦|¦;¦,¦%¦~¦/¦../¦*¦**¦=¦0¦-1¦1e999¦NaN¦" +
    "null¦true¦__proto__¦constructor¦toString¦2026-03-05"
  ).split("¦"),
];
const MAX_CHARS = 40_000;

/** A text made of others: cut, doubled, joined, with nasty pieces and words put in. */
export function mutate(random: SeededRandom, pool: readonly string[], words: readonly string[]): string {
  let text = random.pick(pool) ?? "";
  for (let step = 1 + random.below(6); step > 0; step--) text = mutateOnce(random, text, pool, words);
  return text.slice(0, MAX_CHARS);
}

function mutateOnce(
  random: SeededRandom,
  text: string,
  pool: readonly string[],
  words: readonly string[],
): string {
  const at = random.below(text.length + 1);
  const end = Math.min(text.length, at + random.below(40));
  const piece = random.below(2) === 0 ? random.pick(NASTY) : random.pick(words);
  switch (random.below(10)) {
    case 0:
      return text.slice(0, at) + text.slice(end);
    case 1:
    case 2:
      return text.slice(0, at) + (piece ?? "") + text.slice(at);
    case 3:
      return text.slice(0, at) + (piece ?? "") + text.slice(end);
    case 4:
      return text.slice(0, at) + text.slice(at, end).repeat(1 + random.below(30)) + text.slice(end);
    case 5:
      return text.slice(0, at) + (piece ?? "").repeat(1 + random.below(400)) + text.slice(at);
    case 6: {
      const other = random.pick(pool) ?? "";
      return text.slice(0, at) + other.slice(random.below(other.length + 1));
    }
    case 7: {
      const code = random.below(5) === 0 ? random.below(0x10000) : random.below(128);
      return text.slice(0, at) + String.fromCharCode(code) + text.slice(at + 1);
    }
    case 8: {
      const lines = text.split("\n");
      const from = random.below(lines.length);
      const [line = ""] = lines.splice(from, 1);
      lines.splice(random.below(lines.length + 1), 0, line);
      return lines.join("\n");
    }
    default:
      return random.below(8) === 0 ? (piece ?? "").repeat(random.below(9_000)) : text.toUpperCase();
  }
}
