import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { type DiffFinding, placeFindings, ruleChanges, settingsChange, textIn } from "./force-changes.ts";
import type { Place } from "../here/place.ts";
import { ClaimChecker } from "../here/claims/claim-checker.ts";
import { isUsersToChange, requireMayWrite } from "../write/write-consent.ts";
import { MemoryWriter } from "../write/memory-writer.ts";
import { checkAmong, checkFile } from "./check-stores.ts";
import { hasAnotherValue } from "./verify-memory.ts";
import { invalidInput, type Problem } from "../machine/heed-error.ts";
import { readRegularBytes } from "../machine/regular-file.ts";
import { checkClaim } from "../freshness/check-claim.ts";
import { explainBreak } from "../freshness/explain-break.ts";
import { proposeClaims } from "../freshness/claims-of-text.ts";
import { proposeRepair } from "../freshness/propose-repair.ts";
import { StepHistory } from "../freshness/repository-history.ts";
import { type BrokenClaim, type ClaimBreak, type Tree, breakWords } from "../freshness/verdict.ts";
import { commitOf, type Git } from "../machine/blobs.ts";
import { runGit } from "../machine/run-git.ts";
import { parseClaim, pathOfClaim } from "../memory/claims/parse-claim.ts";
import { amendMemory } from "../memory/codec/encode-memory.ts";
import { lineOfKey, splitFrontMatter } from "../memory/codec/front-matter.ts";
import { isoSeconds } from "../machine/read-fields.ts";
import { type Actor, type StoreRef, isMemoryFile } from "../memory/memory.ts";
import { CONFIG_FILE } from "../store/config/store-config.ts";
import type { StoredMemory } from "../store/files/scan-store.ts";
import { isReadInStore, MAX_FILE_BYTES, parseMemoryFile } from "../store/files/scan-store.ts";
import { unifiedDiff } from "../store/history/unified-diff.ts";
import type { TrustEntry } from "../here/consent/trust-entries.ts";

/** Of so many files that differ the texts are read at once; of others as they are asked for. */
const MAX_READ_AHEAD = 5_000;

/** What a change of the repository is compared with. */
export interface CheckDiffRequest {
  /** A commit, branch or tag; default: HEAD. */
  base?: string;
  /** What is staged is compared with HEAD, not HEAD with `base`. */
  isStaged?: boolean;
  /** Make the repairs; default: only propose them as a patch. */
  isFixed?: boolean;
}

/** What a change of the repository does to its memories. */
export interface DiffReport {
  /** The commit that is compared with: where the branch left the base. */
  base: string;
  /** A commit, or `staged`. */
  head: string;
  /** Rules and guards that it brings, changes or removes. */
  rules: TrustEntry[];
  findings: DiffFinding[];
  /** The repair of what can be repaired, for `git apply`. */
  patch: string;
  /** The memories that were repaired. */
  fixed: string[];
  errors: number;
  warnings: number;
}

/** The index of a repository with a million files has a hundred megabytes. */
const INDEX = { maxBytes: 512 * 1024 * 1024 };

interface Step {
  root: string;
  history: StepHistory;
  report: DiffReport;
  fixer: Actor | undefined;
}

interface Subject extends StoredMemory {
  store: StoreRef;
  path: string;
  text: string;
  old: string | undefined;
}

/** The folder of a store in the repository, and the file in it; no file where something else has the folder's place. */
const STORE_PATH = /^((?:.*\/)?\.heed)(?:\/(.+))?$/s;

/** Compares two commits, or HEAD and what is staged, as one step. @throws HeedError `invalid-input` without repository or base. */
export async function checkDiff(place: Place, request: CheckDiffRequest, actor: Actor): Promise<DiffReport> {
  if (request.isFixed) requireMayWrite(place, actor);
  const { root, base, head } = await endsOf(place, request);
  const history = await StepHistory.open(root, place.env, { base, head });
  const { before, after, changed } = history;
  const stores = new Map<string, string[]>();
  for (const path of new Set([...before.files, ...after.files])) {
    const [, folder, file = ""] = STORE_PATH.exec(path) ?? [];
    if (folder === undefined) continue;
    const paths = stores.get(folder) ?? [];
    stores.set(folder, paths);
    if (file === CONFIG_FILE || (isMemoryFile(basename(file)) && isReadInStore(file))) paths.push(path);
  }
  const readAhead = [...changed].slice(0, MAX_READ_AHEAD).concat(...stores.values());
  await history.withTexts(() => [before, after].map((tree) => readAhead.map((path) => tree.text(path))));
  const empty = { rules: [], findings: [], patch: "", fixed: [], errors: 0, warnings: 0 };
  const report: DiffReport = { base, head: request.isStaged ? "staged" : head.id, ...empty };
  const step: Step = { root, history, report, fixer: request.isFixed ? actor : undefined };
  for (const [folder, paths] of stores) {
    // A package of a large repository may have a store of its own.
    const here = place.at(join(root, dirname(folder)));
    const known = here.stores.find((store) => store.kind === "project" && store.root === join(root, folder));
    const store = known ?? { ...NOT_HERE, id: folder, root: join(root, folder) };
    report.findings.push(...placeFindings(folder, [...stores.keys()], [before, after]));
    await checkStoreOf(here, store, { folder, paths }, step);
  }
  report.errors = report.findings.filter(({ severity }) => severity === "error").length;
  report.warnings = report.findings.length - report.errors;
  return report;
}

const NOT_HERE = { kind: "project", isTrusted: false, isReadOnly: true } as const;

async function endsOf(
  { cwd, env, repository, places }: Place,
  { base, isStaged = false }: CheckDiffRequest,
): Promise<{ root: string; base: string; head: { id: string; time: string } }> {
  const refusal = (why: string): Error => invalidInput("base", base, why);
  if (!repository) throw refusal("there is no git repository here, so nothing to compare");
  const { root, gitDir } = repository;
  const git: Git = (args, options) => runGit(args, { cwd: root, env, ...options });
  const textOf = async (...asked: Parameters<Git>): Promise<string> => (await git(...asked)).stdout.trim();
  // Before the first commit there is the empty tree.
  const from = (await commitOf(git, base ?? "HEAD")) ?? (isStaged ? await textOf(["mktree"]) : undefined);
  if (from === undefined)
    throw refusal(
      `"${base ?? "HEAD"}" names no commit in ${cwd}: fetch it first (git fetch --depth=1 origin BRANCH)`,
    );
  const time = new Date().toISOString();
  if (isStaged) {
    // Git hands a hook the index of its commit, and locks its own: a copy is free.
    const index = resolve(root, env["GIT_INDEX_FILE"] || join(gitDir, "index"));
    const indexFile = join(places.cache, `index-${process.pid}`);
    try {
      mkdirSync(places.cache, { recursive: true, mode: 0o700 });
      if (existsSync(index)) writeFileSync(indexFile, readRegularBytes(index, INDEX), { mode: 0o600 });
      return { root, base: from, head: { id: await textOf(["write-tree"], { indexFile }), time } };
    } finally {
      rmSync(indexFile, { force: true });
    }
  }
  const head = await commitOf(git, "HEAD");
  if (head === undefined)
    throw refusal("nothing is committed here yet: heed check --staged checks the first commit");
  // A shallow clone may not reach the commit where the branch began: then the base itself is compared with.
  const shared = await textOf(["merge-base", from, head], { mayAnswerNo: true });
  return { root, base: shared || from, head: { id: head, time } };
}

async function checkStoreOf(
  place: Place,
  store: StoreRef,
  { folder, paths }: { folder: string; paths: readonly string[] },
  step: Step,
): Promise<void> {
  const { history, report } = step;
  const { changed } = history;
  const trees = [history.before, history.after] as const;
  const pathOf = (file: string): string => `${folder}/${file}`;
  const settings = settingsChange(pathOf(CONFIG_FILE), trees, place.types);
  if (changed.has(pathOf(CONFIG_FILE))) report.findings.push(...settings.findings);
  const [typesBefore, types] = settings.types;
  const texts = new Map<string, string>();
  const before = new Map<string, string>();
  const problems: Problem[] = [];
  const subjects: Subject[] = [];
  // Of two files with one name or id, the newcomer is the one too many.
  for (const path of paths.toSorted((a, b) => Number(changed.has(a)) - Number(changed.has(b)))) {
    const file = path.slice(pathOf("").length);
    if (file === CONFIG_FILE) continue;
    const [was, is] = trees.map((tree) => textIn(tree, path, MAX_FILE_BYTES));
    const [old, text] = [was, is].map((side) => (side && "text" in side ? side.text : undefined));
    if (old !== undefined) before.set(file, old);
    if (is && "why" in is) {
      const message = `it cannot be read as a memory: ${is.why}`;
      const remedy = "put a file in its place, or split it";
      problems.push({ file, line: 1, severity: "error", code: "not-read", message, remedy });
    }
    if (text === undefined) continue;
    texts.set(file, text);
    const read = parseMemoryFile(store, file, text, types);
    problems.push(...(await checkFile(place, read, { file, text, store, types })));
    subjects.push(...read.memories.map((memory) => ({ ...memory, store, path, text, old })));
  }
  const sides = [
    { files: before, types: typesBefore },
    { files: texts, types },
  ] as const;
  const { rules, findings } = ruleChanges(store, ...sides, place.now());
  report.rules.push(...rules.map((rule) => ({ ...rule, file: pathOf(rule.file) })));
  report.findings.push(...findings.map((one) => ({ ...one, file: pathOf(one.file) })));
  const live = subjects.filter(({ metadata }) => metadata.status !== "superseded");
  for (const subject of live) {
    const broken = await history.withTexts(() => brokenBy(place, subject, step));
    report.findings.push(...broken.map((claim) => claimFinding(subject, claim, step)));
    await addRepair(place, subject, broken, step);
  }
  for (const { path: file, metadata } of live.filter(({ path }) => changed.has(path))) {
    const { name: memory, type, statement } = metadata;
    if (!types.get(type)?.needs.includes("confirmation")) continue;
    const message = `${memory} is about a person, and this store is shared: ${statement}`;
    const remedy = "keep it in that person's own store, or ask them";
    const finding = { file, line: 1, severity: "warning", code: "about-a-person", message, remedy } as const;
    report.findings.push({ ...finding, memory });
  }
  const all = subjects.map(({ metadata }) => metadata);
  problems.push(...checkAmong(all, all, (file) => texts.get(file) ?? ""));
  for (const problem of problems.map((one) => ({ ...one, file: pathOf(one.file) })))
    if (changed.has(problem.file)) report.findings.push(problem);
}

/** Broken claims of a memory that held before the step, and those of its own new text that do not hold at all. */
async function brokenBy(
  place: Place,
  { metadata: { claims, statement }, body, old, text }: Subject,
  { root, history }: Step,
): Promise<BrokenClaim[]> {
  const machine = new ClaimChecker(place).machineOf(undefined);
  const { before, after, changed } = history;
  // A file that is the same in both says the same of every claim: none of these is read.
  const look = before.look.bind(before);
  const textOf: Tree["text"] = (path) => (changed.has(path) ? before.text(path) : { missing: true });
  const context = { tree: { look, text: textOf }, machine, roots: [root], files: before.files };
  const kept = claims.map((claim) => claim.replace(/^must:/, ""));
  const named = (await proposeClaims({ statement, body }, context)).filter(
    (claim) => !kept.some((one) => one === claim || (claim.startsWith("path:") && one.startsWith(claim))),
  );
  const found: BrokenClaim[] = [];
  for (const words of [...claims, ...named]) {
    const { claim } = parseClaim(words);
    // No diff makes false what is not about the files of the repository.
    if (!claim || ["branch", "command", "until"].includes(claim.kind)) continue;
    const path = pathOfClaim(claim) ?? "";
    if (old === text && before.files.has(path) && !changed.has(path)) continue;
    const now = await checkClaim(claim, after, machine);
    if (now.state !== "broken") continue;
    const held = (await checkClaim(claim, before, machine)).state === "kept";
    if (!held && (old === text || !claims.includes(words))) continue;
    const isExplained = held || now.isAway;
    const {
      since: _,
      elsewhere,
      ...why
    }: ClaimBreak = isExplained ? await explainBreak(claim, now, { tree: after, history, machine }) : {};
    // What this step takes away may be on branches of others still.
    if (elsewhere !== undefined && !held) continue;
    found.push({ ...now, ...why, claim: words, ...(claim.isInvariant && { isViolated: true }) });
  }
  return found;
}

function claimFinding(
  { path, text, metadata }: Subject,
  broken: BrokenClaim,
  { history: { changed } }: Step,
): DiffFinding {
  const { claim } = parseClaim(broken.claim);
  const named = (claim && pathOfClaim(claim)) ?? broken.claim;
  const at = text.indexOf(named, Math.max(0, text.indexOf("\n---", 3)));
  const line = at < 0 ? lineOfKey(splitFrontMatter(text), "claims") : text.slice(0, at).split("\n").length;
  const finding = {
    file: path,
    line,
    severity: "error" as const,
    memory: metadata.name,
    claim: broken.claim,
    ...(broken.became && { becomes: broken.became.claim }),
  };
  if (broken.isViolated)
    return {
      ...finding,
      code: "breaks-requirement",
      message: `${metadata.name} says what must be, and this change breaks it: ${breakWords(broken)}`,
      remedy: `put it back, or, if the requirement itself changed, change ${path} in the same commit`,
    };
  return {
    ...finding,
    code: changed.has(path) ? "does-not-hold" : "made-false",
    message: `${metadata.name} is not true: ${breakWords(broken)}`,
    remedy: hasAnotherValue(broken)
      ? `say which of the two is right: change ${path}, or put the value back`
      : broken.became
        ? `the repair writes ${broken.became.claim}: run heed check --fix with the same --base or --staged`
        : `correct what ${path} says about it, or remove the memory`,
  };
}

async function addRepair(
  place: Place,
  subject: Subject,
  broken: readonly BrokenClaim[],
  { report, fixer }: Step,
): Promise<void> {
  const { metadata, body, text, path } = subject;
  const said = { statement: metadata.statement, body, claims: metadata.claims };
  // Which of the two is right where a value differs is for a person to say.
  const { changes, steps } = proposeRepair(
    said,
    broken.filter((claim) => !hasAnotherValue(claim)),
  );
  if (metadata.section !== undefined || Object.keys(changes).length === 0) return;
  report.patch += unifiedDiff(text, amendMemory(text, changes), { before: path, after: path });
  if (!fixer || isUsersToChange(place, fixer, metadata)) return;
  const why = `repaired: ${[...new Set(steps.map(({ words }) => words))].join("; ")}`.slice(0, 500);
  const fields = { ...changes, updated: isoSeconds(place.now()) };
  await new MemoryWriter(place, fixer).amend(subject, fields, { kind: "repair", why });
  report.fixed.push(metadata.name);
}
