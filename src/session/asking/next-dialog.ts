import { readdirSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Question } from "../open-questions.ts";
import type { Place } from "../../here/place.ts";
import { modeHere } from "../../here/user-config.ts";
import { noteQuestions, readQuestionNotes } from "../../here/records/question-notes.ts";
import { type SessionState, readSession, recordSession } from "../../here/records/session-state.ts";
import { wasSeenToAsk } from "../decide-stopped-call.ts";
import { inboxOf } from "../../here/consent/inbox.ts";
import { questionsHere } from "./answer-question.ts";
import { asRecord, localDay } from "../../machine/read-fields.ts";
import { homeOf } from "../../machine/places.ts";
import { readRegularFile } from "../../machine/regular-file.ts";

const MAX_BOXES: number = 3;
const MAX_QUESTIONS = 3;
/** All of a dialog's words; questions that do not fit wait for the next. */
const MAX_BOX_CHARS: number = 1500;
/** Who typed longer ago may have gone: a dialog would hold up nobody's work and be answered by accident. */
const MAX_AGE_MS = 2 * 60_000;

export interface DialogRequest {
  session: string;
  /** The subagent that the call belongs to: it has no user. */
  agent?: string | undefined;
  /** The client, as it names itself, and its version. */
  client: string;
  version?: string | undefined;
  /** What the client's command line names beside its own settings: files, folders of plugins, or JSON. */
  settings?: readonly string[] | undefined;
  /** The code of a stopped call: it alone is asked about. Default: what waits here. */
  call?: string | undefined;
  /** It asks nothing yet, and counts against nothing. */
  isPreview?: boolean | undefined;
}

export interface Box {
  message: string;
  questions: Question[];
}

/** What a dialog may ask now: once a turn, three times a session, each question once a day. A preview leaves no trace. */
export async function nextDialog(place: Place, about: DialogRequest): Promise<Box | undefined> {
  const { session, agent, client, version, settings, call, isPreview = false } = about;
  // Others may answer by themselves.
  if (!wasSeenToAsk(client, version)) return undefined;
  if (session === "" || (agent ?? "") !== "") return undefined;
  const state = readSession(place.places, session);
  const now = place.now();
  if (modeHere(place, state.mode) === "off" || !isPersonThere(state, now)) return undefined;
  const { boxed } = state;
  if (boxed.length >= MAX_BOXES || boxed.at(-1)?.isOfTurn === true) return undefined;
  const asked = new Set(boxed.flatMap(({ codes }) => codes));
  const open = (await questionsHere(place, session)).filter(({ code }) => !asked.has(code));
  const due =
    call === undefined
      ? dueOf(place, open, session)
      : open.filter(({ code, isQuiet }) => code === call && isQuiet !== true);
  if (due.length === 0 || isAnsweredBySettings(place, settings)) return undefined;
  const some = due.slice(0, MAX_QUESTIONS);
  const tried = isPreview ? some : await Promise.all(some.map((question) => withReplay(place, question)));
  const questions = fitting(tried);
  if (questions.length === 0) return undefined;
  if (!isPreview) {
    const codes = questions.map(({ code }) => code);
    const time = now.toISOString();
    for (const { name, isLast } of questions) if (isLast) inboxOf(place).noteShown(name, now);
    recordSession(place.places, session, [{ kind: "boxed", time, codes }]);
    noteQuestions(
      place.places,
      "boxed",
      questions.map((question) => dayKey(place, question)),
      time,
    );
  }
  return { message: messageOf(questions), questions };
}

/** Whether somebody has typed in this session, and lately: headless and scheduled turns are recorded without a word. */
function isPersonThere({ trail }: SessionState, now: Date): boolean {
  const last = trail.findLast(({ kind, text }) => kind === "turn" && text !== "");
  return last !== undefined && now.getTime() - Date.parse(last.time) <= MAX_AGE_MS;
}

/** What is asked once a day: this question; of a store or a place, whatever it says by then. */
const dayKey = ({ workRoot }: Place, { code, until, name }: Question): string =>
  until === undefined ? code : `${name} ${workRoot}`;

/** First what this session's model proposed, the oldest first, then the place's questions, last claims about the user. */
function dueOf(place: Place, open: readonly Question[], session: string): Question[] {
  const { declined, boxed } = readQuestionNotes(place.places);
  const isBoxedToday = (question: Question): boolean =>
    localDay(new Date(boxed[dayKey(place, question)] ?? 0)) === localDay(place.now());
  const due = open.filter((question) => question.kind !== "allow" && !isBoxedToday(question));
  const loud = due.filter(({ isQuiet }) => isQuiet !== true);
  return [
    ...loud.filter((one) => one.until === undefined && one.session === session).reverse(),
    ...loud.filter(({ until, code }) => until !== undefined && declined[code] === undefined),
    ...due.filter(({ isLast }) => isLast === true).reverse(),
  ];
}

/** A dialog waits no longer for what its guards would have done; what was not read by then is said. */
const REPLAY_MS = 500;

/** A question that puts a guard into force says what that would have stopped. */
async function withReplay(place: Place, question: Question): Promise<Question> {
  const { kind, name, detail } = question;
  if (kind !== "guard" && kind !== "keep") return question;
  const { replayGuard } = await import("../guards/replay-guard.ts");
  const replay = await replayGuard(place, name, { withinMs: REPLAY_MS }).catch(() => undefined);
  if (!replay || replay.calls + replay.sessionsLeft === 0) return question;
  return { ...question, detail: [detail ?? "", replay.summary].filter((text) => text !== "").join(". ") };
}

function fitting(questions: readonly Question[]): Question[] {
  const kept: Question[] = [];
  for (const question of questions)
    if (messageOf([...kept, question]).length <= MAX_BOX_CHARS) kept.push(question);
  return kept;
}

function messageOf(questions: readonly Question[]): string {
  const lines = questions.map(({ text, detail }) => (detail === undefined ? text : `${text} (${detail})`));
  const [only = ""] = lines;
  return lines.length === 1 ? only : lines.map((line, i) => `${i + 1}. ${line}`).join("\n");
}

const BOUNDS = { maxBytes: 2 * 1024 * 1024 };
/** The hooks of Claude Code by which a program answers a dialog in the user's place. */
const ANSWERING_EVENTS = ["Elicitation", "ElicitationResult"] as const;

/** Whether a hook in Claude Code's settings answers dialogs. Whoever writes settings can click: unreadable ones count. */
function isAnsweredBySettings({ env, workRoot, cwd }: Place, given: readonly string[] = []): boolean {
  const home = env["CLAUDE_CONFIG_DIR"] || join(homeOf(env), ".claude");
  const roots = [workRoot, cwd, env["CLAUDE_PROJECT_DIR"] || workRoot];
  const isText = (one: string): boolean => /^\s*\{/.test(one);
  const jsonIn = (folder: string): string[] =>
    (ifThere(() => readdirSync(folder)) ?? []).flatMap((name) =>
      name.endsWith(".json") ? [join(folder, name)] : [],
    );
  try {
    const named = given.filter((one) => !isText(one)).map((path) => resolve(cwd, path));
    const folders = named.filter((path) => statSync(path).isDirectory());
    const files = [
      ...named.filter((path) => !folders.includes(path)),
      ...[home, ...roots.map((root) => join(root, ".claude"))].flatMap((folder) =>
        ["settings.json", "settings.local.json"].map((name) => join(folder, name)),
      ),
      ...MANAGED.flatMap((folder) => [
        join(folder, "managed-settings.json"),
        ...jsonIn(join(folder, "managed-settings.d")),
      ]),
      ...[...pluginFolders(home), ...folders].flatMap((folder) => {
        const manifest = join(folder, ".claude-plugin", "plugin.json");
        const hooks = [hooksIn(textOf(manifest))].flat().filter((file) => typeof file === "string");
        return [manifest, ...["hooks/hooks.json", ...hooks].map((file) => join(folder, file))];
      }),
    ];
    return [...given.filter(isText), ...files.map(textOf)].some((text) =>
      ANSWERING_EVENTS.some((event) => Object.hasOwn(asRecord(hooksIn(text)) ?? {}, event)),
    );
  } catch {
    return true;
  }
}

const MANAGED: readonly string[] =
  process.platform === "win32"
    ? [String.raw`C:\Program Files\ClaudeCode`, String.raw`C:\ProgramData\ClaudeCode`]
    : process.platform === "darwin"
      ? ["/Library/Application Support/ClaudeCode"]
      : ["/etc/claude-code"];

/** What the text of settings, or of a plugin's manifest, says of hooks. Throws where it is no JSON. */
const hooksIn = (text: string): unknown =>
  text.trim() === "" ? undefined : asRecord(JSON.parse(text))?.["hooks"];

/** The text of a file; empty without one. Throws where it cannot be read. */
const textOf = (file: string): string => ifThere(() => readRegularFile(file, BOUNDS)) ?? "";

function ifThere<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes((error as NodeJS.ErrnoException).code ?? "")) return undefined;
    throw error;
  }
}

function pluginFolders(home: string): string[] {
  const paths = textOf(join(home, "plugins", "installed_plugins.json")).matchAll(
    /"installPath"\s*:\s*("(?:[^"\\]|\\.)*")/g,
  );
  return [...paths].map(([, path = '""']) => JSON.parse(path) as string);
}
