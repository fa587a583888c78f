import { RepositoryHistory } from "../../../src/freshness/repository-history.ts";
import { fastImportStream } from "../../../src/machine/blobs.ts";
import { runGit } from "../../../src/machine/run-git.ts";
import { TemporaryHeed } from "../../home/temporary-heed.ts";
import { type FuzzTarget, must } from "../fuzz-target.ts";

const RULE = "---\nname: r\ndescription: never push\nmetadata:\n  type: feedback\n  id: R1\n";
const GUARDED = `${RULE}  guard: { command: git push }\n---\n**Why:** it broke\n`;
const BARE = `${RULE}---\n**Why:** it broke\n`;
const WHO = { name: "Ada", email: "ada@example.org" };
const TIME = "2026-01-01T12:00:00Z";

let place: TemporaryHeed | undefined;
let base = "";

async function commit(
  { project: cwd }: TemporaryHeed,
  parent: string | undefined,
  files: Record<string, string | null>,
): Promise<string> {
  const change = { message: "step", time: TIME, files: new Map(Object.entries(files)) };
  const stream = fastImportStream("refs/heads/main", parent, WHO, [change]);
  const words = ["fast-import", "--quiet", "--done", "--force", "--date-format=raw"];
  await runGit(words, { cwd, input: stream });
  return (await runGit(["rev-parse", "refs/heads/main"], { cwd })).stdout.trim();
}

async function opened(): Promise<TemporaryHeed> {
  if (place) return place;
  place = new TemporaryHeed({ PATH: process.env["PATH"] ?? "" });
  const first = { ".heed/config.yaml": "store: S1\n", ".heed/feedback/r.md": GUARDED };
  base = await commit(place, undefined, first);
  return place;
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
    const at = await opened();
    const [file, memory] = [`src/${name}`, `.heed/feedback/${name}.md`];
    const added = await commit(at, base, {
      [file]: "one\n",
      [memory]: "no memory",
      ".heed/feedback/r.md": BARE,
    });
    const removed = await commit(at, added, { [file]: null });
    const history = new RepositoryHistory(at.project, process.env);
    const texts = await history.textsAt(added, [file, ".heed/feedback/r.md", "src/none"]);
    must(texts.get(file) === "one\n" && texts.get(".heed/feedback/r.md") === BARE, "texts by name");
    must(texts.size === 2, "nothing is found under a name that is not there");
    must((await history.removalOf(file))?.id === removed, "who removed it");
    const versions = await history.versionsOf(file, 9);
    const said = versions.map(({ commit: { id }, blob }) => `${id} ${blob !== undefined}`);
    must(said.join() === `${removed} false,${added} true`, "its versions");
    const { rules, findings } = await at.heed.maintenance.checkDiff({ base }, { kind: "person" });
    must(
      rules.some((rule) => rule.name === "r" && rule.stopsNoMore.length === 1),
      "the rule beside it is told",
    );
    const isHidden = !name.startsWith(".");
    must(!isHidden || findings.some(({ file }) => file === memory), "the file itself is told");
  },
  async close() {
    await place?.remove();
    place = undefined;
  },
};
