import { type Claim, formatClaim, pathOfClaim, parseClaim } from "../memory/claims/parse-claim.ts";
import { cutShown } from "../memory/screening/find-secrets.ts";
import type { ClaimBreak, Finding, Machine, Tree } from "./verdict.ts";
import { checkClaim } from "./check-claim.ts";
import { followFolder, followPath, followSymbol } from "./follow-path.ts";
import { readScripts, scriptFile } from "./manifests.ts";
import type { CommitName, RepositoryHistory } from "./repository-history.ts";

const MAX_VERSIONS = 200;
const BATCH = 20;

interface BreakContext {
  tree: Tree;
  history: RepositoryHistory;
  machine: Machine;
  /** The commit at which the memory was written, if it says. */
  origin: string | undefined;
}

/**
 * What git knows about a claim that no longer holds: since which commit, and what its subject became. What it offers as
 * the new claim was checked and holds. Never rejects: a history that cannot be asked is said to be unchecked.
 */
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
    const message = error instanceof Error ? error.message : String(error);
    // A value that is there now is known without any history.
    const became = actualClaim(claim, finding);
    found = { ...(became && { became }), unchecked: message.split("\n")[0]?.slice(0, 160) ?? "" };
  }
  const { became, ...rest } = found;
  const proposed = became && parseClaim(became.claim).claim;
  const holds = proposed && (await checkClaim(proposed, context.tree, context.machine)).state === "kept";
  return { claim: text, ...rest, ...(holds && became && { became }) };
}

type Explained = Omit<ClaimBreak, "claim">;

function becoming(claim: Claim, words: string, isCertain = true): NonNullable<ClaimBreak["became"]> {
  return { claim: formatClaim(claim), words, isCertain };
}

async function explain(claim: Claim, finding: Finding, context: BreakContext): Promise<Explained> {
  if (claim.kind === "branch") return explainBranch(claim, context);
  if (claim.kind === "until" || claim.kind === "command") return {};
  const path = fileOf(claim, context.tree);
  if (claim.isAbsent) {
    const commit =
      claim.kind === "path"
        ? await context.history.additionOf(path)
        : (await lastKept(claim, path, context))?.since;
    return withSince(commit);
  }
  const look = context.tree.look(path);
  if (claim.kind === "path" || look.kind === "missing") return explainMove(claim, path, context);
  const kept = await lastKept(claim, path, context);
  const became = await becameOf(claim, finding, kept, context);
  const [, commit = ""] = kept
    ? []
    : (/^(\w+)/.exec(await context.history.git([...UNMERGED, "--", path])) ?? []);
  const text = commit === "" ? undefined : await context.history.textAt(commit, path);
  if ((await checkClaim(claim, versionTree(path, text), context.machine)).state === "kept")
    return {
      moved: `${formatClaim(claim).replace(/^(?:must:)?path:/, "")} was never merged here: ${commit.slice(0, 8)} has it`,
    };
  return { ...withSince(kept?.since), ...(became && { became }) };
}

/** The last commit outside of HEAD's history that touched a path. */
const UNMERGED = ["log", "-n1", "--format=%H", "--all", "--reflog", "--not", "HEAD"];

function fileOf(claim: Claim, tree: Tree): string {
  if (claim.kind === "script" || claim.kind === "dependency") return scriptFile(claim, tree);
  return pathOfClaim(claim) ?? "";
}

function withSince(commit: CommitName | undefined): Explained {
  return commit ? { since: { commit: commit.id, date: commit.time.slice(0, 10) } } : {};
}

async function explainMove(claim: Claim, path: string, context: BreakContext): Promise<Explained> {
  const move =
    claim.kind === "path" && claim.isFolder
      ? await followFolder(path, context.tree, context.history)
      : await followPath(path, context.tree, context.history, context.origin);
  const since = withSince(move.since);
  if (move.elsewhere) return { moved: `${path} was never merged here: ${move.elsewhere.slice(0, 8)} has it` };
  if (move.to === undefined) return since;
  const words = `${path} ${move.isCertain ? "was renamed to" : "may be"} ${move.to}`;
  const there: Claim = movedClaim(claim, move.to);
  const finding = await checkClaim(there, context.tree, context.machine);
  if (finding.state === "kept") return { ...since, became: becoming(there, words, move.isCertain) };
  if (there.kind === "value" || there.kind === "config" || there.kind === "dependency") {
    const became = actualClaim(there, finding);
    if (became)
      return {
        ...since,
        became: { ...became, words: `${words}, and ${became.words}`, isCertain: move.isCertain },
      };
  }
  const became =
    pathOfClaim(there) === undefined
      ? undefined
      : ((await explain(there, finding, context)).became ??
        (await changedInMove(claim, there, finding, context)));
  return became
    ? { ...since, became: { ...became, words: `${words}, and ${became.words}` } }
    : { ...since, moved: `${words}${finding.finding === undefined ? "" : `, and ${finding.finding}`}` };
}

/** What became of something inside a file that changed before or while the file moved. */
async function changedInMove(
  claim: Claim,
  there: Claim,
  finding: Finding,
  context: BreakContext,
): Promise<ClaimBreak["became"]> {
  const kept = await lastKept(claim, fileOf(claim, context.tree), context);
  const became = kept && (await becameOf(there, finding, kept, context));
  // A namesake in a third file is no more than a guess, beside a file that is known to have moved.
  return became?.isCertain ? became : undefined;
}

function movedClaim(claim: Claim, to: string): Claim {
  switch (claim.kind) {
    case "script":
    case "dependency":
      return { ...claim, folder: to.includes("/") ? to.slice(0, to.lastIndexOf("/")) : "" };
    case "path":
    case "symbol":
    case "literal":
    case "value":
    case "config":
      return { ...claim, path: to };
    default:
      return claim;
  }
}

/** The newest version of a file in which a claim held, and the commit that came after it. */
async function lastKept(
  claim: Claim,
  path: string,
  { history, machine }: BreakContext,
): Promise<{ text: string; since: CommitName | undefined } | undefined> {
  const versions = await history.versionsOf(path, MAX_VERSIONS);
  let after: CommitName | undefined;
  for (let i = 0; i < versions.length; i += BATCH) {
    const batch = versions.slice(i, i + BATCH);
    const texts = await history.read(batch.flatMap(({ blob }) => blob ?? []));
    for (const { commit, blob = "" } of batch) {
      const text = texts.get(blob);
      const { state } = await checkClaim(claim, versionTree(path, text), machine);
      if (state === "kept") return { text: text ?? "", since: after };
      after = commit;
    }
  }
  return undefined;
}

async function becameOf(
  claim: Claim,
  finding: Finding,
  kept: { text: string; since: CommitName | undefined } | undefined,
  context: BreakContext,
): Promise<ClaimBreak["became"]> {
  const { tree, history } = context;
  const path = fileOf(claim, tree);
  const read = tree.text(path);
  const now = "text" in read ? read.text : "";
  switch (claim.kind) {
    case "symbol":
    case "value": {
      const symbol = claim.kind === "symbol" ? claim.symbol : claim.name;
      const otherwise = actualClaim(claim, finding);
      if (otherwise || !kept) return otherwise;
      const move = await followSymbol({ path, symbol }, kept.text, kept.since?.id, tree, history);
      if (!move) return undefined;
      const words =
        move.path === path ? `${symbol} is called ${move.symbol} now` : `${symbol} is in ${move.path} now`;
      const there =
        claim.kind === "symbol" ? { ...claim, ...move } : { ...claim, path: move.path, name: move.symbol };
      return becoming(there, words, move.isCertain);
    }
    case "literal": {
      const literal = kept && newLiteral(claim.literal, kept.text, now);
      return literal === undefined
        ? undefined
        : becoming({ ...claim, literal }, `it reads ${JSON.stringify(cutShown(literal, 60))} now`);
    }
    case "script": {
      const name = kept && (await newScript(claim.name, path, kept.text, now));
      return name === undefined
        ? undefined
        : becoming(
            { ...claim, name },
            `the ${claim.isMake ? "target" : "script"} ${claim.name} is called ${name} now`,
          );
    }
    default:
      return actualClaim(claim, finding);
  }
}

const MAX_AROUND = 200;

/** The text between the same words of the same line. Undefined when the line is gone or differs around the literal too. */
function newLiteral(literal: string, before: string, now: string): string | undefined {
  const at = before.indexOf(literal);
  if (at < 0 || literal.includes("\n")) return undefined;
  const lineStart = before.lastIndexOf("\n", at) + 1;
  const end = before.indexOf("\n", at);
  const prefix = before.slice(Math.max(lineStart, at - MAX_AROUND), at);
  const suffix = before
    .slice(at + literal.length, Math.min(end < 0 ? before.length : end, at + literal.length + MAX_AROUND))
    .replace(/\r$/, "");
  if (prefix.trim().length + suffix.trim().length < 4) return undefined;
  const lines = now
    .split(/\r?\n/)
    .filter(
      (line) =>
        line.length > prefix.length + suffix.length && line.startsWith(prefix) && line.endsWith(suffix),
    );
  const found = new Set(lines.map((line) => line.slice(prefix.length, line.length - suffix.length)));
  // Lines that were there before are others of the same form.
  for (const line of before.split(/\r?\n/))
    if (line.startsWith(prefix) && line.endsWith(suffix))
      found.delete(line.slice(prefix.length, line.length - suffix.length));
  const [first] = found;
  return found.size === 1 && first !== undefined && first.trim() !== "" ? first : undefined;
}

function actualClaim(claim: Claim, { actual }: Finding): ClaimBreak["became"] {
  if (actual === undefined || actual.length > 200 || /[\r\n]/.test(actual)) return undefined;
  const shown = actual.slice(0, 60);
  if (claim.kind === "value") return becoming({ ...claim, value: actual }, `${claim.name} is ${shown} now`);
  if (claim.kind === "config")
    return becoming({ ...claim, value: actual }, `${claim.keys.join(".")} is ${shown} now`);
  if (claim.kind === "dependency")
    return becoming({ ...claim, range: actual }, `${claim.name} is at ${shown} now`);
  return undefined;
}

async function newScript(
  name: string,
  file: string,
  before: string,
  now: string,
): Promise<string | undefined> {
  const [old, current] = await Promise.all([readScripts(file, before), readScripts(file, now)]);
  if (!(old instanceof Map) || !(current instanceof Map)) return undefined;
  const command = old.get(name);
  const same = [...current].filter(([other, text]) => text === command && old.get(other) !== text);
  if (same.length === 1) return same[0]?.[0];
  // The command may have changed a little when it was renamed.
  const fresh = [...current.keys()].filter((other) => !old.has(other));
  return fresh.length === 1 && (fresh[0]?.includes(name) || name.includes(fresh[0] ?? "\0"))
    ? fresh[0]
    : undefined;
}

async function explainBranch(
  claim: Extract<Claim, { kind: "branch" }>,
  { history }: BreakContext,
): Promise<Explained> {
  const output = await history.git(["log", "-g", "--all", "-n2000", "--format=%gs"], { okCodes: [0, 128] });
  const marker = `Branch: renamed refs/heads/${claim.name} to refs/heads/`;
  const to = output
    .split("\n")
    .find((line) => line.startsWith(marker))
    ?.slice(marker.length);
  return to === undefined
    ? {}
    : { became: becoming({ ...claim, name: to }, `the branch ${claim.name} was renamed to ${to}`) };
}

const STAMP = { mtimeMs: 0, ctimeMs: 0, sizeBytes: 0, inode: 0 };

/** A tree of one file, as a commit had it: what a claim about that file is checked against. Undefined: not there. */
function versionTree(path: string, text: string | undefined): Tree {
  const isHere = (asked: string): boolean => asked === path && text !== undefined;
  return {
    look: (asked) => (isHere(asked) ? { kind: "file", state: STAMP } : { kind: "missing" }),
    text: (asked) => (isHere(asked) ? { text: text ?? "" } : { missing: true }),
  };
}
