import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { learnQuestion, parseLesson } from "../src/past/learner/learner.ts";
import type { LabelledTurn } from "./extraction-data.ts";
import { plain, type Written } from "./replayed-session.ts";

/** What a model wrote of a turn about which it was asked. */
export interface AnsweredTurn {
  turn: LabelledTurn;
  written: Written[];
}

/** Answers that were read, and the items whose quote is in none of the turns: those are dropped before they count. */
export interface ReadAnswers {
  asked: AnsweredTurn[];
  unsaid: number;
}

/** Turns in which the user takes back what they say: the model is to see that, and to write nothing. */
export const SCRATCHED: readonly { id: string; user: string }[] = [
  "always use tabs for indentation. Scratch that, leave it as it is and fix the import",
  "from now on squash every branch… no wait, forget it, that was the other repo. Run the tests please",
  "never push to main without a review. Hmm, actually no: we push to main here. Go on",
  "use pnpm instead of npm, always. Sorry, ignore that, I was thinking of the frontend repo",
  "Remember that the freeze starts on Thursday. Nope, that's cancelled, nothing to remember",
  "I always want docstrings on public functions. On second thought don't bother, I don't care",
  "please keep comments in German from now on. Just kidding. Next: the login page",
  "our staging host is atlas. Wait, it was renamed and I don't know the name, so drop that",
  "don't ever use default exports. Scratch that. Rename the component to UserCard",
  "ab jetzt immer mit --no-cache bauen. Ach nein, vergiss das wieder. Bau einfach nochmal",
].map((user, i) => ({ id: `scratched-${i + 1}`, user }));

/**
 * What a model at work would have before it when the turn comes, one file each: the server's own instructions and tool,
 * the end of its own last message, the turn; and the turns of {@link SCRATCHED}.
 */
export function writeTurnRequests(folder: string, turns: readonly LabelledTurn[]): void {
  mkdirSync(folder, { recursive: true });
  const { instructions, tools } = servedTexts();
  const tool = tools.find(({ name }) => name === "memory_write");
  for (const { id, before, user } of [...turns, ...SCRATCHED.map((one) => ({ ...one, before: "" }))])
    write(folder, id, {
      system: instructions,
      tools: [{ name: tool?.name, description: tool?.description, input_schema: tool?.inputSchema }],
      messages: [
        ...(before === "" ? [] : [{ role: "assistant", content: before }]),
        { role: "user", content: user },
      ],
    });
}

/** What heed's built server tells a client, which shows it to the model. */
export function servedTexts(): {
  instructions: string;
  tools: { name: string; description: string; inputSchema: unknown }[];
} {
  const home = mkdtempSync(join(tmpdir(), "heed-bench-"));
  const clientInfo = { name: "claude-code", version: "2.1.330" };
  const hello = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo };
  const input = [
    { id: 1, method: "initialize", params: hello },
    { id: 2, method: "tools/list", params: {} },
  ].map((message) => `${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  const env = { PATH: process.env["PATH"], HOME: home, HEED_DIR: join(home, "memories") };
  const options = { env, input: input.join(""), encoding: "utf8" } as const;
  const { stdout } = spawnSync(process.execPath, ["plugin/dist/heed.cjs", "mcp"], options);
  rmSync(home, { recursive: true, force: true, maxRetries: 10 });
  const results = stdout
    .trim()
    .split("\n")
    .map((line) => (JSON.parse(line) as { result: object }).result);
  return Object.assign({}, ...results) as ReturnType<typeof servedTexts>;
}

/** Answers about turns, one file each; a turn without one was not asked. */
export function readTurnAnswers(folder: string, turns: readonly LabelledTurn[]): ReadAnswers {
  const asked = turns.flatMap((turn) => {
    const answer = readAnswer(folder, turn.id);
    return answer === undefined ? [] : [{ turn, written: listIn(answer, "memories", turn.id) }];
  });
  return { asked, unsaid: 0 };
}

/** How many of the turns that take something back a model wrote something of, and of how many it was asked. */
export function readScratched(folder: string): { written: number; n: number } {
  const answers = SCRATCHED.flatMap(({ id }) => {
    const answer = readAnswer(folder, id);
    return answer === undefined ? [] : [listIn(answer, "memories", id)];
  });
  return { written: answers.filter((written) => written.length > 0).length, n: answers.length };
}

/** So many turns are read by one call, as after a session. */
const TURNS = 20;

/** Turns as they are read after a session: the questions that `learn: model` puts, one file each. */
export function writeLessonRequests(folder: string, turns: readonly LabelledTurn[]): void {
  mkdirSync(folder, { recursive: true });
  for (const { id, turns: read } of lessonsOf(turns)) {
    const said = read.map(({ user, before }) => ({ time: "", said: user, before }));
    write(folder, id, { ...learnQuestion({ session: id, turns: said, known: [] }) });
  }
}

/** Answers to those: each item belongs to the turn that holds its quote. */
export function readLessonAnswers(folder: string, turns: readonly LabelledTurn[]): ReadAnswers {
  const read: ReadAnswers = { asked: [], unsaid: 0 };
  for (const { id, turns: of } of lessonsOf(turns)) {
    const answer = readAnswer(folder, id);
    if (answer === undefined) continue;
    const items = parseLesson(JSON.stringify({ items: listIn(answer, "items", id) }))?.items ?? [];
    const asked = of.map((turn): AnsweredTurn => ({ turn, written: [] }));
    for (const item of items) {
      const turn = asked.find((one) => plain(one.turn.user).includes(plain(item.quote)));
      if (turn) turn.written.push(item);
      else read.unsaid += 1;
    }
    read.asked.push(...asked);
  }
  return read;
}

function lessonsOf(turns: readonly LabelledTurn[]): { id: string; turns: LabelledTurn[] }[] {
  const sessions = new Map<string, LabelledTurn[]>();
  for (const turn of turns) sessions.set(turn.session, [...(sessions.get(turn.session) ?? []), turn]);
  return [...sessions.values()].flatMap((all) =>
    Array.from({ length: Math.ceil(all.length / TURNS) }, (_, i) => {
      const some = all.slice(i * TURNS, (i + 1) * TURNS);
      return { id: `lesson-${some[0]?.id ?? ""}`, turns: some };
    }),
  );
}

export function write(folder: string, id: string, request: object): void {
  writeFileSync(join(folder, `${id}.json`), `${JSON.stringify({ id, ...request }, null, 1)}\n`);
}

export function readAnswer(folder: string, id: string): Record<string, unknown> | undefined {
  const file = join(folder, `${id}.json`);
  return existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as Record<string, unknown>) : undefined;
}

/** The list of an answer: under its key, or as JSON somewhere in a `text`. */
function listIn(answer: Record<string, unknown>, key: string, id: string): Written[] {
  const text = answer["text"];
  const given =
    typeof text === "string"
      ? (JSON.parse(/\{[^]*\}/.exec(text)?.[0] ?? "{}") as Record<string, unknown>)[key]
      : answer[key];
  if (!Array.isArray(given)) throw new Error(`${id}.json: give {"${key}": [...]}, empty for none`);
  return given as Written[];
}
