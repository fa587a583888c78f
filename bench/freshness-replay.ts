import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { checkClaim } from "../src/freshness/check-claim.ts";
import type { Machine } from "../src/freshness/verdict.ts";
import { explainBreak } from "../src/freshness/explain-break.ts";
import { isNameGone, namedClaims, proposeClaims } from "../src/freshness/claims-of-text.ts";
import { RepositoryHistory } from "../src/freshness/repository-history.ts";
import { WorkTree } from "../src/freshness/work-tree.ts";
import { parseClaim } from "../src/memory/claims/parse-claim.ts";
import { type Fact, factsOf, factsOfManifest, isTrue, memoryOf } from "./freshness-facts.ts";
import { GitObjects, git } from "./git-objects.ts";
import { SeededRandom } from "./seeded-random.ts";
import { hasGrammar } from "./tree-definitions.ts";
import { trueRename } from "./true-rename.ts";

/** One memory, some time after it was written. */
export interface Outcome {
  /** Something that it says is no longer so. */
  isStale: boolean;
  signals: {
    claims: boolean;
    marks: boolean;
    missing: boolean;
    file: boolean;
    commits: boolean;
    calendar: boolean;
  };
  /** What it says, for a look by eye. */
  facts: Fact[];
  claims: string[];
  where: string;
}

/** One file of a memory that was renamed, and whether the repair names where it went. */
export interface RenameOutcome {
  from: string;
  to: string;
  proposed: string | undefined;
}

export interface Replay {
  outcomes: Outcome[];
  renames: RenameOutcome[];
}

interface ReplayOptions {
  memories: number;
  /** Commits of the history at which memories are written; each memory is looked at again at the next one and at the end. */
  points: number;
  seed: number;
  /** No further commit is begun after so many seconds. */
  seconds: number;
  onProgress: (line: string) => void;
}

interface Written {
  facts: Fact[];
  memory: ReturnType<typeof memoryOf>;
  claims: string[];
}

/** What is so at the end of a span, decided by other means than heed's. */
export interface Truth {
  /** Undefined where those means do not tell. */
  isTrue(fact: Fact): Promise<boolean | undefined>;
  movedTo(path: string): Promise<string | undefined>;
  /** What is easily seen of the files that a memory names. */
  signals(paths: readonly string[]): Pick<Outcome["signals"], "file" | "commits" | "calendar">;
}

/** The calendar of a memory about a project asks after so many days. */
export const CALENDAR_DAYS = 30;
const MAX_TEXT = 200_000;

/** Replays a repository's history in a clone: writes memories at old commits, and looks at them at later ones. */
export async function replayRepository(repository: string, options: ReplayOptions): Promise<Replay> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "heed-replay-")));
  const clone = new Clone(join(folder, "clone"));
  try {
    git(folder, ["clone", "-q", "--no-checkout", "--local", "--", realpathSync(repository), "clone"]);
    return await clone.replay(options);
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
  }
}

/** A clone whose history is gone through. */
export class Clone {
  readonly #root: string;
  readonly #objects: GitObjects;

  constructor(root: string) {
    this.#root = root;
    this.#objects = new GitObjects(root);
  }

  async replay({ memories, points, seed, seconds, onProgress }: ReplayOptions): Promise<Replay> {
    const endAt = performance.now() + seconds * 1000;
    const random = new SeededRandom(seed);
    const line = git(this.#root, ["rev-list", "--first-parent", "--reverse", "HEAD"]).trim().split("\n");
    const replay: Replay = { outcomes: [], renames: [] };
    const end = line.length - 1;
    const stops = [
      ...new Set(Array.from({ length: points }, (_, i) => Math.floor(((i + 1) * end) / (points + 1)))),
    ].filter((stop) => stop < end);
    for (const [i, at] of stops.entries()) {
      if (performance.now() > endAt) {
        onProgress(`stopped after ${seconds} s, at ${i} of ${stops.length} commits`);
        break;
      }
      const extraction = line[at] ?? "";
      const written = await this.write(extraction, memories, random);
      onProgress(`${i + 1} of ${stops.length}: ${written.length} memories at commit ${at + 1} of ${end + 1}`);
      for (const stop of new Set([stops[i + 1] ?? end, end]))
        await this.#lookAgain(written, extraction, line[stop] ?? "", replay);
    }
    return replay;
  }

  async #lookAgain(written: readonly Written[], from: string, to: string, replay: Replay): Promise<void> {
    this.#checkout(to);
    const where = `${from.slice(0, 8)}..${to.slice(0, 8)}`;
    await lookAgain(written, { root: this.#root, origin: from, where, replay }, this.truthAt(from, to));
  }

  /** Writes memories at a commit, through the extraction of claims that a write goes through. */
  async write(extraction: string, count: number, random: SeededRandom): Promise<Written[]> {
    this.#checkout(extraction);
    const files = [...this.#objects.files(extraction).keys()];
    const isSource = (file: string): boolean =>
      hasGrammar(file) || /\.(?:md|json|ya?ml|toml|txt|cfg|ini)$/.test(file);
    const sources = random.sample(files.filter(isSource), count);
    const textAt = (path: string): Promise<string | undefined> => this.#objects.textAt(extraction, path);
    return writeAbout(this.#root, sources.length, random, async (i) => {
      const path = sources[i] ?? "";
      const text = await textAt(path);
      if (text === undefined || text.length > MAX_TEXT || text.includes("\0")) return undefined;
      const own = await factsOf(path, text, random);
      const manifest =
        files.includes("package.json") && random.below(5) === 0
          ? factsOfManifest((await textAt("package.json")) ?? "", random)
          : [];
      const facts = [...random.sample(own, 1 + random.below(2)), ...manifest.slice(0, 1)];
      const truths = await Promise.all(facts.map((fact) => isTrue(fact, textAt)));
      return truths.every((truth) => truth === true) ? facts : undefined;
    });
  }

  /** What is so at a commit, of what was written at an earlier one. */
  truthAt(from: string, to: string): Truth {
    const objects = this.#objects;
    const run = (args: readonly string[]): string => git(this.#root, args);
    const time = (commit: string): number => Number(run(["show", "-s", "--format=%ct", commit]).trim());
    return {
      isTrue: (fact) => isTrue(fact, (path) => objects.textAt(to, path)),
      movedTo: (path) => trueRename({ git: run, objects }, { from, to, path }),
      signals: (paths) => ({
        file: paths.some((path) => objects.files(from).get(path) !== objects.files(to).get(path)),
        commits: run(["rev-list", "-n1", `${from}..${to}`, "--", ...paths]).trim() !== "",
        calendar: time(to) - time(from) > CALENDAR_DAYS * 86_400,
      }),
    };
  }

  #checkout(commit: string): void {
    git(this.#root, ["checkout", "-q", "-f", "--detach", commit]);
    git(this.#root, ["clean", "-q", "-ffdx"]);
  }
}

const machineOf = (root: string): Machine => ({ root, env: process.env, now: new Date() });

/** Writes so many memories about facts of a work tree, with the claims that a write would propose. */
export async function writeAbout(
  root: string,
  count: number,
  random: SeededRandom,
  factsAt: (i: number) => Promise<Fact[] | undefined>,
): Promise<Written[]> {
  const files = new Set(git(root, ["ls-files"]).trim().split("\n"));
  const context = { tree: new WorkTree(root), machine: machineOf(root), roots: [root], files };
  const written: Written[] = [];
  for (let i = 0; i < count; i++) {
    const facts = await factsAt(i);
    if (facts === undefined) continue;
    const memory = memoryOf(facts, random);
    written.push({ facts, memory, claims: await proposeClaims(memory, context) });
  }
  return written;
}

interface Looking {
  tree: WorkTree;
  history: RepositoryHistory;
  machine: Machine;
  origin: string;
}

/** Looks at memories that were written at `origin` in the work tree as it is now. */
export async function lookAgain(
  written: readonly Written[],
  { root, origin, where, replay }: { root: string; origin: string; where: string; replay: Replay },
  truth: Truth,
): Promise<void> {
  const tree = new WorkTree(root);
  const machine = machineOf(root);
  const looking = { tree, machine, origin, history: new RepositoryHistory(root, process.env) };
  for (const { facts, memory, claims } of written) {
    const truths = await Promise.all(facts.map((fact) => truth.isTrue(fact)));
    if (truths.includes(undefined)) continue;
    let isFlagged = false;
    const gone = new Set<string>();
    for (const stated of claims) {
      const { claim } = parseClaim(stated);
      if (!claim || (await checkClaim(claim, tree, machine)).state !== "broken") continue;
      isFlagged = true;
      if (!("path" in claim) || gone.has(claim.path) || tree.look(claim.path).kind !== "missing") continue;
      gone.add(claim.path);
      const to = await truth.movedTo(claim.path);
      // What was inside of it may have gone elsewhere: asked is where the file went.
      if (to !== undefined)
        replay.renames.push({ from: claim.path, to, proposed: await followedTo(claim.path, looking) });
    }
    const paths = new Set(facts.map((fact) => ("path" in fact ? fact.path : "package.json")));
    replay.outcomes.push({
      isStale: truths.includes(false),
      signals: {
        claims: isFlagged,
        ...(await namedSignals(memory, looking)),
        ...truth.signals([...paths]),
      },
      facts,
      claims,
      where,
    });
  }
}

async function followedTo(path: string, looking: Looking): Promise<string | undefined> {
  const bare = parseClaim(`path:${path}`).claim;
  if (!bare) return undefined;
  const found = await explainBreak(bare, await checkClaim(bare, looking.tree, looking.machine), looking);
  const became = found.became && parseClaim(found.became.claim).claim;
  return became && "path" in became ? became.path : undefined;
}

/** Whether a file that a text names, claimed or not, is missing; and whether something that it names is marked as gone. */
async function namedSignals(
  { statement, body }: Written["memory"],
  looking: Looking,
): Promise<{ missing: boolean; marks: boolean }> {
  const signals = { missing: false, marks: false };
  for (const name of namedClaims(`${statement}\n\n${body}`, looking.tree, [])) {
    const { claim } = parseClaim(name);
    if (!claim || claim.kind === "until") continue;
    const finding = await checkClaim(claim, looking.tree, looking.machine);
    if (!isNameGone({ claim: name, ...finding }, looking.tree)) continue;
    if (claim.kind === "path") signals.missing = true;
    const { since, became, moved } = await explainBreak(claim, finding, looking);
    if (since ?? became ?? moved) signals.marks = true;
  }
  return signals;
}
