import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { announceLater, takeAnnouncements } from "../../../src/here/records/announcements.ts";
import { enqueueJob, takeJob } from "../../../src/here/capture-queue.ts";
import { readReceipts } from "../../../src/here/records/receipt-log.ts";
import {
  conversationsFolder,
  readConversation,
  writeConversation,
  emptyConversation,
} from "../../../src/here/records/past-conversations.ts";
import { readSession, recordSession, sessionKey } from "../../../src/here/records/session-state.ts";
import { noteQuestions, readQuestionNotes } from "../../../src/here/records/question-notes.ts";
import { appendUse, readUse } from "../../../src/here/records/use-log.ts";
import { keepWatch } from "../../../src/session/above-heed.ts";
import {
  readUserWords,
  Approvals,
  changeApprovals,
  readStoreRegistry,
  trustStore,
} from "../../../src/store/consent.ts";
import { openHeed } from "../../../src/heed.ts";
import { Place, openWorkspace } from "../../../src/here/place.ts";
import { passwordFile } from "../../../src/here/team-connection.ts";
import { HeedError } from "../../../src/machine/heed-error.ts";
import { readKnownRepositories, rememberRepository } from "../../../src/machine/repository-identity.ts";
import { learnSpent } from "../../../src/past/learner/learner.ts";
import { FORMATS, readVersioned, writeVersioned } from "../../../src/machine/state-file.ts";
import { stateOfStore } from "../../../src/store/config/store-config.ts";
import { ChangeJournal } from "../../../src/store/history/change-journal.ts";

/*
 * Files as heed wrote them before they said their version: the first version of each. They must be read for ever, so the
 * texts here are not to be changed with the code.
 */
const TIME = "2026-11-22T08:02:01.119Z";
const KEY = "01M814CS027D6K0KB4TKY2JC14:01M814DEP6EC1877JXTWW30A8M";
const CHANGE = "01M814DESJ71XD11AWY76H9PV9";
const ROOT = "/nowhere/.heed";
const REPOSITORY = { names: [], root: undefined, inode: "", claims: [], answer: undefined, seen: TIME };
const RECEIPT_LINE = `{"id":"20261122-080201-6d18cb","time":"${TIME}","session":"s1","kind":"session-start","cwd":"/p","about":"startup","chars":338,"decisions":[],"isCut":false,"elapsedMs":141.5,"context":"Standing rules"}`;
const { context: _context, ...RECEIPT } = JSON.parse(RECEIPT_LINE) as Record<string, unknown>;
const base = mkdtempSync(join(tmpdir(), "heed-formats-"));
afterAll(() => rmSync(base, { recursive: true, force: true, maxRetries: 10 }));
const env = { HOME: base, HEED_STATE_DIR: join(base, "state"), HEED_CACHE_DIR: join(base, "cache") };
const place = new Place(openWorkspace({ cwd: base, env }));
const { places } = place;
const state = stateOfStore(places, ROOT);
const journal = new ChangeJournal(state, (file) => join(ROOT, file));

const CONVERSATION = {
  session: "s1",
  client: "claude-code",
  repo: "",
  offsets: {},
  format: "claude-code",
  conversation: emptyConversation(),
};
const CONVERSATION_FILE = join(conversationsFolder(places), `${sessionKey("s1")}.json`);

interface Kind {
  file: string;
  text: string;
  read(): unknown;
  value: unknown;
  /** What is read where only a newer heed has written, and `write` after it. */
  nothing: unknown;
  /** Writes over, or beside, what is there. */
  write?(): unknown;
}

const inState = (file: string): string => join(places.state, file);
const job = { session: "s1", transcript: "/t.jsonl", client: "claude-code", cwd: "/p", why: "stop" } as const;

/** Logs, to which lines are added. */
const LOGS: Record<string, Kind> = {
  sessions: {
    file: inState("sessions/s1.jsonl"),
    text: `{"kind":"injected","time":"${TIME}","isBlock":true,"chars":338,"memories":[{"key":"${KEY}","hash":"31336104f2c7720c","form":"rule","name":"n"}]}`,
    read: () => [...readSession(places, "s1").context.injected.values()],
    value: [{ key: KEY, hash: "31336104f2c7720c", form: "rule", name: "n" }],
    nothing: [],
    write: () => recordSession(places, "s1", [{ kind: "ended", time: TIME, why: "x" }]),
  },
  receipts: {
    file: inState("receipts/20261122.jsonl"),
    text: RECEIPT_LINE,
    read: () => readReceipts(places),
    value: [RECEIPT],
    nothing: [],
  },
  use: {
    file: inState("use/2026-11.jsonl"),
    text: `{"time":"${TIME}","session":"s1","key":"${KEY}","name":"n","what":"cited","of":872957170}`,
    read: () => readUse(places).get(KEY),
    value: 1,
    nothing: undefined,
    write: () =>
      appendUse(places, [{ time: TIME, session: "s1", key: "k", name: "n", what: "cited", of: 7 }]),
  },
  learn: {
    file: inState("learn.jsonl"),
    text: `{"kind":"asked","id":"a1b2c3d4e5f6","time":"${TIME}","session":"s1","model":"claude-code haiku","reserve":900}`,
    read: () => learnSpent(places, new Date(TIME)),
    value: { calls: 1, items: 0 },
    nothing: { calls: 0, items: 0 },
  },
  userWords: {
    file: inState("claim-words.jsonl"),
    text: `{"hash":"31336104f2c7720c","word":"confirmed","name":"n","store":"01M814CS027D6K0KB4TKY2JC14","time":"${TIME}","by":"person"}`,
    read: () => [...readUserWords(places)],
    value: [["31336104f2c7720c", "confirmed"]],
    nothing: [],
  },
  announcements: {
    file: inState("capture/announcements.jsonl"),
    text: '{"line":"saved as a rule: x"}',
    read: () => takeAnnouncements(places, "/work", async (announced) => announced),
    value: { lines: ["saved as a rule: x"], forModel: [] },
    nothing: { lines: ["y"], forModel: [] },
    write: () => announceLater(places, { line: "y" }),
  },
};

/** JSON files, which are written again. */
const FILES: Record<string, Kind> = {
  captureJob: {
    file: inState("capture/queue/s1.json"),
    text: JSON.stringify(job),
    read() {
      // A transcript that is not there is waited for, a day at most.
      const taken = takeJob(places, Date.now() + 48 * 3_600_000);
      taken?.done();
      return taken?.job;
    },
    value: job,
    nothing: undefined,
    write: () => enqueueJob(places, { ...job, why: "end" }),
  },
  conversation: {
    file: CONVERSATION_FILE,
    text: JSON.stringify(CONVERSATION),
    read: () => readConversation(places, "s1").client,
    value: "claude-code",
    nothing: "",
    write: () => writeConversation(places, { ...CONVERSATION, client: "x" }, new Date(TIME)),
  },
  above: {
    file: inState("above.json"),
    text: '{"program":"1.0.0","files":{}}',
    read: () => readVersioned(inState("above.json"), FORMATS.above),
    value: { program: "1.0.0", files: {} },
    nothing: undefined,
    write: () => void keepWatch(place, true),
  },
  questions: {
    file: inState("questions.json"),
    text: `{"shown":{"k3m9p":"${TIME}"},"boxed":{"k3m9p":"${TIME}"},"declined":{}}`,
    read: () => readQuestionNotes(places),
    value: { shown: { k3m9p: TIME }, boxed: { k3m9p: TIME }, declined: {} },
    nothing: { shown: {}, boxed: {}, declined: {} },
    write: () => noteQuestions(places, "declined", ["k3m9p"], TIME),
  },
  repositories: {
    file: inState("repositories.json"),
    text: `{"repositories":{"/p/.git":{"names":["github.com/acme/api"],"root":"d4d2","inode":"1:2@3","seen":"${TIME}"}}}`,
    read: () => [...readKnownRepositories(places)],
    value: [["/p/.git", { ...REPOSITORY, names: ["github.com/acme/api"], root: "d4d2", inode: "1:2@3" }]],
    nothing: [],
    write: () => rememberRepository(places, "/q/.git", REPOSITORY),
  },
  stores: {
    file: inState("stores.json"),
    text: '{"trusted":{"S1":["/nowhere/.heed"]},"attached":[{"id":"a","root":"/b"}],"silenced":["/c"]}',
    read: () => readStoreRegistry(places),
    value: {
      trusted: { S1: ["/nowhere/.heed"] },
      attached: [{ id: "a", root: "/b" }],
      silenced: ["/c"],
    },
    nothing: { trusted: {}, attached: [] },
    write: () => trustStore(places, "S2", "/d"),
  },
  team: {
    file: join(state.folder, "team.json"),
    text: '{"seq":7,"isPartial":false}',
    read: () => readVersioned(join(state.folder, "team.json"), FORMATS.team),
    value: { seq: 7, isPartial: false },
    nothing: undefined,
    write: () => writeVersioned(join(state.folder, "team.json"), FORMATS.team, { seq: 8, isPartial: true }),
  },
  teamPasswords: {
    file: passwordFile(places),
    text: '{"postgres://a@b/c":"d"}',
    read: () => readVersioned(passwordFile(places), FORMATS.teamPasswords),
    value: { "postgres://a@b/c": "d" },
    nothing: undefined,
    write: () => writeVersioned(passwordFile(places), FORMATS.teamPasswords, { "postgres://a@b/c": "e" }),
  },
  approvals: {
    file: join(state.folder, "approved", "rules.json"),
    text: '{"format":1,"waiting":["w"],"rules":{"R":{"name":"n","file":"feedback/n.md","hash":"31336104f2c7720c"}}}',
    read() {
      const approvals = new Approvals(state);
      return [approvals.ids(), approvals.has("R", "31336104f2c7720c")];
    },
    value: [["R"], true],
    nothing: [[], false],
    write: () => changeApprovals(state, { forgotten: ["R"] }),
  },
  change: {
    file: join(state.changes, `${CHANGE}.json`),
    text: `{"id":"${CHANGE}","time":"${TIME}","actor":{"kind":"person"},"summary":"write feedback/n: x","files":[{"file":"feedback/n.md","before":null,"after":"x"}]}`,
    read: () => journal.read(CHANGE)?.summary,
    value: "write feedback/n: x",
    nothing: undefined,
    write: () => journal.forget([CHANGE]),
  },
};

const put = ({ file }: Kind, text: string): void => {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
};

/** The same content as a heed to come would say it. */
function asNewer(name: string, { text }: Kind): string {
  const { key, version } = FORMATS[name as keyof typeof FORMATS];
  return JSON.stringify({ ...(JSON.parse(text) as object), [key]: version + 1 });
}

async function orRefused(run: () => unknown): Promise<unknown> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof HeedError && error.message.includes("was written by a newer heed"))) throw error;
    return "refused";
  }
}

test("each form that there is has its sample here", () => {
  expect(Object.keys({ ...LOGS, ...FILES }).sort()).toEqual(Object.keys(FORMATS).sort());
});

test("docs/state.md names each form with its version", () => {
  const docs = readFileSync(join(import.meta.dirname, "../../../docs/state.md"), "utf8");
  const rows = [...docs.matchAll(/\| `(\w+)` (\d+) \|/g)].map(([, name, version]) => [name, Number(version)]);
  const forms = Object.entries(FORMATS).map(([name, { version }]) => [name, version]);
  expect(Object.fromEntries(rows)).toEqual(Object.fromEntries(forms));
});

describe("a file without a version is of the first", () => {
  test.each(Object.entries({ ...LOGS, ...FILES }))("%s", async (_, kind) => {
    put(kind, kind.text);
    expect(await kind.read()).toEqual(kind.value);
  });
});

describe("what a newer heed wrote is not misread, stays, and is told", () => {
  const log = (): string => readFileSync(inState("heed.log"), "utf8");

  test.each(Object.entries(FILES))("%s", async (name, kind) => {
    const newer = asNewer(name, kind);
    put(kind, newer);
    expect(await orRefused(() => kind.read())).toEqual(kind.nothing);
    if (kind.write) await orRefused(() => kind.write?.());
    expect(readFileSync(kind.file, "utf8")).toBe(newer);
    await openHeed({ cwd: base, env }).setup.status();
    expect(log()).toContain(`${kind.file} was written by a newer heed`);
  });

  test.each(Object.entries(LOGS))("a line of %s", async (name, kind) => {
    const newer = asNewer(name, kind);
    put(kind, `\n${newer}\n`);
    kind.write?.();
    expect(readFileSync(kind.file, "utf8")).toContain(newer);
    expect(await kind.read()).toEqual(kind.nothing);
  });
});

test("a change that a newer heed began keeps an older one from writing", () => {
  const record = asNewer("change", FILES["change"] as Kind);
  writeFileSync(state.intent, record);
  expect(() => journal.recover()).toThrow(expect.objectContaining({ code: "io-failed" }));
  expect(readFileSync(state.intent, "utf8")).toBe(record);
});
