import { type Claim, formatClaim, pathOfClaim, parseClaim } from "../memory/claims/parse-claim.ts";
import type { ClaimBreak, Finding, Machine, Tree } from "./verdict.ts";
import { checkClaim } from "./check-claim.ts";
import { firstLine, scriptFile } from "./manifests.ts";
import { baseName, type CommitName, type RepositoryHistory } from "./repository-history.ts";
import { RevisionTree } from "./revision-tree.ts";
import type { Definition } from "./source/mask-source.ts";
import { findDefinitions, findSymbol } from "./source/find-definitions.ts";

const MAX_VERSIONS = 200;
const BATCH = 20;
const MAX_HOPS = 20;
const MAX_FILES = 60;
/** Texts that share this much of their lines are the same thing, moved or renamed. */
const SAME = 0.5;

interface BreakContext {
  tree: Tree;
  history: RepositoryHistory;
  machine: Machine;
  origin: string | undefined;
}

/** What git knows about a broken claim. A claim that it offers was checked and holds. Never rejects. */
export async function explainBreak(
  claim: Claim,
  finding: Finding,
  context: BreakContext,
): Promise<ClaimBreak> {
  const text = formatClaim(claim);
  let found: Explained;
  try {
    found = await explain(claim, finding, context);
  } catch (error) {
    // A value that is there now is known without any history.
    const became = actualClaim(claim, finding);
    found = { ...(became && { became }), unchecked: firstLine(error) };
  }
  const { became, ...rest } = found;
  const proposed = became && parseClaim(became.claim).claim;
  const holds = proposed && (await checkClaim(proposed, context.tree, context.machine)).state === "kept";
  return { claim: text, ...rest, ...(holds && became && { became }) };
}

type Explained = Omit<ClaimBreak, "claim">;
type Became = ClaimBreak["became"];

function becoming(claim: Claim, words: string): NonNullable<Became> {
  return { claim: formatClaim(claim), words };
}

async function explain(claim: Claim, finding: Finding, context: BreakContext): Promise<Explained> {
  const { tree, history, machine } = context;
  if (claim.kind === "branch" || claim.kind === "until" || claim.kind === "command") return {};
  const path =
    claim.kind === "script" || claim.kind === "dependency"
      ? scriptFile(claim, tree)
      : (pathOfClaim(claim) ?? "");
  if (claim.isAbsent) {
    const added = ["--diff-filter=A", "--no-renames", "HEAD", "--", path];
    const isPath = claim.kind === "path";
    return since(
      isPath ? await history.firstCommit(...added) : (await lastKept(claim, [path], context))?.since,
    );
  }
  const isMoved = claim.kind === "path" || tree.look(path).kind === "missing";
  const isFolder = claim.kind === "path" && claim.isFolder;
  const move = isMoved ? await whereWent(path, isFolder, context) : undefined;
  if (move && move.to === undefined) {
    if (move.isHere) return { moved: `${path} is deleted here, and that is not committed` };
    const other = await onAnotherBranch(claim, path, context);
    return other.elsewhere || !move.since
      ? other
      : { ...since(move.since), moved: `${path} is gone`, isLost: true };
  }
  const { to = path } = move ?? {};
  const there = move ? at(claim, to) : claim;
  const found = move ? await checkClaim(there, tree, machine) : finding;
  const words = `${path} was renamed to ${to}`;
  if (move && found.state === "kept") return { ...since(move.since), became: becoming(there, words) };
  const kept = await lastKept(there, move ? [to, path] : [path], context);
  const became = actualClaim(there, found) ?? (kept && (await renamedIn(there, to, kept, context)));
  if (!move) {
    const other = kept ? {} : await onAnotherBranch(claim, path, context);
    return other.elsewhere ? other : { ...since(kept?.since), ...(became && { became }) };
  }
  return became
    ? { ...since(move.since), became: { ...became, words: `${words}, and ${became.words}` } }
    : { ...since(move.since), moved: `${words}${found.finding ? `, and ${found.finding}` : ""}` };
}

function since(commit: CommitName | undefined): Explained {
  return commit ? { since: { commit: commit.id, date: commit.time.slice(0, 10) } } : {};
}

function at(claim: Claim, to: string): Claim {
  if (claim.kind === "script" || claim.kind === "dependency")
    return { ...claim, folder: to.includes("/") ? to.slice(0, to.lastIndexOf("/")) : "" };
  return "path" in claim ? { ...claim, path: to } : claim;
}

/** What the default branch has, or only a commit outside of HEAD's history. */
async function onAnotherBranch(
  claim: Claim,
  path: string,
  { history, machine }: BreakContext,
): Promise<Explained> {
  const main = await history.otherDefault();
  const commit = await history.firstCommit("--all", "--reflog", "--not", "HEAD", "--", path);
  for (const place of [main, commit?.id]) {
    if (place === undefined) continue;
    const isKept = async (): Promise<boolean> => {
      const text = (await history.textsAt(place, [path])).get(path);
      return (await checkClaim(claim, fileTree(path, text), machine)).state === "kept";
    };
    if (!(await (claim.kind === "path" ? history.has(place, path) : isKept()))) continue;
    const name = await history.branchOf(place);
    const what = formatClaim(claim).replace(/^(?:must:)?path:/, "");
    return { elsewhere: `${what} is not checked out here: ${name} has it` };
  }
  return (await history.isWhole()) ? {} : { unchecked: "this clone has only a part of the history" };
}

interface Move {
  /** Where it is now; undefined: nothing took its place. */
  to?: string | undefined;
  /** The commit that moved or removed it first; undefined: not committed. */
  since: CommitName | undefined;
  /** HEAD has it, and only the work tree does not. */
  isHere?: boolean;
}

/** Follows removals hop by hop; uncommitted moves by the index and untracked files; squashed ones from the last commit that had it. */
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
    if (isThere(staged) || isFolder)
      return { to: isThere(staged) ? staged : undefined, since: undefined, isHere: true };
    const text = (await history.textsAt(history.head, [path])).get(path) ?? "";
    const to = mostLike(text, path, await history.untracked(), tree);
    return { to, since: undefined, isHere: true };
  }
  let first: CommitName | undefined;
  let last = path;
  for (let hop = 0; hop < MAX_HOPS; hop++) {
    const removal = await history.removalOf(last);
    if (!removal) break;
    first ??= removal;
    const to = targetIn(await history.renames(removal.parent, removal.id), last);
    if (to === undefined || isThere(to)) return { to, since: first };
    last = to;
  }
  if (first || isFolder) return { since: first };
  const touch = await history.firstCommit("--all", "--reflog", "--", path);
  for (const commit of [origin, touch?.id, touch?.parent]) {
    if (commit === undefined || !(await history.textsAt(commit, [path])).has(path)) continue;
    const to = (await history.renames(commit, history.head)).get(path);
    if (!isThere(to)) break;
    return {
      to,
      since: await history.firstCommit("--diff-filter=A", "--no-renames", "HEAD", "--", to ?? ""),
    };
  }
  return { since: undefined };
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

/** Of files with the name or ending of a path the one whose text is most like its own. */
function mostLike(text: string, path: string, files: readonly string[], tree: Tree): string | undefined {
  const ending = /\.\w+$/.exec(path)?.[0] ?? baseName(path);
  const likely = files.filter((file) => file.endsWith(ending)).slice(0, MAX_FILES);
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
    const versions = await history.versionsOf(path, MAX_VERSIONS);
    let after: CommitName | undefined;
    for (let i = 0; i < versions.length; i += BATCH) {
      const batch = versions.slice(i, i + BATCH);
      const texts = await history.read(batch.flatMap(({ blob }) => blob ?? []));
      for (const { commit, blob = "" } of batch) {
        const text = texts.get(blob);
        const { state } = await checkClaim(at(claim, path), fileTree(path, text), machine);
        if (state === "kept") return { text: text ?? "", since: after };
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
): Promise<Became> {
  const symbol = claim.kind === "symbol" ? claim.symbol : claim.kind === "value" ? claim.name : undefined;
  const textOf = (file: string): string | undefined => {
    const read = tree.text(file);
    return "text" in read ? read.text : undefined;
  };
  const now = textOf(path);
  if (symbol === undefined || now === undefined) return undefined;
  const name = newName(symbol, path, before, now);
  if (name === undefined) return undefined;
  const word = symbol.split(/\.|::|#/).at(-1) ?? symbol;
  const found = [...(await history.untracked()), ...(await history.filesWithWord(word))];
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

function actualClaim(claim: Claim, { actual }: Finding): Became {
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
  const entry = { file: path, blob: "", mode: "100644" };
  return new RevisionTree(new Map(text === undefined ? [] : [[path, entry]]), new Map([["", text]]));
}
