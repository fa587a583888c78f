/** The end of an expression or a list of words is looked for this far. */
const MAX_INLINE_CHARS = 2_000;

/** Words after which a slash begins an expression, not a division. */
const BEFORE_REGEX =
  /(?:^|[(,=:[!&|?{};+\-*%~^\n]|=>)\s*$|\b(?:return|typeof|case|in|of|delete|void|throw|new|do|else|yield|await|if|unless|and|or|not|when|then)\s*$/;

/** The end of the line of a position. */
export function lineEnd(text: string, at: number): number {
  const end = text.indexOf("\n", at);
  return end < 0 ? text.length : end;
}

/** Whether a line begins there. */
export function isLineStart(text: string, at: number): boolean {
  return at === 0 || text.charAt(at - 1) === "\n";
}

/** The position after the closing mark; of a string that is never closed, the end of its line. */
export function closingOf(
  text: string,
  from: number,
  mark: string,
  isEscaped: boolean,
  isMultiline: boolean,
): number {
  for (let i = from; i < text.length; i++) {
    const char = text.charAt(i);
    if (isEscaped && char === "\\") i += 1;
    else if (char === "\n" && !isMultiline) return i;
    else if (char === mark.charAt(0) && text.startsWith(mark, i)) return i + mark.length;
  }
  return text.length;
}

/** The position after a regular expression, or the given one where the slash divides. */
export function regexEnd(text: string, at: number): number {
  if (!BEFORE_REGEX.test(text.slice(Math.max(0, at - 20), at)) && at > 0) return at;
  let isInClass = false;
  for (let i = at + 1; i < Math.min(text.length, at + MAX_INLINE_CHARS); i++) {
    const char = text.charAt(i);
    if (char === "\n") return at;
    if (char === "\\") i += 1;
    else if (char === "[") isInClass = true;
    else if (char === "]") isInClass = false;
    else if (char === "/" && !isInClass) return i + 1;
  }
  return at;
}

/** Ruby's %w[…], %(…), %q{…} and their like. */
export function percentEnd(text: string, at: number): number {
  const [whole, , open] = /^%([qQwWiIrsx]?)([({[<|!/])/.exec(text.slice(at, at + 3)) ?? [];
  if (whole === undefined || open === undefined) return at;
  if (whole.length === 2 && !/[=(,\s]$/.test(text.slice(Math.max(0, at - 1), at))) return at;
  if (whole.length === 2 && /[\w)\]]\s$/.test(text.slice(Math.max(0, at - 2), at))) return at;
  const close = { "(": ")", "{": "}", "[": "]", "<": ">" }[open] ?? open;
  let depth = 1;
  for (let i = at + whole.length; i < Math.min(text.length, at + MAX_INLINE_CHARS); i++) {
    const char = text.charAt(i);
    if (char === "\\") i += 1;
    else if (char === close) {
      depth -= 1;
      if (depth === 0) return i + 1;
    } else if (char === open) depth += 1;
  }
  return at;
}
