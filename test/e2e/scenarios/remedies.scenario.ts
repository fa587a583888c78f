import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { HealthReport } from "../../../src/heed.ts";
import { layReceipt } from "../../home/lay-receipt.ts";
import { findPlaces } from "../../../src/machine/places.ts";
import { remedyLine } from "../../../src/surfaces/remedy-line.ts";
import { approveLaid, makeStore } from "../../home/temporary-heed.ts";
import { atScreen, type Read } from "../../surfaces/cli/at-screen.ts";
import { Machine } from "../../surfaces/cli/run-heed.ts";

const NOW = new Date().toISOString();
const NEXT_YEAR = `${new Date().getFullYear() + 1}-01-01`;
const DAYS_AGO = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString();
const LONG = `the audit ${"and so on and on ".repeat(12)}`;

/** A machine on which a line of a remedy is typed as it is printed, by a person who says yes. */
class Desk extends Machine {
  readonly places = findPlaces(this.environment());

  constructor() {
    super();
    this.lay(join(this.home, "bin/heed"), `#!/bin/sh\nexec "${process.execPath}" "$HEED" "$@"\n`);
    chmodSync(join(this.home, "bin/heed"), 0o755);
    makeStore(this.places.userStore, this.places.state);
    this.git("init", "--quiet", "--initial-branch=main");
  }

  git(...words: string[]): void {
    const who = ["-c", "user.name=Test", "-c", "user.email=test@example.com"];
    execFileSync("git", [...who, ...words], { cwd: this.work, env: this.environment() });
  }

  commit(path: string, text: string): void {
    this.lay(join(this.work, path), text);
    this.git("add", path);
    this.git("commit", "--quiet", `--message=${path}`);
  }

  readonly lay = (file: string, text: string): void => {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  };

  /** Writes a memory of the user's by hand, as approved. */
  remember(type: string, name: string, statement: string, body: string, ...metadata: string[]): void {
    const file = join(this.places.userStore, type, `${name}.md`);
    const dated = metadata.some((line) => line.startsWith("created:")) ? [] : [`created: ${NOW}`];
    const lines = [`type: ${type}`, ...dated, ...metadata].map((line) => `  ${line}\n`).join("");
    const head = `name: ${name}\ndescription: ${JSON.stringify(statement)}\nmetadata:\n${lines}`;
    this.lay(file, `---\n${head}---\n${body}\n`);
    approveLaid(this.places.userStore, file, this.places.state);
  }

  /** Types a line. The editor of this person makes `edit` of what it is given. */
  type(line: string, edit?: (text: string) => string): Promise<Read> {
    const env = this.environment();
    const editor = join(this.home, "editor.cjs");
    const fs = `const fs = require("node:fs"), file = process.argv[2];`;
    this.lay(
      editor,
      `${fs} fs.writeFileSync(file, (${String(edit ?? ((text: string) => text))})(fs.readFileSync(file, "utf8")));`,
    );
    return atScreen("/bin/sh", ["-c", line], {
      cwd: this.work,
      env: { ...env, PATH: `${this.home}/bin:${env["PATH"]}`, EDITOR: `${process.execPath} ${editor}` },
      answer: "y",
    });
  }
}

/** What a remedy leaves to the person, in capitals, and what this one says. */
const SAID: Readonly<Record<string, string>> = {
  "HOW IT WAS CHECKED": "asked Mara",
  "TRIED AGAIN, AND WHAT CAME BACK": "tried it: refused as before",
  "ONE LINE": "the audit is in the wiki",
  "A PROMPT THAT SHOULD BRING IT UP": "where is it",
  DATE: NEXT_YEAR,
  WORD: "ledger",
};
/** What is changed where the remedy is to edit, by memory. */
const EDITS: Readonly<Record<string, (text: string) => string>> = {
  moved: (text) => text.replaceAll("src/old.ts", "src/new.ts"),
  gone: (text) => text.replace(/ *claims:.*\n/, ""),
  odd: (text) => text.replace(/ *claims:.*\n/, ""),
  "long-rule": (text) => text.replace(/x{100,}/, "it is quick"),
};
/** They lead to what is known; what is done about it is up to the reader. */
const LEADS = /^heed (?:show|why|list|rules|guard test|guard add) /;

describe("what heed check health offers", () => {
  let desk: Desk;

  beforeAll(() => {
    desk = new Desk();
    desk.commit("src/old.ts", "export const LIMIT = 5;\n");
    desk.git("mv", "src/old.ts", "src/new.ts");
    desk.git("commit", "--quiet", "--message=Move it");
    desk.commit("src/gone.ts", "export const GONE = 1;\n");
    desk.git("rm", "--quiet", "src/gone.ts");
    desk.git("commit", "--quiet", "--message=Remove it");
    desk.remember("project", "moved", "the limit is in src/old.ts", "It is.", 'claims: ["path:src/old.ts"]');
    desk.remember(
      "project",
      "gone",
      "the gateway is in src/gone.ts",
      "It is.",
      'claims: ["path:src/gone.ts"]',
    );
    const busy = 'claims: ["path:src/busy.ts"]';
    desk.remember("project", "busy", "jobs are in src/busy.ts", "They are.", `created: ${DAYS_AGO(2)}`, busy);
    for (let i = 0; i < 21; i++) desk.commit("src/busy.ts", `export const N = ${i};\n`);
    desk.remember("project", "odd", "an odd claim", "It is odd.", "claims: [nonsense]");
    desk.remember("project", "late", "the freeze ends", "It ends.", "expires: 2026-01-01");
    // Age alone is no finding.
    desk.remember("project", "old", "billing is owned by Mara", "It is.", `created: ${DAYS_AGO(400)}`);
    desk.remember("project", "elsewhere", "limits of pages", "They are.", "scope: { branch: feature/x }");
    desk.remember("project", "endless", LONG, "The audit.");
    const why = `**Why:** ${"x".repeat(8000)}`;
    desk.remember("feedback", "long-rule", "never skip the tests", `Never skip the tests.\n${why}`);
    desk.remember(
      "feedback",
      "idle",
      "never shred",
      "Never shred.\n**Why:** once.",
      `created: ${DAYS_AGO(300)}`,
      "guard: { command: shred, say: no }",
    );
    for (const [name, tag] of [
      ["t1", "database"],
      ["t2", "database"],
      ["t3", "databse"],
    ] as const)
      desk.remember(
        "reference",
        name,
        `board ${name}: https://board.example/${name}`,
        "Look.",
        `tags: [${tag}]`,
      );
    desk.remember("reference", "dead", "https://dead.example is the old board", "It was.");
    desk.remember(
      "reference",
      "silent",
      "https://silent.example is the ledger",
      "It is.",
      `created: ${DAYS_AGO(200)}`,
    );
    for (let i = 0; i < 12; i++)
      desk.remember(
        "project",
        `f${i}`,
        `the ${i} queue is drained by its ${i * 7} worker at night, not by hand`,
        "So.",
      );
    for (let day = 60; day > 30; day--)
      layReceipt(desk.places, DAYS_AGO(day), [day > 45 ? "dead" : "t1"], { type: "reference" });
    // A use of anything lets heed conclude from none.
    const used = { time: DAYS_AGO(40), session: "s1", key: "user:x", name: "x", what: "cited" };
    desk.lay(join(desk.places.state, "use", `${used.time.slice(0, 7)}.jsonl`), `${JSON.stringify(used)}\n`);
    return desk.run("map 800 --user");
  });
  afterAll(() => desk.remove());

  async function offered(): Promise<[subject: string, line: string][]> {
    const { value } = await desk.json("check health");
    return (value as HealthReport).sections.flatMap(({ findings }) =>
      findings.flatMap(({ subject, remedies }) =>
        remedies.map((one): [string, string] => [subject, remedyLine(one)]),
      ),
    );
  }

  test("each line mends what it is offered for, and taken back, the finding is there again", async () => {
    const all = await offered();
    const lines = all.filter(([, line]) => !LEADS.test(line));
    expect(lines.map(([, line]) => line).sort()).toEqual([
      "heed edit --no-branch elsewhere",
      'heed edit endless --statement "ONE LINE"',
      "heed edit gone",
      "heed edit late --expires DATE",
      "heed edit long-rule",
      "heed edit moved",
      "heed edit odd",
      "heed edit old --trigger WORD",
      "heed edit silent --trigger WORD",
      "heed edit t3 --tag database",
      "heed config map 8000",
      'heed remove dead --reason "not used"',
      "heed remove elsewhere",
      "heed remove gone",
      'heed remove idle --reason "not relevant"',
      "heed remove late --reason expired",
      'heed remove t1 --reason "not used"',
      "heed check --fix moved",
      "heed check --confirm busy",
    ]);
    for (const [subject, line] of lines) {
      const done = await desk.type(filled(line), EDITS[subject]);
      expect([line, done.exitCode], done.text).toEqual([line, 0]);
      const left = (await offered()).filter(([name, other]) => name === subject && other === line);
      expect(left, done.text).toEqual([]);
      if (line.startsWith("heed config map")) continue;
      await desk.type("heed undo");
      expect(await offered(), line).toContainEqual([subject, line]);
    }
    const leads = all.map(([, line]) => line).filter((line) => LEADS.test(line));
    expect(leads.length).toBeGreaterThan(3);
    for (const line of leads) expect(await desk.type(filled(line)), line).toMatchObject({ exitCode: 0 });
  }, 300_000);
});

function filled(line: string): string {
  return Object.entries(SAID).reduce((text, [word, said]) => text.replace(word, said), line);
}
