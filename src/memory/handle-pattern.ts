/**
 * Several names as one handle: `heed:runbook-{auth,billing}`. `parts` is what is between the braces; undefined where
 * the names have nothing in common to put before or behind them.
 */
export function handlesOf(names: readonly string[]): { text: string; parts: string[] | undefined } {
  const words = names.map((name) => name.split("-"));
  const least = Math.min(...words.map((list) => list.length)) - 1;
  const isSame = (at: (list: string[]) => string | undefined): boolean =>
    words.every((list) => at(list) === at(words[0] ?? []));
  let before = 0;
  while (before < least && isSame((list) => list[before])) before++;
  let behind = 0;
  while (behind < least - before && isSame((list) => list.at(-1 - behind))) behind++;
  const [first = []] = words;
  if (before + behind === 0 || names.length < 2)
    return { text: names.map((name) => `heed:${name}`).join(", "), parts: undefined };
  const parts = words.map((list) => list.slice(before, list.length - behind).join("-"));
  const head = first.slice(0, before).map((word) => `${word}-`);
  const tail = behind === 0 ? [] : first.slice(-behind).map((word) => `-${word}`);
  return { text: `heed:${head.join("")}{${parts.join(",")}}${tail.join("")}`, parts };
}

/** One pattern may stand for at most this many handles. */
const MAX_NAMES = 50;

/** The names that a handle stands for: `runbook-{auth,billing}` two, one without braces itself. */
export function namesIn(handle: string): string[] {
  const braces = /^([^{}]*)\{([^{}]*)\}([^{}]*)$/.exec(handle);
  if (braces === null) return [handle];
  const [, before = "", parts = "", behind = ""] = braces;
  return parts
    .split(",", MAX_NAMES)
    .map((part) => part.trim())
    .filter((part) => part !== "")
    .map((part) => `${before}${part}${behind}`);
}
