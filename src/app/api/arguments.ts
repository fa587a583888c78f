import { LIMITS } from "../../memory/limits.ts";
import {
  callback,
  closedRecord,
  count,
  data,
  either,
  list,
  milliseconds,
  oneOf,
  optional,
  record,
  recordOf,
  text,
} from "./argument-check.ts";
import { anyText, changes, draft, guard, optionalFlag, optionalText, words } from "./draft-arguments.ts";
import type { Heed } from "./heed.ts";
import type { Argument } from "./known-arguments.ts";
import {
  actor,
  anything,
  event,
  explained,
  filter,
  handle,
  limit,
  maybe,
  options,
  plan,
  progress,
  receipt,
  request,
  show,
  who,
  word,
} from "./known-arguments.ts";

/** Of each method of a group each argument, in their order. */
export type ArgumentsOf<Group> = {
  readonly [Name in keyof Group]: Group[Name] extends (...args: infer Args) => unknown
    ? { readonly [Index in keyof Args]-?: Argument }
    : ArgumentsOf<Group[Name]>;
};

/**
 * What each method takes, in the order of its arguments. It is checked before the method runs, so that a wrong argument
 * is told as one, by its name, and nothing has happened.
 */
export const ARGUMENTS: ArgumentsOf<Omit<Heed, "close">> = {
  memories: {
    list: [["filter", optional(record("an object that narrows the list down", filter))]],
    survey: [["filter", optional(record("an object that narrows the survey down", filter))]],
    watch: [["onChange", callback]],
    show: [handle, show],
    showAll: [["handles", list(handle[1])], show],
    showFile: [handle, show],
    search: [
      [
        "request",
        record("an object with a query", {
          ...filter,
          query: text("words to look for", { maxChars: LIMITS.queryChars, allowsBlank: true }),
          limit,
          withRelated: optionalFlag,
          isExplained: optionalFlag,
        }),
      ],
    ],
    overview: [],
    types: [],
    write: [["draft", draft], actor],
    update: [handle, ["changes", changes], actor],
    edit: [
      handle,
      ["edited", record("an object with text and ifHash", { text: anyText, ifHash: anyText })],
      actor,
    ],
    readDraft: [["text", anyText]],
    remove: [handle, ["reason", anyText], actor],
    restore: [handle, actor],
    rename: [handle, ["newName", text("another name")], actor],
    renameScope: [
      ["request", record("an object with from and to", { from: word, to: word, isApplied: optionalFlag })],
      actor,
    ],
  },
  inbox: {
    list: [maybe(options({ reader: optional(who) }))],
    confirm: [
      handle,
      [
        "confirmation",
        closedRecord("an object, empty or with edited", {
          edited: optional(
            closedRecord("an object with what is put right", {
              type: optionalText,
              description: optionalText,
              body: optionalText,
            }),
          ),
        }),
      ],
      actor,
    ],
    reject: [handle, ["reason", anyText], actor],
    restore: [handle, actor],
  },
  consent: {
    questions: [],
    answer: [["code", word], ["answer", oneOf(["yes", "no"])], actor],
    nextBox: [
      [
        "about",
        record("an object with session and client", {
          session: anyText,
          agent: optionalText,
          client: anyText,
          version: optionalText,
          settings: words,
          call: optionalText,
        }),
      ],
    ],
  },
  history: {
    list: [maybe(request({ handle: optional(handle[1]), limit }))],
    blame: [handle],
    diff: [handle, maybe(options({ change: optionalText }))],
    undo: [request({ change: optional(text("the id of a change")) }), actor],
    rollBack: [
      request({
        session: optional(text("the id of a session")),
        actor: optional(text("an actor")),
        since: optionalText,
        isApplied: optionalFlag,
      }),
      actor,
    ],
  },
  conversations: {
    search: [
      maybe(
        request({ text: optionalText, isEverywhere: optionalFlag, limit, readMs: optional(milliseconds) }),
      ),
    ],
    show: [
      [
        "about",
        record("an object with session or memory", {
          session: optional(text("the id of a session")),
          memory: optional(handle[1]),
          from: optional(count("a whole number from 0 on", 0)),
          limit,
          readMs: optional(milliseconds),
        }),
      ],
    ],
  },
  guards: {
    list: [],
    try: [["call", record("a tool use: an object with tool and input", { tool: optionalText, input: data })]],
    add: [handle, request({ guard }), actor],
    reportWrong: [["receipt", receipt], actor],
  },
  session: {
    answer: [event, ["options", anything]],
    why: [explained],
    map: [
      maybe(
        request({
          isForSubagent: optionalFlag,
          budgetChars: optional(count("a whole number of characters from 1 on")),
        }),
      ),
    ],
    opening: [maybe(options({ stores: optional(oneOf(["all", "project"])) }))],
    receipts: [maybe(options({ limit, name: optional(handle[1]) }))],
    activity: [maybe(options({ days: optional(count("a whole number of days from 1 on")) }))],
    resume: [],
    newest: [["client", text("a client's name")]],
  },
  learning: {
    capture: [maybe(options({ isInBackground: optionalFlag, waitsForIdle: optionalFlag }))],
    backfill: [
      maybe(
        options({
          from: optional(list(text("a path"))),
          since: optionalText,
          limit,
          isApplied: optionalFlag,
        }),
      ),
      progress,
    ],
  },
  upkeep: {
    check: [],
    health: [],
    verify: [
      handle,
      ["attestation", record("an object with claims and note", { claims: words, note: optionalText })],
      actor,
    ],
    repair: [
      handle,
      request({ isApplied: optionalFlag, ifHash: optionalText, takesValues: optionalFlag }),
      actor,
    ],
    anchor: [request({ handles: optional(list(handle[1])), isApplied: optionalFlag }), actor],
    tidy: [maybe(request({ isApplied: optionalFlag }))],
    reindex: [progress],
    refreshVerdicts: [maybe(options({ limitMs: optional(milliseconds) }))],
    test: [maybe(options({ filter: optionalText }))],
    saveTest: [explained],
  },
  memoryTool: {
    run: [
      [
        "command",
        record("a command of the memory tool: an object with command and path", { command: anyText }),
      ],
      actor,
    ],
  },
  exchange: {
    sources: [],
    importFrom: [
      request({
        from: text("the path of a file or folder"),
        format: optionalText,
        project: optionalText,
        isEverywhere: optionalFlag,
        type: optionalText,
        isApplied: optionalFlag,
      }),
      actor,
      progress,
    ],
    exportAs: [maybe(request({ format: optionalText, types: words, stores: words }))],
  },
  setup: {
    init: [["kind", oneOf(["user", "project"])], maybe(actor)],
    stores: [],
    repositoryLabel: [["name", text("the name of a repository")]],
    attach: [["directory", text("the path of a directory")], options({ isWritable: optionalFlag }), actor],
    detach: [["directory", text("the path of an attached directory")]],
    sync: [maybe(request({ remote: optional(text("the address of a git repository")) })), progress],
    reviewTrust: [maybe(options({ store: optional(oneOf(["user", "project"])) }))],
    trust: [maybe(options({ token: optionalText, store: optional(oneOf(["user", "project"])) }))],
    answerClaims: [["answer", oneOf(["same", "other"])]],
    scrub: [["value", anyText], options({ isApplied: optionalFlag }), actor],
    clientMemory: [],
    setWriter: [["writer", oneOf(["heed", "client"])], actor],
    setLearn: [["mode", oneOf(["off", "model"])], actor],
    setMode: [
      ["mode", anyText],
      [
        "where",
        either(
          "user, project, or an object with session",
          oneOf(["user", "project"]),
          record("", { session: anyText }),
        ),
      ],
      maybe(actor),
    ],
    setMap: [
      ["setting", either("auto, off, or a number of characters", anyText, count("a whole number"))],
      ["where", oneOf(["user", "project"])],
      maybe(actor),
    ],
    status: [],
    semantic: {
      status: [],
      plan: [request({ from: optional(text("a directory")), isNative: optionalFlag })],
      install: [plan],
      remove: [],
    },
  },
};

/** How heed is opened. `now` is a function here; what it answers is looked at whenever it is asked. */
export const OPEN_OPTIONS: Argument = maybe(
  options({
    cwd: optional(either("the path of a directory", oneOf([""]), text(""))),
    env: optional(recordOf("an object of texts", optionalText)),
    program: optional(text("the path of a program")),
    now: optional(callback),
    isResident: optionalFlag,
    onAnswered: optional(callback),
  }),
);

/** What is wrong with the first wrong argument, if any; what is more than a method takes is let be. */
export function complaintAbout(
  wanted: readonly Argument[],
  given: readonly unknown[],
): { at: string; is: string; give: string } | undefined {
  for (const [index, [name, check]] of wanted.entries()) {
    const complaint = check(given[index], name);
    if (complaint) return complaint;
  }
  return undefined;
}
