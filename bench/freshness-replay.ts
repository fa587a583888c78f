import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { checkClaim } from "../src/freshness/check-claim.ts";
import type { Machine } from "../src/freshness/verdict.ts";
import { explainBreak } from "../src/freshness/explain-break.ts";
import { isNameGone, namedClaims } from "../src/freshness/named-claims.ts";
import { proposeClaims } from "../src/freshness/propose-claims.ts";
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
  /** Where and when, for a look by eye. */
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

export interface ReplayOptions {
  /** Memories per span. Default 40. */
  memories?: number;
  /** Commits of the history at which memories are written; each memory is looked at again at the next one and at the end. Default 4. */
  points?: number;
  seed?: number;
  /** No further commit is begun after so many seconds. Default 600. */
  seconds?: number;
  /** Told what is being done. */
  onProgress?: (line: string) => void;
}

/** The text of a memory. */
export type Named = ReturnType<typeof memoryOf>;

export interface Written {
  facts: Fact[];
  memory: Named;
  claims: string[];
}

/** The calendar of a memory about a project asks after so many days. */
const CALENDAR_DAYS = 30;
const MAX_TEXT = 200_000;

/** Replays a repository's history in a clone: writes memories at old commits, and looks at them at later ones. */
export async function replayRepository(repository: string, options: ReplayOptions = {}): Promise<Replay> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "heed-replay-")));
  const clone = new Clone(join(folder, "clone"));
  try {
    git(folder, ["clone", "-q", "--no-checkout", "--local", "--", realpathSync(repository), "clone"]);
    return await clone.replay({
      memories: 40,
      points: 4,
      seed: 1,
      seconds: 600,
      onProgress: () => undefined,
      ...options,
    });
  } finally {
    clone.close();
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

  close(): void {
    this.#objects.close();
  }

  async replay({ memories, points, seed, seconds, onProgress }: Required<ReplayOptions>): Promise<Replay> {
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
        await this.#lookAgain(written, { extraction, target: line[stop] ?? "", replay });
    }
    return replay;
  }

  /** Writes memories at a commit, through the extraction of claims that a write goes through. */
  async write(extraction: string, count: number, random: SeededRandom): Promise<Written[]> {
    this.#checkout(extraction);
    const files = [...this.#objects.files(extraction).keys()];
    const sources = files.filter(
      (file) => hasGrammar(file) || /\.(?:md|json|ya?ml|toml|txt|cfg|ini)$/.test(file),
    );
    const known = new Set(files);
    const context = {
      tree: new WorkTree(this.#root),
      machine: this.#machine(),
      roots: [this.#root],
      files: known,
    };
    const written: Written[] = [];
    for (const path of random.sample(sources, count)) {
      const text = await this.#objects.textAt(extraction, path);
      if (text === undefined || text.length > MAX_TEXT || text.includes("\0")) continue;
      const own = await factsOf(path, text, random);
      const manifest =
        known.has("package.json") && random.below(5) === 0
          ? factsOfManifest((await this.#objects.textAt(extraction, "package.json")) ?? "", random)
          : [];
      const facts = [...random.sample(own, 1 + random.below(2)), ...manifest.slice(0, 1)];
      const truths = await this.#truths(facts, extraction);
      if (truths.some((truth) => truth !== true)) continue;
      const memory = memoryOf(facts, random);
      written.push({ facts, memory, claims: await proposeClaims(memory, context) });
    }
    return written;
  }

  async #lookAgain(
    written: readonly Written[],
    { extraction, target, replay }: { extraction: string; target: string; replay: Replay },
  ): Promise<void> {
    this.#checkout(target);
    const tree = new WorkTree(this.#root);
    const machine = this.#machine();
    const history = new RepositoryHistory(this.#root, process.env);
    const days = (this.#time(target) - this.#time(extraction)) / 86_400_000;
    const [before, after] = [this.#objects.files(extraction), this.#objects.files(target)];
    const touched = this.#touched(extraction, target, [
      ...new Set(written.flatMap(({ facts }) => facts.map(pathOf))),
    ]);
    for (const { facts, memory, claims } of written) {
      const truths = await this.#truths(facts, target);
      if (truths.includes(undefined)) continue;
      const paths = [...new Set(facts.map(pathOf))];
      let isFlagged = false;
      const gone = new Set<string>();
      for (const stated of claims) {
        const { claim } = parseClaim(stated);
        if (!claim) continue;
        const finding = await checkClaim(claim, tree, machine);
        if (finding.state !== "broken") continue;
        isFlagged = true;
        if (!("path" in claim) || gone.has(claim.path) || tree.look(claim.path).kind !== "missing") continue;
        gone.add(claim.path);
        const to = await trueRename(
          { git: (args) => git(this.#root, args), objects: this.#objects },
          { from: extraction, to: target, path: claim.path },
        );
        if (to === undefined) continue;
        // What was inside of it may have gone elsewhere: asked is where the file went.
        const proposed = await this.#followedTo(claim.path, { tree, history, machine, extraction });
        replay.renames.push({ from: claim.path, to, proposed });
      }
      replay.outcomes.push({
        isStale: truths.includes(false),
        signals: {
          claims: isFlagged,
          ...(await namedSignals(memory, { tree, history, machine, origin: extraction })),
          file: paths.some((path) => before.get(path) !== after.get(path)),
          commits: paths.some((path) => touched.has(path)),
          calendar: days > CALENDAR_DAYS,
        },
        facts,
        claims,
        where: `${extraction.slice(0, 8)}..${target.slice(0, 8)}`,
      });
    }
  }

  /** Where heed says that a file went. */
  async #followedTo(
    path: string,
    context: { tree: WorkTree; history: RepositoryHistory; machine: Machine; extraction: string },
  ): Promise<string | undefined> {
    const bare = parseClaim(`path:${path}`).claim;
    if (!bare) return undefined;
    const found = await explainBreak(bare, await checkClaim(bare, context.tree, context.machine), {
      ...context,
      origin: context.extraction,
    });
    const became = found.became && parseClaim(found.became.claim).claim;
    return became && "path" in became ? became.path : undefined;
  }

  async #truths(facts: readonly Fact[], commit: string): Promise<(boolean | undefined)[]> {
    const textAt = (path: string): Promise<string | undefined> => this.#objects.textAt(commit, path);
    const truths: (boolean | undefined)[] = [];
    for (const fact of facts) truths.push(await isTrue(fact, textAt));
    return truths;
  }

  /** Of some paths those that a commit between two others touched. */
  #touched(extraction: string, target: string, paths: readonly string[]): ReadonlySet<string> {
    if (paths.length === 0) return new Set();
    const range = `${extraction}..${target}`;
    const log = git(this.#root, [
      "log",
      "--format=",
      "--name-only",
      "--no-renames",
      "-z",
      range,
      "--",
      ...paths,
    ]);
    return new Set(log.split("\0").map((path) => path.trimStart()));
  }

  #checkout(commit: string): void {
    git(this.#root, ["checkout", "-q", "-f", "--detach", commit]);
    git(this.#root, ["clean", "-q", "-ffdx"]);
  }

  #machine(): Machine {
    return { root: this.#root, env: process.env, now: new Date() };
  }

  #time(commit: string): number {
    return 1000 * Number(git(this.#root, ["show", "-s", "--format=%ct", commit]).trim());
  }
}

/** Whether a file that a text names, claimed or not, is missing; and whether something that it names is marked as gone. */
export async function namedSignals(
  { statement, body }: Named,
  context: { tree: WorkTree; history: RepositoryHistory; machine: Machine; origin: string },
): Promise<{ missing: boolean; marks: boolean }> {
  const signals = { missing: false, marks: false };
  for (const name of namedClaims(`${statement}\n\n${body}`, context.tree, [])) {
    const { claim } = parseClaim(name);
    if (!claim || claim.kind === "until") continue;
    const finding = await checkClaim(claim, context.tree, context.machine);
    if (!isNameGone({ claim: name, ...finding }, context.tree)) continue;
    if (claim.kind === "path") signals.missing = true;
    const { since, became, moved } = await explainBreak(claim, finding, context);
    if (since ?? became ?? moved) signals.marks = true;
  }
  return signals;
}

function pathOf(fact: Fact): string {
  return "path" in fact ? fact.path : "package.json";
}
