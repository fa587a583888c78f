import { relative } from "node:path";
import type { CheckDiffRequest, DiffFinding, DiffReport, RuleChange } from "../api/maintenance-reports.ts";
import type { Place } from "../place/place.ts";
import { ClaimChecker } from "../claims/claim-checker.ts";
import { requireMayWrite } from "../writing/write-consent.ts";
import { MemoryWriter } from "../writing/memory-writer.ts";
import { checkStores } from "./check-stores.ts";
import { isAnotherValue } from "./verify-memory.ts";
import { nearestOf } from "../../curate/duplicate-gate.ts";
import { invalidInput } from "../../errors/heed-error.ts";
import { checkClaim } from "../../freshness/check-claim.ts";
import { explainBreak } from "../../freshness/explain-break.ts";
import { proposeClaims } from "../../freshness/propose-claims.ts";
import { proposeRepair, type RepairedText } from "../../freshness/propose-repair.ts";
import { StepHistory, withTexts } from "../../freshness/revision-tree.ts";
import type { BrokenClaim } from "../../freshness/verdict.ts";
import { breakWords } from "../../freshness/verdict.ts";
import { runGit } from "../../git/run-git.ts";
import { describeWholeGuard, parseGuards } from "../../guard/parse-guards.ts";
import { type Claim, parseClaim, pathOfClaim } from "../../memory/claims/parse-claim.ts";
import { amendMemory, type MemoryAmendment } from "../../memory/codec/amend-memory.ts";
import { lineOfKey, splitFrontMatter } from "../../memory/codec/front-matter.ts";
import { isoSeconds } from "../../memory/codec/read-fields.ts";
import type { Actor, StoreRef } from "../../memory/memory.ts";
import { takesForce } from "../../memory/memory-type.ts";
import { parseMemoryFile, type StoredMemory } from "../../store/files/scan-store.ts";
import { unifiedDiff } from "../../store/history/unified-diff.ts";

/** Of so many files that differ the texts are read at once; of others as they are asked for. */
const MAX_READ_AHEAD = 5_000;

/** A memory as the diff leaves it, with its text. */
interface Subject extends StoredMemory {
  store: StoreRef;
  /** Path in the repository. */
  path: string;
  text: string;
  /** As it was before; undefined for a new one. */
  before: string | undefined;
}

interface Step {
  root: string;
  base: string;
  head: { id: string; time: string };
  /** Staged changes have no commit yet. */
  isStaged: boolean;
}

/**
 * What a change of the repository does to the memories that it holds: the claims that held before it and do not hold
 * after it, with their repair; rules and guards that it brings, changes or removes; and what is wrong with the memory
 * files that it touches. The change is one step, from where the branch left `base` to HEAD, or from HEAD to what is staged.
 *
 * @throws HeedError `invalid-input` outside of a repository, or when `base` names no commit here.
 */
export async function checkDiff(place: Place, request: CheckDiffRequest, actor: Actor): Promise<DiffReport> {
  if (request.isFixed) requireMayWrite(place, actor);
  const step = await stepOf(place, request);
  const history = new StepHistory({ root: step.root, env: place.env }, { base: step.base, head: step.head });
  const [before, after] = await history.trees();
  const changed = new Set((await history.changes()).map(({ path }) => path));
  for (const tree of [before, after]) {
    tree.want([...changed].slice(0, MAX_READ_AHEAD));
    await tree.load();
  }
  const stores = place.stores.filter(({ kind }) => kind === "project");
  const report: DiffReport = {
    base: step.base,
    head: step.isStaged ? "staged" : step.head.id,
    rules: [],
    findings: [],
    patch: "",
    fixed: [],
    errors: 0,
    warnings: 0,
  };
  for (const store of stores) {
    const folder = relative(step.root, store.root).replaceAll("\\", "/");
    const files = [...new Set([...before.files, ...after.files])].filter(
      (file) =>
        file.startsWith(`${folder}/`) &&
        /\.(md|markdown)$/i.test(file) &&
        !file.slice(folder.length + 1).startsWith("."),
    );
    const texts = await history.textsAt(
      files.flatMap((file) => [`${step.base}:${file}`, `${step.head.id}:${file}`]),
    );
    const parse = (path: string, text: string): StoredMemory | undefined =>
      parseMemoryFile(store, path.slice(folder.length + 1), text, place.types).memory;
    const subjects = files.flatMap((path): Subject[] => {
      const text = texts.get(`${step.head.id}:${path}`);
      const memory = text === undefined ? undefined : parse(path, text);
      return memory && text !== undefined
        ? [{ ...memory, store, path, text, before: texts.get(`${step.base}:${path}`) }]
        : [];
    });
    report.rules.push(
      ...ruleChanges(
        place,
        files.filter((file) => changed.has(file)),
        { step, texts, parse },
      ),
    );
    const live = subjects.filter(({ metadata }) => metadata.status !== "superseded");
    const broken = await withTexts([before, after], live, (subject) =>
      brokenBy(place, subject, { step, history }),
    );
    for (const [subject, { claims, implied }] of broken) {
      if (claims.length + implied.length === 0) continue;
      report.findings.push(...[...claims, ...implied].map((claim) => claimFinding(subject, claim, changed)));
      await addRepair(place, report, { subject, claims, implied, request, actor });
    }
    report.findings.push(...newcomers(place, live, changed));
    const checked = (await checkStores(place)).stores.find((one) => one.store.id === store.id);
    for (const { file, ...problem } of checked?.problems ?? [])
      if (changed.has(`${folder}/${file}`)) report.findings.push({ path: `${folder}/${file}`, ...problem });
  }
  report.errors = report.findings.filter(({ severity }) => severity === "error").length;
  report.warnings = report.findings.length - report.errors;
  return report;
}

async function stepOf(
  { cwd, env, repository }: Place,
  { base, isStaged = false }: CheckDiffRequest,
): Promise<Step> {
  if (!repository) throw invalidInput("base", base, "there is no git repository here, so nothing to compare");
  const { root } = repository;
  const git = async (...args: string[]): Promise<string> =>
    (await runGit(args, { cwd: root, env, okCodes: [0, 1, 128] })).stdout.trim();
  const commit = (revision: string): Promise<string> =>
    git("rev-parse", "--quiet", "--verify", "--end-of-options", `${revision}^{commit}`);
  // Before the first commit there is the empty tree.
  const from = (await commit(base ?? "HEAD")) || (isStaged ? await git("mktree") : "");
  if (from === "")
    throw invalidInput(
      "base",
      base,
      `"${base ?? "HEAD"}" names no commit in ${cwd}: fetch it first (git fetch --depth=1 origin BRANCH)`,
    );
  const time = new Date().toISOString();
  if (isStaged) return { root, base: from, head: { id: await git("write-tree"), time }, isStaged };
  const head = await commit("HEAD");
  // A shallow clone may not reach the commit where the branch began: then the base itself is compared with.
  return { root, base: (await git("merge-base", from, head)) || from, head: { id: head, time }, isStaged };
}

/** Broken claims of a memory that held before the step, and those of its own new text that do not hold at all. */
async function brokenBy(
  place: Place,
  { metadata, body, before: old, text }: Subject,
  { step, history }: { step: Step; history: StepHistory },
): Promise<{ claims: BrokenClaim[]; implied: BrokenClaim[] }> {
  const [before, after] = await history.trees();
  const machine = new ClaimChecker(place).machineOf(undefined);
  const isNew = old !== text;
  const look = async (texts: readonly string[], isOwn: boolean): Promise<BrokenClaim[]> => {
    const found: BrokenClaim[] = [];
    for (const claimText of texts) {
      const { claim } = parseClaim(claimText);
      if (!claim || isAboutMachine(claim)) continue;
      const now = await checkClaim(claim, after, machine);
      if (now.state !== "broken") continue;
      const held = (await checkClaim(claim, before, machine)).state === "kept";
      if (!held && !(isOwn && isNew)) continue;
      const { since: _, ...why } = held
        ? await explainBreak(claim, now, { tree: after, history, machine, origin: undefined })
        : { claim: claimText };
      found.push({ ...now, ...why, claim: claimText, ...(claim.isInvariant && { isViolated: true }) });
    }
    return found;
  };
  const claims = await look(metadata.claims, true);
  const kept = new Set(metadata.claims.map((claim) => claim.replace(/^must:/, "")));
  const named = await proposeClaims(
    { description: metadata.description, body },
    { tree: before, machine, roots: [step.root], files: before.files },
  );
  const isNamedAlready = (claim: string): boolean =>
    kept.has(claim) || (claim.startsWith("path:") && [...kept].some((one) => one.startsWith(claim)));
  const implied = await look(
    named.filter((claim) => !isNamedAlready(claim)),
    false,
  );
  return { claims, implied };
}

/** Not about the files of the repository: no diff makes it false. */
function isAboutMachine({ kind }: Claim): boolean {
  return kind === "branch" || kind === "command" || kind === "until";
}

function claimFinding(
  { path, text, metadata }: Subject,
  broken: BrokenClaim,
  changed: ReadonlySet<string>,
): DiffFinding {
  const { claim } = parseClaim(broken.claim);
  const named = (claim && pathOfClaim(claim)) ?? broken.claim;
  const at = text.indexOf(named, Math.max(0, text.indexOf("\n---", 3)));
  const line = at < 0 ? lineOfKey(splitFrontMatter(text), "claims") : text.slice(0, at).split("\n").length;
  const finding = {
    path,
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
    remedy: isAnotherValue(broken)
      ? `say which of the two is right: change ${path}, or put the value back`
      : broken.became
        ? `heed check --fix writes ${broken.became.claim}`
        : `change what ${path} says of it, or remove the memory`,
  };
}

/** Proposes the repair of a memory as a patch, and makes it where that was asked for. */
async function addRepair(
  place: Place,
  report: DiffReport,
  {
    subject,
    claims,
    implied,
    request,
    actor,
  }: {
    subject: Subject;
    claims: readonly BrokenClaim[];
    implied: readonly BrokenClaim[];
    request: CheckDiffRequest;
    actor: Actor;
  },
): Promise<void> {
  const { metadata, body, text, path } = subject;
  if (metadata.section !== undefined) return;
  const before: RepairedText = {
    description: metadata.description,
    body,
    claims: [...metadata.claims, ...implied.map(({ claim }) => claim)],
  };
  // Which of the two is right where a value differs is for a person to say.
  const { text: after, steps } = proposeRepair(
    before,
    [...claims, ...implied].filter((claim) => !isAnotherValue(claim)),
  );
  if (steps.length === 0) return;
  const own = after.claims.filter(
    (claim) =>
      metadata.claims.includes(claim) ||
      steps.some(({ was, becomes }) => becomes === claim && metadata.claims.includes(was)),
  );
  const changes: MemoryAmendment = {
    ...(after.description !== metadata.description && { description: after.description }),
    ...(after.body !== body && { body: after.body }),
    ...(own.join("\n") !== metadata.claims.join("\n") && { claims: own }),
  };
  if (Object.keys(changes).length === 0) return;
  report.patch += unifiedDiff(text, amendMemory(text, changes), { before: path, after: path });
  if (!request.isFixed) return;
  const words = [...new Set(steps.map((step) => step.words))].join("; ");
  await new MemoryWriter(place, actor).amend(
    subject,
    { ...changes, updated: isoSeconds(place.now()) },
    { kind: "repair", why: `repaired: ${words}`.slice(0, 500) },
  );
  report.fixed.push(metadata.name);
}

function ruleChanges(
  place: Place,
  files: readonly string[],
  {
    step,
    texts,
    parse,
  }: {
    step: Step;
    texts: ReadonlyMap<string, string>;
    parse: (path: string, text: string) => StoredMemory | undefined;
  },
): RuleChange[] {
  return files.flatMap((path): RuleChange[] => {
    const sides = [step.base, step.head.id].map((revision) => {
      const text = texts.get(`${revision}:${path}`);
      const memory = text === undefined ? undefined : parse(path, text);
      const isInForce = memory !== undefined && takesForce(memory.metadata, place.types);
      return { text: text ?? null, metadata: isInForce ? memory.metadata : undefined };
    });
    const [was, is] = sides;
    const metadata = is?.metadata ?? was?.metadata;
    if (!metadata || was?.text === is?.text) return [];
    return [
      {
        path,
        name: metadata.name,
        change: !is?.metadata ? "removed" : was?.metadata ? "changed" : "new",
        statement: metadata.description,
        stops: parseGuards(is?.metadata?.guard).guards.map(({ guard }) => describeWholeGuard(guard)),
        diff: unifiedDiff(was?.text ?? null, is?.text ?? null, { before: path, after: path }),
      },
    ];
  });
}

/** What is to be said of memories that the change brings: those like one that is there, and those about a person. */
function newcomers(place: Place, live: readonly Subject[], changed: ReadonlySet<string>): DiffFinding[] {
  return live
    .filter(({ path }) => changed.has(path))
    .flatMap((subject): DiffFinding[] => {
      const { metadata, path, before } = subject;
      const at = { path, line: 1, severity: "warning" as const, memory: metadata.name };
      const isPersonal = place.types.get(metadata.type)?.needs.includes("confirmation") === true;
      const others = live.filter((other) => other !== subject).map((other) => other.metadata);
      const near = before === undefined ? nearestOf(metadata, others) : [];
      return [
        ...(isPersonal
          ? [
              {
                ...at,
                code: "about-a-person",
                message: `${metadata.name} is about a person, and this store is shared: ${metadata.description}`,
                remedy: "keep it in that person's own store, or ask them",
              },
            ]
          : []),
        ...near.slice(0, 1).map(({ other }) => ({
          ...at,
          code: "resembles",
          message: `${metadata.name} resembles ${other.name}: "${other.description}"`,
          remedy: "change that one instead, or link the two",
        })),
      ];
    });
}
