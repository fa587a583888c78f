import { execFileSync } from "node:child_process";
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { checkClaim } from "../src/freshness/check-claim.ts";
import type { Machine } from "../src/freshness/claim-check.ts";
import { explainBreak } from "../src/freshness/explain-break.ts";
import { proposeClaims } from "../src/freshness/propose-claims.ts";
import { RepositoryHistory } from "../src/freshness/repository-history.ts";
import { WorkTree } from "../src/freshness/work-tree.ts";
import { parseClaim } from "../src/memory/parse-claim.ts";
import type { Fact } from "./freshness-facts.ts";
import { factsOf, factsOfManifest, isTrue, memoryOf } from "./freshness-facts.ts";
import { SeededRandom } from "./seeded-random.ts";
import { hasGrammar } from "./tree-definitions.ts";
import { trueRename } from "./true-rename.ts";

/** One memory, some time after it was written. */
export interface Outcome {
  /** Something that it says is no longer so. */
  isStale: boolean;
  signals: { claims: boolean; file: boolean; commits: boolean; calendar: boolean };
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
  /** Points of the history at which memories are written; each is looked at again at the next one and at the end. */
  points?: number;
  seed?: number;
}

/** The calendar of a memory about a project asks after so many days. */
const CALENDAR_DAYS = 30;
const MAX_TEXT = 200_000;
const MAX_BUFFER = 256 * 1024 * 1024;

/** Replays a repository's history in a clone: writes memories at old commits, and looks at them at later ones. */
export async function replayRepository(repository: string, options: ReplayOptions = {}): Promise<Replay> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "heed-replay-")));
  const clone = new Clone(join(folder, "clone"));
  try {
    git(folder, ["clone", "-q", "--no-checkout", "--local", "--", realpathSync(repository), "clone"]);
    return await clone.replay({ memories: 40, points: 4, seed: 1, ...options });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

class Clone {
  readonly #root: string;
  readonly #texts = new Map<string, Promise<string | undefined>>();

  constructor(root: string) {
    this.#root = root;
  }

  async replay({ memories, points, seed }: Required<ReplayOptions>): Promise<Replay> {
    const random = new SeededRandom(seed);
    const line = git(this.#root, ["rev-list", "--first-parent", "--reverse", "HEAD"]).trim().split("\n");
    const replay: Replay = { outcomes: [], renames: [] };
    const stops = Array.from({ length: points }, (_, i) =>
      Math.floor(((i + 1) * (line.length - 1)) / (points + 1)),
    );
    const end = line.length - 1;
    for (const [i, at] of [...new Set(stops)].entries()) {
      const anchor = line[at] ?? "";
      const written = await this.#write(anchor, memories, random);
      const targets = [...new Set([stops[i + 1] ?? end, end])].filter((stop) => stop > at);
      for (const stop of targets)
        await this.#lookAgain(written, { anchor, target: line[stop] ?? "", replay });
    }
    return replay;
  }

  /** Writes memories at a commit, through the anchoring that a write goes through. */
  async #write(
    anchor: string,
    count: number,
    random: SeededRandom,
  ): Promise<{ facts: Fact[]; claims: string[] }[]> {
    this.#checkout(anchor);
    const files = git(this.#root, ["ls-tree", "-r", "--name-only", "-z", anchor])
      .split("\0")
      .filter((file) => file !== "");
    const sources = files.filter(
      (file) => hasGrammar(file) || /\.(?:md|json|ya?ml|toml|txt|cfg|ini)$/.test(file),
    );
    const tree = new WorkTree(this.#root);
    const known = new Set(files);
    const written: { facts: Fact[]; claims: string[] }[] = [];
    for (const path of random.sample(sources, count)) {
      const text = await this.#textAt(anchor, path);
      if (text === undefined || text.length > MAX_TEXT || text.includes("\0")) continue;
      const own = await factsOf(path, text, random);
      const manifest =
        files.includes("package.json") && random.below(5) === 0
          ? factsOfManifest((await this.#textAt(anchor, "package.json")) ?? "", random)
          : [];
      const facts = [...random.sample(own, 1 + random.below(2)), ...manifest.slice(0, 1)];
      const truths = await Promise.all(
        facts.map((fact) => isTrue(fact, (file) => this.#textAt(anchor, file))),
      );
      if (truths.some((truth) => truth !== true)) continue;
      const memory = memoryOf(facts, random);
      const claims = await proposeClaims(memory, {
        tree,
        machine: this.#machine(),
        roots: [this.#root],
        files: known,
      });
      written.push({ facts, claims });
    }
    return written;
  }

  async #lookAgain(
    written: readonly { facts: Fact[]; claims: string[] }[],
    { anchor, target, replay }: { anchor: string; target: string; replay: Replay },
  ): Promise<void> {
    this.#checkout(target);
    const tree = new WorkTree(this.#root);
    const machine = this.#machine();
    const history = new RepositoryHistory(this.#root, process.env);
    const days = (this.#time(target) - this.#time(anchor)) / 86_400_000;
    for (const { facts, claims } of written) {
      const truths = await Promise.all(
        facts.map((fact) => isTrue(fact, (file) => this.#textAt(target, file))),
      );
      if (truths.includes(undefined)) continue;
      const paths = [...new Set(facts.flatMap((fact) => ("path" in fact ? [fact.path] : ["package.json"])))];
      let isFlagged = false;
      for (const text of claims) {
        const { claim } = parseClaim(text);
        if (!claim) continue;
        const finding = await checkClaim(claim, tree, machine);
        if (finding.state !== "broken") continue;
        isFlagged = true;
        if (!("path" in claim) || tree.look(claim.path).kind !== "missing") continue;
        const to = trueRename((args) => git(this.#root, args), anchor, target, claim.path);
        if (to === undefined) continue;
        const found = await explainBreak(claim, finding, { tree, history, machine, origin: anchor });
        const proposed = found.became && parseClaim(found.became.claim).claim;
        replay.renames.push({
          from: claim.path,
          to,
          proposed:
            proposed && "path" in proposed
              ? proposed.path
              : await this.#followedTo(text, { tree, history, machine, anchor }),
        });
      }
      replay.outcomes.push({
        isStale: truths.includes(false),
        signals: {
          claims: isFlagged,
          file: paths.some((path) => this.#blob(anchor, path) !== this.#blob(target, path)),
          commits: git(this.#root, ["rev-list", "-n1", `${anchor}..${target}`, "--", ...paths]).trim() !== "",
          calendar: days > CALENDAR_DAYS,
        },
        facts,
        claims,
        where: `${anchor.slice(0, 8)}..${target.slice(0, 8)}`,
      });
    }
  }

  /** Where heed says that the file went, also when what was inside of it is gone. */
  async #followedTo(
    text: string,
    context: { tree: WorkTree; history: RepositoryHistory; machine: Machine; anchor: string },
  ): Promise<string | undefined> {
    const { claim } = parseClaim(text);
    if (!claim || !("path" in claim)) return undefined;
    const bare = parseClaim(`path:${claim.path}`).claim;
    if (!bare) return undefined;
    const found = await explainBreak(bare, await checkClaim(bare, context.tree, context.machine), {
      ...context,
      origin: context.anchor,
    });
    const became = found.became && parseClaim(found.became.claim).claim;
    return became && "path" in became ? became.path : undefined;
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

  #blob(commit: string, path: string): string {
    try {
      return git(this.#root, ["rev-parse", "--verify", "-q", `${commit}:${path}`]).trim();
    } catch {
      return "";
    }
  }

  #textAt(commit: string, path: string): Promise<string | undefined> {
    const key = `${commit}:${path}`;
    let text = this.#texts.get(key);
    if (!text) {
      if (this.#texts.size > 2_000) this.#texts.clear();
      text = Promise.resolve(this.#show(key));
      this.#texts.set(key, text);
    }
    return text;
  }

  #show(key: string): string | undefined {
    try {
      return git(this.#root, ["cat-file", "blob", key]);
    } catch {
      return undefined;
    }
  }
}

/** Runs git in a clone of ours, without hooks, filters or the user's configuration. */
export function git(
  cwd: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): string {
  const settings = [
    "core.hooksPath=/dev/null",
    "core.fsmonitor=false",
    "advice.detachedHead=false",
    "core.autocrlf=false",
  ];
  return execFileSync("git", [...settings.flatMap((setting) => ["-c", setting]), ...args], {
    cwd,
    encoding: "utf8",
    maxBuffer: MAX_BUFFER,
    stdio: ["ignore", "pipe", "ignore"],
    env: {
      ...process.env,
      GIT_CONFIG_NOSYSTEM: "1",
      GIT_CONFIG_GLOBAL: "/dev/null",
      GIT_LFS_SKIP_SMUDGE: "1",
      GIT_LITERAL_PATHSPECS: "1",
      ...env,
    },
  });
}
