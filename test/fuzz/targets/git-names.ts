import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { RepositoryHistory } from "../../../src/freshness/repository-history.ts";
import { fastImportStream } from "../../../src/machine/blobs.ts";
import { runGit } from "../../../src/machine/run-git.ts";
import { type Heed, openHeed } from "../../../src/heed.ts";
import { type FuzzTarget, must } from "../fuzz-target.ts";

const RULE = "---\nname: r\ndescription: never push\nmetadata:\n  type: feedback\n  id: R1\n";
const GUARDED = `${RULE}  guard: { command: git push }\n---\n**Why:** it broke\n`;
const BARE = `${RULE}---\n**Why:** it broke\n`;
const WHO = { name: "Ada", email: "ada@example.org" };
const TIME = "2026-01-01T12:00:00Z";

let root = "";
let base = "";
let heed: Heed | undefined;
const git = async (args: readonly string[], input: string | Buffer = ""): Promise<string> =>
  (await runGit(args, { cwd: root, input })).stdout.trim();

async function commit(parent: string | undefined, files: Record<string, string | null>): Promise<string> {
  const change = { message: "step", time: TIME, files: new Map(Object.entries(files)) };
  const stream = fastImportStream("refs/heads/main", parent, WHO, [change]);
  await git(["fast-import", "--quiet", "--done", "--force", "--date-format=raw"], stream);
  return git(["rev-parse", "refs/heads/main"]);
}

async function opened(): Promise<Heed> {
  if (heed) return heed;
  root = mkdtempSync(join(tmpdir(), "heed-names-"));
  await git(["init", "-q", "--initial-branch=main", "."]);
  base = await commit(undefined, { ".heed/config.yaml": "store: S1\n", ".heed/feedback/r.md": GUARDED });
  const env = { PATH: process.env["PATH"], HOME: root, HEED_DIR: join(root, "none") };
  const places = {
    HEED_STATE_DIR: join(root, "s"),
    HEED_CACHE_DIR: join(root, "c"),
    HEED_CONFIG_DIR: join(root, "k"),
  };
  heed = openHeed({ cwd: root, env: { ...env, ...places } });
  return heed;
}

/** A name of a file, of any bytes that git takes, changes nothing of what heed learns of other files, and names its own. */
export const gitNames: FuzzTarget = {
  name: "git-names",
  seeds: [
    "!\nHEAD^1:.heed/feedback/r.md",
    "0\n",
    "\n\n",
    "\x1e\x1f\x01",
    'a"b\\c\td',
    "-n --all",
    ":(glob)*",
    "x^{tree}@{1}",
    "R100\r\n:100644",
  ],
  words: ["\n", "HEAD:", "^1", "\t", '"', "\\", "*", "\x1e", "\u2028", "é", "\u202E", ":/", "-", " ", ".md"],
  maxMs: 20_000,
  cases: 4,
  async check(input) {
    const name = input.replaceAll(/[\0/]/g, "").slice(0, 60).toWellFormed();
    if (/^\.*$|^\.git/i.test(name)) return;
    const { maintenance } = await opened();
    const [file, memory] = [`src/${name}`, `.heed/feedback/${name}.md`];
    const added = await commit(base, { [file]: "one\n", [memory]: "no memory", ".heed/feedback/r.md": BARE });
    const removed = await commit(added, { [file]: null });
    const history = new RepositoryHistory(root, process.env);
    const texts = await history.textsAt(added, [file, ".heed/feedback/r.md", "src/none"]);
    must(texts.get(file) === "one\n" && texts.get(".heed/feedback/r.md") === BARE, "texts by name");
    must(texts.size === 2, "nothing is found under a name that is not there");
    must((await history.removalOf(file))?.id === removed, "who removed it");
    const versions = (await history.versionsOf(file, 9)).map(({ commit: { id }, blob }) => [
      id,
      blob !== undefined,
    ]);
    must(
      JSON.stringify(versions) ===
        JSON.stringify([
          [removed, false],
          [added, true],
        ]),
      "its versions",
    );
    const { rules, findings } = await maintenance.checkDiff({ base }, { kind: "person" });
    must(
      rules.some((rule) => rule.name === "r" && rule.stopsNoMore.length === 1),
      "the rule beside it is told",
    );
    const isHidden = !name.startsWith(".");
    must(!isHidden || findings.some(({ file }) => file === memory), "the file itself is told");
  },
  async close() {
    await heed?.close();
    heed = undefined;
    if (root !== "") rmSync(root, { recursive: true, force: true, maxRetries: 10 });
  },
};
