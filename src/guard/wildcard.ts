/**
 * Whether a text matches a pattern in which `*` stands for any text and `?` for one character; everything else stands
 * for itself. Takes at most the product of both lengths in steps, whatever the pattern.
 */
export function matchesWildcard(text: string, pattern: string): boolean {
  let t = 0;
  let p = 0;
  let star = -1;
  let mark = 0;
  while (t < text.length) {
    if (p < pattern.length && pattern[p] === "*") {
      star = p++;
      mark = t;
    } else if (p < pattern.length && (pattern[p] === "?" || pattern[p] === text[t])) {
      p += 1;
      t += 1;
    } else if (star >= 0) {
      p = star + 1;
      t = ++mark;
    } else return false;
  }
  while (pattern[p] === "*") p += 1;
  return p === pattern.length;
}

/** Whether a pattern stands for more than one text. */
export function isWildcard(pattern: string): boolean {
  return /[*?]/.test(pattern);
}
