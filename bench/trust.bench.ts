import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { Figure } from "./figure.ts";
import { rateFigure } from "./figure.ts";
import { type ThrowawayHeed, withThrowawayHeed } from "./throwaway-heed.ts";

interface TrustCase {
  id: string;
  statement: string;
  question: string;
  /** The name that no longer is so, and the one that is, where there is one. */
  outdated: string;
  current?: string;
  /** What the context says of it; default: the current name. */
  mark?: string;
  before: (desk: ThrowawayHeed) => void;
  after: (desk: ThrowawayHeed) => void;
}

const BODY = Array.from({ length: 12 }, (_, i) => `  const step${i} = load("part ${i}");`).join("\n");
const source = (name: string): string => `export function ${name}(load) {\n${BODY}\n}\n`;

const onBranch = (path: string, text: string): Pick<TrustCase, "before" | "after"> => ({
  before: (desk) => {
    desk.git("switch", "-qc", "feature");
    desk.commit(path, text);
  },
  after: ({ git }) => git("switch", "-q", "main"),
});
const inHistory =
  (...args: string[]) =>
  ({ git }: ThrowawayHeed): void => {
    git(...args);
    git("commit", "-qm", "change");
  };

const CASES: readonly TrustCase[] = [
  {
    id: "renamed-file",
    statement: "The session timeout of the auth module is set in `src/auth/session.ts`, by security.",
    question: "I want to raise the session timeout of the auth module. Which file do I edit?",
    outdated: "src/auth/session.ts",
    current: "src/identity/session.ts",
    before: ({ commit }) => commit("src/auth/session.ts", source("timeout")),
    after: inHistory("mv", "src/auth", "src/identity"),
  },
  {
    id: "renamed-symbol",
    statement:
      "Tokens for partners are made by `signToken` in `src/tokens.ts`; the partners verify its format.",
    question: "Which function makes the tokens for partners? I have to call it from the new endpoint.",
    outdated: "signToken",
    current: "issueToken",
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
    after: inHistory("rm", "-q", "src/legacy/export.ts"),
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
    ...onBranch("src/tax.ts", source("computeTax")),
  },
  {
    id: "never-merged-symbol",
    statement: "Refunds over 500 EUR go through `approveRefund` in `src/refunds.ts`, by order of accounting.",
    question: "Which function do refunds over 500 EUR go through? I have to log each of them.",
    outdated: "approveRefund",
    mark: "never merged",
    ...onBranch("src/refunds.ts", `${source("refund")}${source("approveRefund")}`),
  },
];

const ARMS = ["with", "without"] as const;
/** The seed's evaluation of such cases: passed of asked, with its section on verification and without. */
const SEED = { with: [3, 3], without: [0, 2] } as const;

const SYSTEM =
  "You are a coding agent in the user's repository. Answer in two sentences; you cannot look at the files now. End with " +
  "one line: `USE: NAME`, the file, function or command that you rely on, or `USE: check` where you would look first.";

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
  for (const one of CASES) {
    const context = await contextOf(one);
    if (context.includes(one.mark ?? one.current ?? one.outdated)) marked += 1;
    if (requests === undefined) continue;
    mkdirSync(requests, { recursive: true });
    const injected = { with: context, without: `From your memory of this project:\n- ${one.statement}` };
    for (const arm of ARMS) {
      const messages = [{ role: "user", content: `${injected[arm]}\n\n${one.question}` }];
      const request = JSON.stringify({ system: SYSTEM, messages }, null, 2);
      writeFileSync(join(requests, `${one.id}.${arm}.json`), `${request}\n`);
    }
  }
  if (answers === undefined)
    console.error(
      "no model was asked: write the answers to --requests DIR as ID.ARM.txt, then --answers DIR",
    );
  const graded = ARMS.map((arm): Figure => {
    const fileOf = ({ id }: TrustCase): string => join(answers ?? "", `${id}.${arm}.txt`);
    const asked = answers === undefined ? [] : CASES.filter((one) => existsSync(fileOf(one)));
    const passed = asked.filter((one) => hasPassed(one, readFileSync(fileOf(one), "utf8").slice(0, 100_000)));
    const [right, of] = SEED[arm];
    const figure = rateFigure(arm, passed.length, asked.length);
    return { ...figure, baseline: right / of, note: `the seed: ${right} of ${of}` };
  });
  return [rateFigure("marked", marked, CASES.length), ...graded];
}

type Names = Pick<TrustCase, "outdated" | "current">;

/** The stated rule; an answer without a `USE:` line has not passed. */
export function hasPassed({ outdated, current }: Names, text: string): boolean {
  const used = [...text.matchAll(/^[ \t>*`]*USE:(.*)$/gm)].at(-1)?.[1];
  return used !== undefined && (used.includes(current ?? "\0") || !used.includes(outdated));
}

/** What a session is told at its start and on the question, some time after the memory was written. */
function contextOf(one: TrustCase): Promise<string> {
  return withThrowawayHeed(new Date().toISOString().slice(0, 10), async (desk) => {
    desk.commit("src/refunds.ts", source("refund"));
    one.before(desk);
    const draft = { type: "project", name: one.id, description: one.statement };
    await desk.heed.memories.write(draft, { kind: "person" });
    one.after(desk);
    await desk.heed.maintenance.refreshVerdicts();
    const event = { session: one.id, client: "claude-code", cwd: "", prompt: one.question } as const;
    const start = await desk.heed.session.answer({ ...event, kind: "session-start", source: "startup" });
    const { context = "" } = await desk.heed.session.answer({ ...event, kind: "prompt" });
    return `${start.context ?? ""}\n\n${context}`.trim();
  });
}
