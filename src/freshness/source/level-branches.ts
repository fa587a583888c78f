const DIRECTIVE = /^[ \t]*#[ \t]*(if|ifdef|ifndef|elif|elifdef|elifndef|else|endif)\b([^\n]*)/gm;

/** How often a text is read again for conditionals inside of conditionals, at most. */
const MAX_READINGS = 8;

interface Range {
  start: number;
  end: number;
}

interface Conditional {
  branches: Range[];
  start: number;
  /** The branch is `#if 0`: nothing of it is compiled. */
  isDead: boolean;
}

/**
 * A C text whose directives are blank, such that brackets are opened and closed once.
 *
 * `#ifdef A … if (a) { #else … if (b) { #endif … }` opens two blocks and closes one. Where a branch leaves
 * open or closes what the last one does too, its brackets are taken out; `#if 0` is blanked.
 *
 * @param text - The text with its directives.
 * @param code - The same text, of the same length, without them.
 */
export function levelBranches(text: string, code: string): string {
  const edits = new Map<number, string>();
  const dead: Range[] = [];
  const open: Conditional[] = [];
  let budget = MAX_READINGS * code.length;
  const closeBranch = (conditional: Conditional, end: number): void => {
    const branch = { start: conditional.start, end };
    if (conditional.isDead) dead.push(branch);
    else conditional.branches.push(branch);
  };
  for (const match of text.matchAll(DIRECTIVE)) {
    const [whole, word = "", condition = ""] = match;
    const behind = match.index + whole.length;
    if (word.startsWith("if")) {
      open.push({ branches: [], start: behind, isDead: word === "if" && condition.trim() === "0" });
      continue;
    }
    const conditional = open.at(-1);
    if (!conditional) continue;
    closeBranch(conditional, match.index);
    conditional.start = behind;
    conditional.isDead = false;
    if (word !== "endif") continue;
    open.pop();
    const earlier = conditional.branches.slice(0, -1);
    const [first] = earlier;
    const last = conditional.branches.at(-1);
    if (!first || !last) continue;
    budget -= behind - first.start;
    if (budget < 0) break;
    const shape = shapeOf(code, unmatched(code, last, edits));
    for (const branch of shape === "" ? [] : earlier) {
      const own = unmatched(code, branch, edits);
      // The body that the last one opens is there once; what stands before it in the others is a declaration.
      if (shapeOf(code, own) === shape)
        for (const at of own) edits.set(at, code.charAt(at) === "{" ? ";" : " ");
    }
  }
  return edited(code, edits, dead);
}

/** Where the brackets of a range stand that have no counterpart in it. */
function unmatched(code: string, { start, end }: Range, edits: ReadonlyMap<number, string>): number[] {
  const found: number[] = [];
  for (let at = start; at < end; at++) {
    const char = code.charAt(at);
    if (!"{}()".includes(char) || edits.has(at)) continue;
    const last = found.at(-1);
    const isClosed =
      last !== undefined &&
      (char === "}" || char === ")") &&
      code.charAt(last) === (char === "}" ? "{" : "(");
    if (isClosed) found.pop();
    else found.push(at);
  }
  return found;
}

function shapeOf(code: string, brackets: readonly number[]): string {
  return brackets.map((at) => code.charAt(at)).join("");
}

function edited(code: string, edits: ReadonlyMap<number, string>, dead: readonly Range[]): string {
  if (edits.size === 0 && dead.length === 0) return code;
  const changes = [
    ...[...edits].map(([start, text]) => ({ start, end: start + 1, text })),
    ...dead.map(({ start, end }) => ({ start, end, text: code.slice(start, end).replace(/[^\n]/g, " ") })),
  ].toSorted((one, other) => one.start - other.start || other.end - one.end);
  const parts: string[] = [];
  let from = 0;
  for (const { start, end, text } of changes) {
    if (start < from) continue;
    parts.push(code.slice(from, start), text);
    from = end;
  }
  parts.push(code.slice(from));
  return parts.join("");
}
