import { listSessions, recordSession, sessionFile } from "./session-state.ts";
import { FORMULA_BEGINS } from "../../memory/formula.ts";
import { followEvents, FORMATS } from "../../machine/state-file.ts";
import type { Places } from "../../machine/places.ts";
import { sha256Hex } from "../../machine/sha256.ts";

/** A command of heed's that stood in a call is the model's for so long, and what was cut of a call may be any. */
const LIVE_MS = 600_000;
/** Words behind heed's name among which its command is; each flag, with its value, is beside these. */
const MAX_WORDS = 4;
const MAX_NAMED = 500;
const MAX_LINES = 50;
/** How a text ends in which heed's name and a command may have begun. A secret has digits: no piece of one is kept. */
const BEGUN = /h(?:e(?:e(?:d(?:keep[a-z-]{0,40}|[a-z]{0,6})?)?)?)?$/;
/** Stands for whatever a call may have held: it was cut, or names heed more often than is noted. */
const ANYTHING = "*";

/** Notes words behind heed's name and beginnings of formulas, hashed. `ran`: heed's commands that the call runs itself. */
export function noteCall(
  places: Places,
  session: string,
  call: { input: unknown; cut?: unknown; ran?: readonly (readonly string[])[] | undefined },
  time: string,
): void {
  if (session === "") return;
  const texts = textsIn(call.input);
  const words = texts
    .join(" ")
    .replace(/["'`\\]/g, "")
    .toLowerCase()
    .split(/[\s;&|<>(){}[\],=:]+/);
  const named = new Set(call.ran?.map(wholeCommand) ?? wordsBehindName(words));
  // A formula may come in pieces, one a call.
  const before = notesOf(places, session).at(-1)?.tail ?? "";
  const said = before + folded(texts.join(""));
  const lines = new Set(beginningsIn(said));
  const tail = BEGUN.exec(said)?.[0] ?? "";
  const isAny = call.cut !== undefined || named.size > MAX_NAMED || lines.size > MAX_LINES;
  if (!isAny && named.size + lines.size === 0 && tail === before) return;
  const note = {
    words: isAny ? [ANYTHING] : [...named].map(shortHash),
    lines: isAny ? [ANYTHING] : [...lines].map(shortHash),
    tail,
  };
  recordSession(places, session, [{ kind: "called", time, ...note }]);
}

/** A command line of heed's as it is compared with one that a call ran. */
export const wholeCommand = (words: readonly string[]): string => `heed ${words.join(" ")}`;

/** Whether a command of heed's, by its name or whole, stood in a call of any session within the last ten minutes. */
export function isCommandOfCall(places: Places, command: string, now: Date): boolean {
  const hash = shortHash(command);
  return liveNotes(places, now).some(({ words }) => words.includes(hash) || words.includes(ANYTHING));
}

/** Whether the beginning of a formula stood in a call of this session, or within the last ten minutes in one of any other. */
export function isLineOfCall(places: Places, line: string, session: string, now: Date): boolean {
  const hash = shortHash(beginningsIn(folded(line))[0] ?? "");
  const live = liveNotes(places, now);
  return (
    notesOf(places, session).some(({ lines }) => lines.includes(hash)) ||
    live.some(({ lines }) => lines.includes(hash) || lines.includes(ANYTHING))
  );
}

interface CallNote {
  time: string;
  words: readonly string[];
  lines: readonly string[];
  tail: string;
}

function liveNotes(places: Places, now: Date): CallNote[] {
  return listSessions(places)
    .filter(({ mtimeMs }) => Date.now() - mtimeMs <= LIVE_MS)
    .flatMap(({ file }) => notesIn(file))
    .filter(({ time }) => now.getTime() - Date.parse(time) <= LIVE_MS);
}

const notesOf = (places: Places, session: string): CallNote[] => notesIn(sessionFile(places, session));

function notesIn(file: string): CallNote[] {
  const called = followEvents(file, FORMATS.sessions).filter(({ kind }) => kind === "called");
  const list = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);
  return called.map(({ time, words, lines, tail = "" }) => ({
    time: String(time),
    words: list(words),
    lines: list(lines),
    tail: String(tail),
  }));
}

/** All texts of a call's input, in order; their keys say nothing. */
function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

function wordsBehindName(words: readonly string[]): string[] {
  let left = 0;
  return words.filter((word) => {
    const isBehind = left > 0;
    if (word.includes("heed")) left = MAX_WORDS;
    else if (isBehind) left += word.startsWith("-") ? 1 : -1;
    return isBehind;
  });
}

const folded = (text: string): string => text.replace(/[\s"'`\\]+/g, "").toLowerCase();

const beginningsIn = (text: string): string[] =>
  [...text.matchAll(FORMULA_BEGINS)].map(([, begins = ""]) => begins);

const shortHash = (text: string): string => sha256Hex(text).slice(0, 12);
