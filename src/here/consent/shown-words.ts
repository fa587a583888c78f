import { describeWholeGuard, parseGuards } from "../../guard/parse-guards.ts";
import { cutText } from "../../memory/delimit.ts";
import { shownLine } from "../../memory/shown-text.ts";
import { LIMITS } from "../../memory/limits.ts";
import type { MemoryHeader } from "../../memory/memory.ts";
import type { TypeTable } from "../../memory/memory-type.ts";

/** A text in a line for whoever is to approve it, in quotation marks that nothing within it can end. */
export const quoted = (text: string, maxChars: number = LIMITS.statementChars): string =>
  `"${cutText(shownLine(text).replaceAll('"', "'"), maxChars)}"`;
const shownGlob = (glob: string): string => (/^[^\s"]+$/.test(glob) ? shownLine(glob) : quoted(glob));

export const NO_LISTS: MemoryLists = { links: [], claims: [], trigger: [], aliases: [], tags: [] };

type MemoryLists = Pick<MemoryHeader, "links" | "claims" | "trigger" | "aliases" | "tags">;

/** Which items of its lists a change takes out and puts in: a link can put another memory out of sight. */
export function listsOf(
  memory: MemoryLists,
  current: MemoryLists,
  more: readonly ("aliases" | "tags")[] = [],
): string[] {
  return (["links", "claims", "trigger", ...more] as const).flatMap((key) => {
    const [old = [], now = []] = [current, memory].map((one) =>
      one[key].map((item) => (typeof item === "string" ? item : `${item.rel} ${item.to}`)),
    );
    const gone = old.filter((item) => !now.includes(item)).map((item) => `without ${quoted(item, Infinity)}`);
    const added = now.filter((item) => !old.includes(item)).map((item) => `with ${quoted(item, Infinity)}`);
    return gone.length + added.length === 0 ? [] : [`${key} ${[...gone, ...added].join(", ")}`];
  });
}

export function guardsOf(raw: unknown): string[] {
  const verbs = { deny: "refuse", ask: "ask you before", warn: "warn about" };
  return parseGuards(raw).guards.map(({ guard }) =>
    shownLine(verbs[guard.action] + describeWholeGuard(guard).slice(guard.action.length)),
  );
}

/** A memory without a scope belongs to the repository where it was given, unless its type reaches everywhere. */
export function isEverywhere({ type, scope, origin }: MemoryHeader, types: TypeTable): boolean {
  return scope.repo === undefined && (origin.repo === undefined || types.get(type)?.reach === "everywhere");
}

export function reachOf(memory: MemoryHeader, types: TypeTable): string {
  return [isEverywhere(memory, types) ? "everywhere" : "in this repository", ...boundsOf(memory)].join(" ");
}

export function boundsOf({ scope: { branch, worktree, paths }, expires }: MemoryHeader): string[] {
  return [
    ...(worktree === undefined ? [] : [`in the worktree ${shownGlob(worktree)}`]),
    ...(branch === undefined ? [] : [`on branch ${shownGlob(branch)}`]),
    ...(paths.length === 0 ? [] : [`for ${paths.map(shownGlob).join(", ")}`]),
    ...(expires === undefined ? [] : [untilOf(expires)]),
  ];
}

export const untilOf = (expires: string | undefined): string =>
  expires === undefined ? "without an end" : `until ${expires.slice(0, 10)}`;

/** What a yes to a new memory puts into force besides its text, in words. */
export function boundsAndLists(memory: MemoryHeader, types: TypeTable): string {
  const reach = isEverywhere(memory, types) ? ["everywhere"] : [];
  return [...reach, ...boundsOf(memory), ...listsOf(memory, NO_LISTS, ["aliases", "tags"])].join(", ");
}

/** What a text says besides its statement, on one line. */
export function restOf({ statement, body }: { statement: string; body: string }): string {
  const text = body.trim();
  const rest = text.startsWith(statement) ? text.slice(statement.length).replace(/^[.!]/, "") : text;
  return shownLine(rest).replace(/(^|⏎ )\*\*([^*]+:)\*\*/g, "$1$2");
}
