import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { Figure } from "./figure.ts";
import { rateFigure } from "./figure.ts";
import { type ThrowawayHeed, withThrowawayHeed } from "./throwaway-heed.ts";

/** What became of something that a memory names. */
interface TrustCase {
  id: string;
  statement: string;
  question: string;
  /** The name that no longer is so, and the one that is, where there is one. */
  outdated: string;
  current?: string;
  /** What the context says of it. */
  mark: string;
  /** The repository as the memory is written, and what comes after it. */
  before: (desk: ThrowawayHeed) => void;
  after: (desk: ThrowawayHeed) => void;
}

const BODY = Array.from({ length: 12 }, (_, i) => `  const step${i} = load("part ${i}");`).join("\n");
const source = (name: string): string => `export function ${name}(load) {\n${BODY}\n}\n`;

const onBranch = (path: string, text: string) => (desk: ThrowawayHeed) => {
  desk.git("switch", "-qc", "feature");
  desk.commit(path, text);
};
const leaveBranch = (desk: ThrowawayHeed): void => desk.git("switch", "-q", "main");

const CASES: readonly TrustCase[] = [
  {
    id: "renamed-file",
    statement:
      "The session timeout of the auth module is set in `src/auth/session.ts`, agreed with security.",
    question: "I want to raise the session timeout of the auth module. Which file do I edit?",
    outdated: "src/auth/session.ts",
    current: "src/identity/session.ts",
    mark: "src/identity/session.ts",
    before: ({ commit }) => commit("src/auth/session.ts", source("timeout")),
    after: ({ git }) => {
      git("mv", "src/auth", "src/identity");
      git("commit", "-qm", "rename");
    },
  },
  {
    id: "renamed-symbol",
    statement:
      "Tokens for partners are made by `signToken` in `src/tokens.ts`; the partners verify its format.",
    question: "Which function makes the tokens for partners? I have to call it from the new endpoint.",
    outdated: "signToken",
    current: "issueToken",
    mark: "issueToken",
    before: ({ commit }) => commit("src/tokens.ts", source("signToken")),
    after: ({ commit }) => commit("src/tokens.ts", source("issueToken")),
  },
  {
    id: "removed-file",
    statement: "The nightly export of invoices starts in `src/legacy/export.ts`, as finance reads its CSV.",
    question: "Finance wants another column in the nightly export of invoices. Where does it start?",
    outdated: "src/legacy/export.ts",
    mark: "src/legacy/export.ts is gone (",
    before: ({ commit }) => commit("src/legacy/export.ts", source("exportInvoices")),
    after: ({ git }) => {
      git("rm", "-q", "src/legacy/export.ts");
      git("commit", "-qm", "remove");
    },
  },
  {
    id: "removed-target",
    statement: "Before a release of the payments service the checks of the bank run with `make bank-check`.",
    question: "How do I run the bank's checks before a release of the payments service?",
    outdated: "make bank-check",
    mark: "no target bank-check",
    before: ({ commit }) => commit("Makefile", "bank-check:\n\t./check --bank\n\nbuild:\n\t./build\n"),
    after: ({ commit }) => commit("Makefile", "build:\n\t./build\n"),
  },
  {
    id: "never-merged-file",
    statement:
      "Tax for orders from Norway is worked out by `computeTax` in `src/tax.ts`, as the auditor asked.",
    question: "Where is the tax for orders from Norway worked out? I have to change its rate.",
    outdated: "src/tax.ts",
    mark: "never merged",
    before: onBranch("src/tax.ts", source("computeTax")),
    after: leaveBranch,
  },
  {
    id: "never-merged-symbol",
    statement: "Refunds over 500 EUR go through `approveRefund` in `src/refunds.ts`, by order of accounting.",
    question: "Which function do refunds over 500 EUR go through? I have to log each of them.",
    outdated: "approveRefund",
    mark: "never merged",
    before: onBranch("src/refunds.ts", `${source("refund")}${source("approveRefund")}`),
    after: leaveBranch,
  },
];

const ARMS = ["with", "without"] as const;
/** What the seed's evaluation of such cases gave: passed of asked, with its section on verification and without. */
const SEED = { with: [3, 3], without: [0, 2] } as const;

const SYSTEM =
  "You are a coding agent in the user's repository. Answer the question in two sentences from what you were told; you cannot " +
  "look at the files now. End with one line: `USE: NAME`, the file, function or command that you rely on, or `USE: check` " +
  "where it has to be looked up first.";

/**
 * Whether a model trusts a memory that names what was renamed, removed or never merged. `marked`: the context says so.
 * `--requests DIR` writes what a model would get as `ID.with.json` and `ID.without.json` ({system, messages}; without heed
 * the memory stands there as it was written); `--answers DIR` reads `ID.with.txt` and `ID.without.txt`, by any model or
 * person. Passed: the last `USE:` line names what is there now, or `check`, and not the outdated name.
 */
export async function run(args: string[]): Promise<Figure[]> {
  const options = { requests: { type: "string" }, answers: { type: "string" } } as const;
  const { requests, answers } = parseArgs({ args, options }).values;
  let marked = 0;
  if (requests !== undefined) mkdirSync(requests, { recursive: true });
  for (const one of CASES) {
    const context = await contextOf(one);
    if (context.includes(one.mark)) marked += 1;
    else console.error(`not marked: ${one.id}\n${context}`);
    if (requests === undefined) continue;
    for (const [arm, injected] of [
      ["with", context],
      ["without", `From your memory of this project:\n- ${one.statement}`],
    ] as const) {
      const messages = [{ role: "user", content: `${injected}\n\n${one.question}` }];
      const file = join(requests, `${one.id}.${arm}.json`);
      writeFileSync(file, `${JSON.stringify({ system: SYSTEM, messages }, null, 2)}\n`);
    }
  }
  if (answers === undefined)
    console.error(
      requests === undefined
        ? "no model was asked: --requests DIR writes the requests, --answers DIR grades the answers to them"
        : `${CASES.length * 2} requests are in ${requests}: write each answer to ID.with.txt or ID.without.txt, then --answers`,
    );
  const graded = ARMS.map((arm): Figure => {
    const texts = CASES.flatMap((one) => {
      const file = join(answers ?? "", `${one.id}.${arm}.txt`);
      return answers !== undefined && existsSync(file)
        ? [{ one, text: readFileSync(file, "utf8").slice(0, 100_000) }]
        : [];
    });
    const [passed, asked] = SEED[arm];
    return {
      ...rateFigure(arm, texts.filter(({ one, text }) => hasPassed(one, text)).length, texts.length),
      baseline: passed / asked,
      note: `the seed: ${passed} of ${asked}`,
    };
  });
  return [rateFigure("marked", marked, CASES.length), ...graded];
}

/** The stated rule; an answer without a `USE:` line has not passed. */
export function hasPassed(
  { outdated, current }: Pick<TrustCase, "outdated" | "current">,
  text: string,
): boolean {
  const used = [...text.matchAll(/^[ \t>*`]*USE:(.*)$/gm)].at(-1)?.[1];
  if (used === undefined) return false;
  return current !== undefined && used.includes(current) ? true : !used.includes(outdated);
}

/** What a session is told at its start and on the question, some time after the memory was written. */
function contextOf(one: TrustCase): Promise<string> {
  return withThrowawayHeed(new Date().toISOString().slice(0, 10), async (desk) => {
    const { heed } = desk;
    desk.commit("src/refunds.ts", source("refund"));
    one.before(desk);
    const written = await heed.memories.write(
      { type: "project", name: one.id, description: one.statement },
      { kind: "person" },
    );
    if (written.outcome !== "written") throw new Error(`${one.id}: ${JSON.stringify(written)}`);
    one.after(desk);
    await heed.maintenance.refreshVerdicts();
    const event = { session: one.id, client: "claude-code", cwd: "" } as const;
    const start = await heed.session.answer({ ...event, kind: "session-start", source: "startup" });
    const prompt = await heed.session.answer({ ...event, kind: "prompt", prompt: one.question });
    return [start.context, prompt.context].filter((text) => text !== undefined).join("\n\n");
  });
}
