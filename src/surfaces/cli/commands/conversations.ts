import type {
  ConversationAnswer,
  ConversationPlace,
  Heed,
  ShownConversation,
  ShownPassage,
  CaptureReport,
} from "../../../heed.ts";
import type { CommandSpec } from "../arguments/command.ts";
import { EXIT, limitTo } from "../arguments/command.ts";
import {
  type Text,
  minuteOf,
  plural,
  bold,
  cleanText,
  cyan,
  dim,
  oneLine,
  yellow,
} from "../output/output.ts";
import { setPriority } from "node:os";

const WHO: Readonly<Record<ShownPassage["kind"], string>> = {
  said: "you",
  answer: "agent",
  fixed: "commands",
  record: "heed",
};

const history: CommandSpec = {
  arguments: [{ name: "WORDS", isRest: true, isOptional: true }],
  options: {
    session: { sets: "session", value: "ID", onlyWith: ["--limit"], help: "read this conversation" },
    memory: {
      sets: "memory",
      value: "NAME",
      onlyWith: ["--limit"],
      help: "read the part that a memory came from",
    },
    everywhere: { sets: "isEverywhere", help: "search all repositories; default: this one" },
    limit: limitTo(500, 5, "at most this many conversations, or passages"),
  },
  details: [
    "Searches what you and your agents said in past sessions of every client with transcripts on this machine; without",
    "words it lists the latest. Of two conversations about one thing the newer comes first. The index is private to this",
    "machine and holds no secrets; `history: off` in the user store's config.yaml removes it.",
    "Changes of memories: heed undo --list.",
  ],
  examples: ["heed history retry after a 401", "heed history --memory staging-database"],
  json: '{"conversations": [...], "count", "isPartial", "isOff"}; one: {"passages": [...], "at", "count", ...}',
  async run({ args, out, open }) {
    const heed = open();
    if (args.has("session") || args.has("memory")) {
      const shown = await heed.conversations.show(args.fields());
      out.answer(shown, () => [
        headOf(shown, heed),
        ...shown.passages.flatMap((passage, i): Text[] => ["", ...passageLines(passage, i === shown.at)]),
        ...(shown.passages.length < shown.count ? ["", dim(restOf(shown))] : []),
      ]);
      for (const line of partialLines(shown)) out.note(yellow(line));
      return;
    }
    const answer = await heed.conversations.search({ text: args.positionals.join(" "), ...args.fields() });
    out.answer(answer, () => answer.conversations.flatMap((found) => [...foundLines(found, heed), ""]));
    for (const line of notesOf(answer, args.has("everywhere"))) out.note(yellow(line));
  },
};

function restOf({ from, passages, count }: ShownConversation): string {
  const shown = `${from + 1} to ${from + passages.length}`;
  return `${shown} of ${plural(count, "passage")}; --limit ${Math.min(count, 500)} shows more`;
}

function foundLines(found: ConversationAnswer["conversations"][number], heed: Heed): Text[] {
  return [
    headOf(found, heed),
    ...found.passages.map((passage): Text => [dim(`  ${WHO[passage.kind]}: `), oneLine(passage.text)]),
  ];
}

function headOf({ session, client, repo, branch, ended }: ConversationPlace, heed: Heed): Text {
  const where = [client, repo && heed.setup.repositoryLabel(repo), branch]
    .filter((part) => part !== "")
    .join(", ");
  return [
    bold(ended === "" ? "no date" : minuteOf(ended)),
    "  ",
    oneLine(session),
    dim(`  ${oneLine(where)}`),
  ];
}

function passageLines({ kind, time, text }: ShownPassage, isOrigin: boolean): Text[] {
  const [first = "", ...rest] = cleanText(text).split("\n");
  const head = [bold(WHO[kind]), dim(time === "" ? "" : ` ${minuteOf(time)}`)];
  return [
    [...head, isOrigin ? cyan("  the memory came from here") : ""],
    ...[first, ...rest].map((line): Text => `  ${line}`),
  ];
}

function notesOf(answer: ConversationAnswer, isEverywhere: boolean): string[] {
  if (answer.isOff)
    return [
      "History is off (by `history: off` in config.yaml or the organisation's policy): nothing is kept or found.",
    ];
  const { count, conversations } = answer;
  const none =
    count === 0 ? "No conversations are saved yet" : `No match in ${plural(count, "saved conversation")}`;
  const where = isEverywhere ? "" : " for this repository; --everywhere searches all";
  return [...(conversations.length > 0 ? [] : [`${none}${where}.`]), ...partialLines(answer, answer.unread)];
}

/** Why not all that was said is there. */
function partialLines(
  { isPartial, missing: { passages } }: Pick<ShownConversation, "isPartial" | "missing">,
  unread: readonly string[] = [],
): string[] {
  const cut = `Not kept here: the oldest ${plural(passages, "passage")} of long conversations.`;
  const lines = [...(passages > 0 ? [cut] : []), ...unread];
  return isPartial && lines.length === 0 ? ["Not all new transcripts are read yet: try again."] : lines;
}

/** A run that takes longer is ended: nothing that heed starts stays behind. */
const MAX_RUN_MS = 5 * 60_000;
/** With `--when-idle` it may wait this much longer. */
const MAX_WAIT_MS = 60 * 60_000;

const capture: CommandSpec = {
  options: {
    quiet: { help: "as the hooks start it: no output, lowest priority, stops for a prompt" },
    "when-idle": { help: "start when nobody has said anything in a session for a minute" },
  },
  details: [
    "Writes an episode of each session that has ended and, with learn: model, has a model read your turns and propose",
    "memories. The hooks start it in the background when a session ends, or after a minute of silence.",
    "`capture: off` in the config.yaml of your store, or of this repository's, turns it off.",
  ],
  examples: ["heed capture"],
  json: '{"sessions": [{"session", "episode", "turns", "proposals", ...}], "isLeftToOther", "problems"}',
  async run(invocation) {
    const { args, out, open } = invocation;
    const [isInBackground, waitsForIdle] = [args.has("quiet"), args.has("when-idle")];
    setTimeout(() => process.exit(EXIT.outside), MAX_RUN_MS + (waitsForIdle ? MAX_WAIT_MS : 0)).unref();
    if (isInBackground) lowerPriority();
    const report = await open().learning.capture({ isInBackground, waitsForIdle });
    if (isInBackground) return EXIT.done;
    const isIdle = report.sessions.length + report.problems.length === 0 && !report.isLeftToOther;
    out.answer(report, () => [
      ...(isIdle ? ["No session is waiting to be read."] : []),
      ...report.sessions.map(sessionLine),
      ...report.problems.map(yellow),
      ...(report.isLeftToOther ? ["Another process is at work; it reads the waiting sessions."] : []),
    ]);
    return report.problems.length > 0 ? EXIT.refused : EXIT.done;
  },
};

function sessionLine({ session, episode, proposals }: CaptureReport["sessions"][number]): Text {
  const parts = [...(episode === undefined ? [] : [`episode ${episode}`]), plural(proposals, "proposal")];
  return [bold(session), `  ${parts.join(", ")}`];
}

/** `PRIORITY_LOW` of node:os. */
const LOWEST_PRIORITY = 19;

/** Whatever a person waits for goes first. */
function lowerPriority(): void {
  try {
    setPriority(LOWEST_PRIORITY);
  } catch {
    // Not allowed here: then it runs as it is.
  }
}

export const commands: Readonly<Record<string, CommandSpec>> = { history, capture };
