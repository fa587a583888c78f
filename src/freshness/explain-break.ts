import { basename, extname } from "node:path";
import { type Claim, formatClaim, lastName, parseClaim } from "../memory/claims/parse-claim.ts";
import type { ClaimBreak, Finding, Machine, Tree } from "./verdict.ts";
import { checkClaim, filesOf } from "./check-claim.ts";
import { firstLine } from "./manifests.ts";
import type { CommitName, FileVersion, RepositoryHistory } from "./repository-history.ts";
import type { Definition } from "./source/mask-source.ts";
import { findDefinitions, findSymbol } from "./source/find-definitions.ts";

const MAX_VERSIONS = 200;
const BATCH = 20;
const MAX_HOPS = 20;
const MAX_FILES = 60;
/** Texts that share this much of their lines are the same thing, renamed. */
const SAME = 0.5;

interface BreakContext {
  tree: Tree;
  history: RepositoryHistory;
  machine: Machine;
  /** The commit at which the memory was written. */
  origin?: string | undefined;
}

/** What git knows about a broken claim. A claim that it offers was checked and holds. Never rejects. */
export async function explainBreak(
  claim: Claim,
  finding: Finding,
  context: BreakContext,
): Promise<ClaimBreak> {
  // A value that is there now is known without any history.
  const { became, ...rest } = await explain(claim, finding, context).catch((error: unknown): ClaimBreak => ({
    became: actualClaim(claim, finding),
    unchecked: firstLine(error),
  }));
  const proposed = became && parseClaim(became.claim).claim;
  const holds = proposed && (await checkClaim(proposed, context.tree, context.machine)).state === "kept";
  return holds ? { ...rest, became } : rest;
}

function becoming(claim: Claim, words: string): NonNullable<ClaimBreak["became"]> {
  return { claim: formatClaim(claim), words };
}

async function explain(claim: Claim, finding: Finding, context: BreakContext): Promise<ClaimBreak> {
  const { tree, machine } = context;
  const files = filesOf(claim);
  // Of several manifests the one counts that had it.
  const near = [
    ...new Set([...files.filter((file) => tree.look(file).kind !== "missing"), ...files.slice(-1)]),
  ];
  if (claim.isAbsent) {
    for (const file of near) {
      const since = (await lastKept(claim, [file], context))?.since;
      if (since) return { since: dated(since) };
    }
    return {};
  }
  const held = near.length > 1 ? await lastKept(claim, near, context) : undefined;
  const path = held?.path ?? near[0];
  if (path === undefined) return {};
  const isFolder = claim.kind === "path" && claim.isFolder;
  const move = tree.look(path).kind === "missing" ? await whereWent(path, isFolder, context) : undefined;
  if (move && move.to === undefined) {
    if (move.isHere) return { moved: `${path} is deleted here, and that is not committed` };
    const other = await onAnotherBranch(claim, path, context);
    return other.elsewhere !== undefined || !move.since
      ? other
      : { since: dated(move.since), moved: `${path} is gone`, isLost: true };
  }
  const to = move?.to ?? path;
  const there = move ? at(claim, to) : claim;
  const found = move ? await checkClaim(there, tree, machine) : finding;
  const words = move ? [`${path} was renamed to ${to}`] : [];
  if (found.state === "kept") return { since: dated(move?.since), became: becoming(there, words.join("")) };
  const kept = await lastKept(there, [...new Set([to, path])], context);
  const became = actualClaim(there, found) ?? (kept && (await renamedIn(there, to, kept, context)));
  const other = move || kept ? {} : await onAnotherBranch(claim, path, context);
  if (other.elsewhere !== undefined) return other;
  return {
    since: dated(move ? move.since : kept?.since),
    became: became && { ...became, words: [...words, became.words].join(", and ") },
    moved: move && !became ? [...words, found.finding].join(", and ") : undefined,
  };
}

function dated(commit: CommitName | undefined): ClaimBreak["since"] {
  return commit && { commit: commit.id, date: commit.time.slice(0, 10) };
}

function at(claim: Claim, to: string): Claim {
  if ("folder" in claim) return { ...claim, folder: to.slice(0, Math.max(0, to.lastIndexOf("/"))) };
  return "path" in claim ? { ...claim, path: to } : claim;
}

/** What the default branch has, or only a commit outside of HEAD's history. */
async function onAnotherBranch(
  claim: Claim,
  path: string,
  { history, machine }: BreakContext,
): Promise<ClaimBreak> {
  const isKeptAt = async (place: string): Promise<boolean> => {
    if (claim.kind === "path") return history.has(place, claim.isFolder ? `${path}/` : path);
    const text = (await history.textsAt(place, [path])).get(path);
    return (await checkClaim(claim, fileTree(path, text), machine)).state === "kept";
  };
  const commit = await history.firstCommit("--all", "--reflog", "--not", "HEAD", "--", path);
  for (const place of [await history.otherDefault(), commit?.id]) {
    if (place === undefined || !(await isKeptAt(place))) continue;
    const what = formatClaim(claim).replace(/^(?:must:)?path:/, "");
    return { elsewhere: `${what} is not checked out here: ${await history.branchOf(place)} has it` };
  }
  return (await history.isWhole()) ? {} : { unchecked: "this clone has only a part of the history" };
}

interface Move {
  /** Where it is now; undefined: nothing took its place. */
  to?: string | undefined;
  /** The commit that moved or removed it first; undefined: not committed, or not known. */
  since?: CommitName | undefined;
  /** HEAD has it, and only the work tree does not. */
  isHere?: boolean;
}

/** Follows removals hop by hop; what HEAD has by the index and untracked files, what its history never had from the memory's commit. */
async function whereWent(
  path: string,
  isFolder: boolean,
  { tree, history, origin }: BreakContext,
): Promise<Move> {
  const isThere = (to: string | undefined): boolean => to !== undefined && tree.look(to).kind !== "missing";
  const targetIn = (renames: ReadonlyMap<string, string>, from: string): string | undefined =>
    isFolder ? folderTarget(renames, from) : renames.get(from);
  if (await history.has(history.head, path)) {
    const staged = targetIn(await history.stagedRenames(), path);
    if (isThere(staged) || isFolder) return { to: isThere(staged) ? staged : undefined, isHere: true };
    const text = (await history.textsAt(history.head, [path])).get(path) ?? "";
    return { to: mostLike(text, path, await history.untracked(), tree), isHere: true };
  }
  let since: CommitName | undefined;
  let last = path;
  for (let hop = 0; hop < MAX_HOPS; hop++) {
    const removal = await history.removalOf(last);
    if (!removal) break;
    since ??= removal;
    const to = targetIn(await history.renames(removal.parent, removal.id), last);
    if (to === undefined || isThere(to)) return { to, since };
    last = to;
  }
  if (since || origin === undefined) return { since };
  // A branch that was squashed renamed it. Its commit may not be here.
  const squashed = await history.renames(origin, history.head).catch(() => new Map<string, string>());
  const to = targetIn(squashed, path);
  return { to: isThere(to) ? to : undefined };
}

/** Where most files of a folder went, with what lies below it. */
function folderTarget(renames: ReadonlyMap<string, string>, folder: string): string | undefined {
  const votes = new Map<string, number>();
  for (const [from, to] of renames) {
    const rest = from.slice(folder.length);
    if (!from.startsWith(`${folder}/`) || !to.endsWith(rest)) continue;
    const target = to.slice(0, -rest.length);
    votes.set(target, (votes.get(target) ?? 0) + 1);
  }
  return [...votes].sort((a, b) => b[1] - a[1])[0]?.[0];
}

/** Of files with the ending of a path the one whose text is most like its own. */
function mostLike(text: string, path: string, files: readonly string[], tree: Tree): string | undefined {
  const likely = files.filter((file) => file.endsWith(extname(path) || basename(path))).slice(0, MAX_FILES);
  return bestOf(likely, (file) => {
    const read = tree.text(file);
    return "text" in read ? similarity(text, read.text) : 0;
  });
}

function bestOf<T>(items: readonly T[], likeness: (item: T) => number): T | undefined {
  const [best] = items
    .map((item) => ({ item, share: likeness(item) }))
    .filter(({ share }) => share >= SAME)
    .sort((a, b) => b.share - a.share);
  return best?.item;
}

const MAX_COMPARED_CHARS = 200_000;

/** How much two texts share, 0 to 1: lines in common over the lines of the longer one, blank ones aside. */
function similarity(one: string, other: string): number {
  const [a = [], b = []] = [one, other].map((text) =>
    text
      .slice(0, MAX_COMPARED_CHARS)
      .split("\n")
      .map((line) => line.trim())
      .filter((line) => line !== ""),
  );
  const left = new Map<string, number>();
  for (const line of a) left.set(line, (left.get(line) ?? 0) + 1);
  const shared = b.filter((line) => {
    const count = left.get(line) ?? 0;
    left.set(line, count - 1);
    return count > 0;
  });
  return shared.length / Math.max(a.length, b.length, 1);
}

interface Kept {
  path: string;
  text: string;
  since: CommitName | undefined;
}

/** The newest text in which a claim held, of a file and of what it was before it moved. */
async function lastKept(
  claim: Claim,
  paths: readonly string[],
  { history, machine }: BreakContext,
): Promise<Kept | undefined> {
  for (const path of paths) {
    const versions: Partial<FileVersion>[] = await history.versionsOf(path, MAX_VERSIONS);
    // Before the first it was not there.
    if (versions.length < MAX_VERSIONS) versions.push({});
    let after: CommitName | undefined;
    for (let i = 0; i < versions.length; i += BATCH) {
      const batch = versions.slice(i, i + BATCH);
      const texts = await history.read(batch.flatMap(({ blob }) => blob ?? []));
      for (const { commit, blob = "" } of batch) {
        const text = texts.get(blob);
        const { state } = await checkClaim(at(claim, path), fileTree(path, text), machine);
        if (state === "kept") return { path, text: text ?? "", since: after };
        after = commit;
      }
    }
  }
  return undefined;
}

/** The claim under the name that its symbol or value has now; undefined where another file defines it since. */
async function renamedIn(
  claim: Claim,
  path: string,
  { text: before, since: broken }: Kept,
  { tree, history }: BreakContext,
): Promise<ClaimBreak["became"]> {
  const symbol = claim.kind === "symbol" ? claim.symbol : claim.kind === "value" ? claim.name : undefined;
  const textOf = (file: string): string | undefined => {
    const read = tree.text(file);
    return "text" in read ? read.text : undefined;
  };
  const now = textOf(path);
  if (symbol === undefined || now === undefined) return undefined;
  const name = newName(symbol, path, before, now);
  if (name === undefined) return undefined;
  const found = [...(await history.untracked()), ...(await history.filesWithWord(lastName(symbol)))];
  const files = found.filter((file) => file !== path).slice(0, MAX_FILES);
  const earlier = await history.textsAt(broken?.parent ?? history.head, files);
  const defines = (file: string, text = ""): boolean =>
    findSymbol(findDefinitions(file, text) ?? [], symbol) !== undefined;
  if (files.some((file) => defines(file, textOf(file)) && !defines(file, earlier.get(file))))
    return undefined;
  const there = claim.kind === "value" ? { ...claim, name } : { ...claim, symbol: name };
  return becoming(there, `${symbol} is called ${name} now`);
}

/** What a symbol is called that has another name and the same body. */
function newName(symbol: string, path: string, before: string, now: string): string | undefined {
  const old = findDefinitions(path, before) ?? [];
  const gone = findSymbol(old, symbol);
  if (!gone) return undefined;
  const keyOf = ({ container, name }: Definition): string => `${container.join(".")}.${name}`;
  const known = new Set(old.map(keyOf));
  const fresh = (findDefinitions(path, now) ?? []).filter(
    (one) => one.kind === gone.kind && !known.has(keyOf(one)),
  );
  const word = new RegExp(`(?<![\\w$])${gone.name.replace(/[$.*+?^{}()|[\]\\]/g, "\\$&")}(?![\\w$])`, "g");
  const body = before.slice(gone.start, gone.end);
  const best = bestOf(fresh, ({ name, start, end }) =>
    similarity(
      body.replace(word, () => name),
      now.slice(start, end),
    ),
  );
  return best && symbol.slice(0, symbol.length - gone.name.length) + best.name;
}

function actualClaim(claim: Claim, { actual }: Finding): ClaimBreak["became"] {
  if (actual === undefined || actual.length > 200 || /[\r\n]/.test(actual)) return undefined;
  const shown = actual.slice(0, 60);
  // As claims are written, without the quotes of the source.
  const value = /^"([^"\\]*)"$/.exec(actual)?.[1] ?? actual;
  if (claim.kind === "value") return becoming({ ...claim, value }, `${claim.name} is ${shown} now`);
  if (claim.kind === "config")
    return becoming({ ...claim, value: actual }, `${claim.keys.join(".")} is ${shown} now`);
  if (claim.kind === "dependency")
    return becoming({ ...claim, range: actual }, `${claim.name} is at ${shown} now`);
  return undefined;
}

/** A tree of one file, as a commit had it. Undefined: not there. */
function fileTree(path: string, text: string | undefined): Tree {
  const isHere = (asked: string): boolean => asked === path && text !== undefined;
  return {
    look: (asked) => ({ kind: isHere(asked) ? "file" : "missing" }),
    text: (asked) => (isHere(asked) ? { text: text ?? "" } : { missing: true }),
  };
}
