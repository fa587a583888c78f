import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type DiffFinding, openHeed } from "../src/heed.ts";
import { parseClaim, pathOfClaim } from "../src/memory/claims/parse-claim.ts";
import { type Figure, figure, rateFigure } from "./figure.ts";
import { Clone, type Truth, writeAbout } from "./freshness-replay.ts";
import { truthSince } from "./generated-replay.ts";
import { git } from "./git-objects.ts";
import { GeneratedHistory } from "./history-generator.ts";
import { SeededRandom } from "./seeded-random.ts";
import { median } from "./statistics.ts";

const SEEDS = [11, 12, 13];
const MEMORIES = 60;
const ROUNDS = 4;
const COMMITS = 8;
/** A large repository, and what a pull request moves in it. */
const LARGE = { files: 10_000, memories: 500, moved: 200 };

type Stated = Awaited<ReturnType<typeof writeAbout>>[number];

interface Outcome {
  isFalse: boolean;
  isFlagged: boolean;
  where: string;
}

interface Judged {
  outcomes: Outcome[];
  /** Files that moved, with where the repair says that they went. */
  repairs: { to: string; proposed: string | undefined }[];
  seconds: number[];
}

/**
 * Writes memories at a commit, lets pull requests go on from it, and compares what `heed check --base` says of them with
 * what is true. `--repo DIR` replays that repository (default: this one); `--no-generated`; `--no-large`; `--look` prints what was wrong.
 */
export async function run(args: string[]): Promise<Figure[]> {
  const { values } = parseArgs({
    args,
    options: {
      repo: { type: "string" },
      "no-generated": { type: "boolean" },
      "no-large": { type: "boolean" },
      look: { type: "boolean" },
    },
  });
  const judged: Judged = { outcomes: [], repairs: [], seconds: [] };
  if (!values["no-generated"]) for (const seed of SEEDS) await judgeGenerated(seed, judged);
  await judgeRepository(values.repo ?? ".", judged);
  const { outcomes, repairs, seconds } = judged;
  const caught = outcomes.filter(({ isFalse, isFlagged }) => isFalse && isFlagged).length;
  if (values.look)
    for (const { isFalse, isFlagged, where } of outcomes)
      if (isFalse !== isFlagged) console.error(`${isFalse ? "missed" : "false alarm"} ${where}`);
  return [
    rateFigure("false_by_diff_precision", caught, outcomes.filter(({ isFlagged }) => isFlagged).length),
    rateFigure("false_by_diff_recall", caught, outcomes.filter(({ isFalse }) => isFalse).length),
    rateFigure("repair_right", repairs.filter(({ to, proposed }) => to === proposed).length, repairs.length),
    figure("seconds", median(seconds), "s", seconds.length),
    figure("seconds_10000_files", values["no-large"] ? null : await secondsOfLarge(), "s", 1),
  ];
}

/** How long a pull request that moves files takes in a repository of 10,000 files and 500 memories, half without claims. */
async function secondsOfLarge(): Promise<number> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "heed-check-large-")));
  try {
    git(root, ["init", "-q", "-b", "main", "."]);
    const pathOf = (i: number): string => `src/part-${i % 100}/file-${i}.ts`;
    for (let i = 0; i < 100; i++) mkdirSync(join(root, `src/part-${i}`), { recursive: true });
    for (let i = 0; i < LARGE.files; i++)
      writeFileSync(
        join(root, pathOf(i)),
        `export const LIMIT_${i} = ${i};\nexport function work${i}() {}\n`,
      );
    git(root, ["add", "-A"]);
    git(root, ["commit", "-q", "-m", "files"], AUTHOR);
    const from = git(root, ["rev-parse", "HEAD"]).trim();
    const stated = Array.from({ length: LARGE.memories }, (_, i): Stated => {
      const path = pathOf(i * 20);
      const memory = {
        statement: `work ${i} is done in ${path}`,
        body: `See \`work${i * 20}\` in \`${path}\`.`,
      };
      return { facts: [], memory, claims: i % 2 === 0 ? [`path:${path}`] : [] };
    });
    const base = commitWith(root, from, undefined, stated);
    mkdirSync(join(root, "moved"));
    for (let i = 0; i < LARGE.moved; i++) git(root, ["mv", pathOf(i * 20), `moved/file-${i * 20}.ts`]);
    git(root, ["commit", "-q", "-m", "move"], AUTHOR);
    const { findings, seconds } = await check(root, base);
    if (findings.length < LARGE.moved) throw new Error(`found ${findings.length} of ${LARGE.moved}`);
    return seconds;
  } finally {
    rmSync(root, { recursive: true, force: true, maxRetries: 10 });
  }
}

async function check(root: string, base: string): Promise<{ findings: DiffFinding[]; seconds: number }> {
  const home = mkdtempSync(join(tmpdir(), "heed-check-home-"));
  const heed = openHeed({ cwd: root, env: { HOME: home, PATH: process.env["PATH"] } });
  try {
    const startedAt = performance.now();
    const { findings } = await heed.maintenance.checkDiff({ base }, { kind: "person" });
    return { findings, seconds: (performance.now() - startedAt) / 1000 };
  } finally {
    await heed.close();
    rmSync(home, { recursive: true, force: true, maxRetries: 10 });
  }
}

async function judgeGenerated(seed: number, judged: Judged): Promise<void> {
  const random = new SeededRandom(seed);
  const history = new GeneratedHistory(random);
  try {
    for (let round = 0; round < ROUNDS; round++) {
      const written = await writeAbout(history.root, MEMORIES, random, async () =>
        Array.from({ length: 1 + random.below(2) }, () => history.fact()),
      );
      // Every other one is as it was written by hand: without claims.
      const stated = written.map((one, i) => (i % 2 === 0 ? one : { ...one, claims: [] }));
      const from = git(history.root, ["rev-parse", "HEAD"]).trim();
      const truth = truthSince(history, from);
      history.goOn(COMMITS);
      const to = git(history.root, ["rev-parse", "HEAD"]).trim();
      await judge(history.root, { from, to, stated, judged }, truth);
    }
  } finally {
    history.remove();
  }
}

async function judgeRepository(repository: string, judged: Judged): Promise<void> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "heed-check-")));
  const root = join(folder, "clone");
  git(folder, ["clone", "-q", "--no-checkout", "--local", "--", realpathSync(repository), "clone"]);
  const clone = new Clone(root);
  const random = new SeededRandom(1);
  try {
    const line = git(root, ["rev-list", "--first-parent", "--reverse", "HEAD"]).trim().split("\n");
    for (let round = 0; round < ROUNDS; round++) {
      const at = Math.floor(((round + 1) * (line.length - 1)) / (ROUNDS + 1));
      const [from = "", to = ""] = [line[at], line[Math.min(line.length - 1, at + 3 * COMMITS)]];
      const stated = await clone.write(from, MEMORIES, random);
      await judge(root, { from, to, stated, judged }, clone.truthAt(from, to));
    }
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
  }
}

/** Commits the memories at both ends of a pull request, and has it checked. */
async function judge(
  root: string,
  { from, to, stated, judged }: { from: string; to: string; stated: readonly Stated[]; judged: Judged },
  truth: Truth,
): Promise<void> {
  const here = git(root, ["rev-parse", "HEAD"]).trim();
  const branch = git(root, ["rev-parse", "--abbrev-ref", "HEAD"]).trim();
  const base = commitWith(root, from, undefined, stated);
  commitWith(root, to, base, stated);
  try {
    const { findings, seconds } = await check(root, base);
    judged.seconds.push(seconds);
    for (const [i, { facts }] of stated.entries()) {
      const truths = await Promise.all(facts.map((fact) => truth.isTrue(fact)));
      if (truths.includes(undefined)) continue;
      const own = findings.filter(({ memory, code }) => memory === `m${i}` && code === "made-false");
      judged.outcomes.push({
        isFalse: truths.includes(false),
        isFlagged: own.length > 0,
        where: `${from.slice(0, 8)}..${to.slice(0, 8)} ${JSON.stringify(facts)} ${own.map(({ message }) => message).join(" / ")}`,
      });
      judged.repairs.push(...(await repairsOf(own, truth)));
    }
  } finally {
    git(root, ["checkout", "-q", "-f", branch === "HEAD" ? here : branch]);
  }
}

/** Of the files that moved, one for each finding whose claim is about one. */
async function repairsOf(findings: readonly DiffFinding[], truth: Truth): Promise<Judged["repairs"]> {
  const pathIn = (text: string): string | undefined => {
    const { claim } = parseClaim(text);
    return claim && pathOfClaim(claim);
  };
  const repairs: Judged["repairs"] = [];
  for (const { claim, becomes } of findings) {
    const path = claim && pathIn(claim);
    const to = path === undefined ? undefined : await truth.movedTo(path);
    if (to === undefined || to === path || becomes === undefined) continue;
    repairs.push({ to, proposed: pathIn(becomes) });
  }
  return repairs;
}

function commitWith(
  root: string,
  commit: string,
  parent: string | undefined,
  stated: readonly Stated[],
): string {
  git(root, ["checkout", "-q", "-f", "--detach", commit]);
  const folder = join(root, ".heed", "project");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(root, ".heed", "config.yaml"), "store: CHECK\n");
  for (const [i, { memory, claims }] of stated.entries()) {
    const head = [
      `name: m${i}`,
      `description: ${JSON.stringify(memory.statement)}`,
      "metadata:",
      "  type: project",
    ];
    const anchors = claims.length > 0 ? [`  claims: ${JSON.stringify(claims)}`] : [];
    const lines = ["---", ...head, `  id: M${i}`, ...anchors, "---", memory.body, ""];
    writeFileSync(join(folder, `m${i}.md`), lines.join("\n"));
  }
  git(root, ["add", "-f", ".heed"]);
  const tree = git(root, ["write-tree"]).trim();
  const parents = parent === undefined ? [] : ["-p", parent];
  const made = git(root, ["commit-tree", tree, ...parents, "-m", "memories"], AUTHOR).trim();
  git(root, ["checkout", "-q", "-f", "--detach", made]);
  return made;
}

const AUTHOR = Object.fromEntries(
  ["AUTHOR", "COMMITTER"].flatMap((who) => [
    [`GIT_${who}_NAME`, "a"],
    [`GIT_${who}_EMAIL`, "a@acme.example"],
  ]),
);
