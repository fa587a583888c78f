import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { Place, openWorkspace } from "../../../src/here/place.ts";
import type { EventAnswer, Heed } from "../../../src/heed.ts";
import { keptSettings, stateOfStore } from "../../../src/store/config/store-config.ts";
import type { Scenario } from "../scenario.ts";
import { inHome } from "../scenario.ts";
import type { TortureHome } from "../torture-home.ts";
import { SOURCES } from "../worker-bundle.ts";

type Column = "missing" | "torn" | "older" | "newer" | "unreadable";
const COLUMNS: readonly Column[] = ["missing", "torn", "older", "newer", "unreadable"];

/** One way to break a file, given what it held. */
type Way = (file: string, text: string) => void;
const put =
  (change: (text: string) => string): Way =>
  (file, text) =>
    writeFileSync(file, change(text));
/** A JSON file, or each line of a log, as a heed of another version would say it; what is neither is one of that version. */
const asVersion = (version: number | undefined): Way =>
  put((text) => {
    const changed = (json: string): string => {
      const record = JSON.parse(json) as Record<string, unknown>;
      for (const key of ["version", "format", "v"]) if (key in record) record[key] = version;
      return JSON.stringify(record);
    };
    for (const parts of [[text], text.split("\n").filter((line) => line !== "")])
      try {
        return `${parts.map(changed).join("\n")}\n`;
      } catch {
        // It is not of that form.
      }
    return JSON.stringify({ version });
  });

const WAYS: Readonly<Record<Column, Readonly<Record<string, Way>>>> = {
  missing: { removed: () => undefined },
  torn: {
    // Not at the end of a line, where a text would still be whole.
    half: put((text) => text.slice(0, text.indexOf("\n", text.length / 2) - 1)),
    empty: put(() => ""),
    conflict: put((text) => {
      const [first = "", ...rest] = text.split("\n");
      return [first, "<<<<<<< HEAD", ...rest, "=======", ...rest, ">>>>>>> other", ""].join("\n");
    }),
    // Before a key it is another key.
    "a byte before": put((text) => (text.startsWith("---") ? `x${text}` : "")),
  },
  older: { "no version": asVersion(undefined) },
  newer: { "version 99": asVersion(99) },
  unreadable: {
    folder: (file) => mkdirSync(file),
    "link in a circle": (file) => symlinkSync(basename(file), file),
  },
};

interface Cell {
  file: string;
  column: Column;
  says: string;
}

function cellsOfDocs(): Cell[] {
  const docs = readFileSync(join(SOURCES, "docs", "state.md"), "utf8");
  const [, table = ""] = /## When a file is broken\n(.*)\n## Cache/s.exec(docs) ?? [];
  return [...table.matchAll(/^\| (`[^|]*) \|(.*)\|$/gm)].flatMap(([, file = "", cells = ""]) =>
    cells.split("|").map((says, i) => ({ file, column: COLUMNS[i] as Column, says: says.trim() })),
  );
}

const [MONTH, DAY] = [7, 10].map((end) => new Date().toISOString().slice(0, end)) as [string, string];
/** The switches that a user has thrown. */
const CONFIG = "capture: off\nhistory: off\nwrites: ask\n";
const rule = (name: string, says: string, command: string): Parameters<Heed["memories"]["write"]>[0] => ({
  type: "feedback",
  name,
  statement: says,
  body: `${says}.\n\n**Why:** it broke once.`,
  guard: { command, action: "deny" },
});

/** Each state file is broken in each way, before a session and during one: no rule falls silent, no switch turns on. */
export const brokenState: Scenario = {
  name: "broken state",
  run: (size) =>
    inHome(
      async (home, result) => {
        const files = await prepare(home);
        const pristine = `${home.folder}-pristine`;
        cpSync(home.folder, pristine, { recursive: true, verbatimSymlinks: true });
        try {
          for (const [at, { file: named, column, says }] of cellsOfDocs().entries()) {
            const file = files[named];
            if (file === undefined || says === "–") continue;
            // A short run tries every second cell.
            if (size.share < 1 && at % 2 === 1) continue;
            const ways = Object.entries(WAYS[column]);
            for (const [way, breakIt] of size.share < 1 ? [ways[result.operations % ways.length]!] : ways)
              for (const when of size.share < 1 ? [WHEN[result.operations % 2]!] : WHEN) {
                rmSync(home.folder, { recursive: true, force: true, maxRetries: 10 });
                cpSync(pristine, home.folder, { recursive: true, verbatimSymlinks: true });
                result.operations += 1;
                for (const fault of await tryCell(home, { file, column, says }, breakIt, when))
                  result.findings.push(`${named}, ${way}, ${when} a session: ${fault}`);
              }
          }
        } finally {
          rmSync(pristine, { recursive: true, force: true, maxRetries: 10 });
        }
      },
      { isLookedOver: false },
    ),
};

const WHEN = ["before", "during"] as const;

/** A home in which everything is in force, and where each file of the table lies in it. */
async function prepare(home: TortureHome): Promise<Record<string, string>> {
  const state = join(home.home, "state");
  const config = join(home.userStore, "config.yaml");
  writeFileSync(config, readFileSync(config, "utf8") + CONFIG);
  mkdirSync(join(home.home, "config"));
  writeFileSync(join(home.home, "config", "config.yaml"), "writes: ask\nlearn: off\n");
  const heed = home.open();
  const person = { kind: "person" } as const;
  await heed.memories.write(
    { ...rule("no-verify", "never skip the hooks", "git commit"), store: "user" },
    person,
  );
  await heed.memories.write(
    { ...rule("no-force", "never force a push", "git push"), store: "project" },
    person,
  );
  const answer = (event: object): Promise<EventAnswer> => ask(heed, home, "first", event);
  await answer({ kind: "session-start", source: "startup" });
  await answer({ kind: "prompt", prompt: "how are hooks skipped?" });
  await heed.close();
  const places = { state } as Place["places"];
  const approved = join(stateOfStore(places, home.userStore).folder, "approved");
  const text = readdirSync(approved).find((name) => name.endsWith(".md")) ?? "";
  const of = (...parts: string[]): string => join(state, ...parts);
  const cache = (...parts: string[]): string => join(home.home, "cache", ...parts);
  const [index = ""] = readdirSync(cache("index")).filter((name) =>
    existsSync(cache("index", name, "manifest")),
  );
  const line =
    '{"v":1,"kind":"x","time":"2026-01-01T00:00:00Z"}\n{"v":1,"kind":"y","time":"2026-01-01T00:00:00Z"}\n';
  const json = '{"version":1,"session":"first","id":"x"}\n';
  const { folder } = stateOfStore(places, home.userStore);
  const files: Record<string, string> = {
    "`feedback/<rule>.md` of a store": join(home.userStore, "feedback/no-verify.md"),
    "`config.yaml` of a store": config,
    "`config.yaml` of the user": join(home.home, "config", "config.yaml"),
    "`stores/<hash>/approved/<hash>.md`": join(approved, text),
    "`kept/<hash>.yaml`": keptSettings(config, places),
  };
  const names: Readonly<Record<string, string>> = {
    session: "first",
    day: DAY.replaceAll("-", ""),
    month: MONTH,
    store: index,
  };
  for (const { file } of cellsOfDocs()) {
    const [, path = "", where] = /^`([^`]*)`(.*)$/.exec(file) ?? [];
    const parts = path.replace(/<(\w+)>/g, (_, name: string) => names[name] ?? basename(folder));
    files[file] ??= where === " (cache)" ? cache(parts) : of(parts);
  }
  for (const [name, file] of Object.entries(files)) {
    if (existsSync(file) || name.includes("intent")) continue;
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, file.endsWith("l") ? line : json);
  }
  // A start keeps what is good now.
  const again = home.open();
  await ask(again, home, "second", { kind: "session-start", source: "startup" });
  await again.close();
  return files;
}

async function ask(heed: Heed, home: TortureHome, session: string, event: object): Promise<EventAnswer> {
  const all = { session, cwd: home.project, client: "claude-code", isTyped: true, ...event };
  return heed.session.answer(all as Parameters<Heed["session"]["answer"]>[0], { deadlineMs: 20_000 });
}

let serial = 0;

async function tryCell(
  home: TortureHome,
  { file, column, says }: Cell,
  breakIt: Way,
  when: (typeof WHEN)[number],
): Promise<string[]> {
  const token = `zq${(serial += 1)}salary`;
  const heed = home.open();
  const running = `running-${serial}`;
  if (when === "during") await ask(heed, home, running, { kind: "session-start", source: "startup" });
  const text = existsSync(file) ? readFileSync(file, "utf8") : '{"version":1,"id":"x"}\n';
  rmSync(file, { force: true });
  breakIt(file, text);
  const broken = column === "newer" ? readFileSync(file, "utf8") : "";
  const session = when === "during" ? running : `next-${serial}`;
  if (when === "before") await ask(heed, home, session, { kind: "session-start", source: "startup" });
  await ask(heed, home, session, { kind: "prompt", prompt: `my ${token} is high, what about the hooks?` });
  const denied = async (command: string): Promise<boolean> => {
    const call = { kind: "tool-use", tool: "Bash", input: { command } };
    return (await ask(heed, home, session, call)).decision?.action === "deny";
  };
  const guards = [await denied("git commit -m x"), await denied("git push")];
  const transcript = join(home.home, "t.jsonl");
  const message = { role: "user", content: `my ${token} is high` };
  const said = { type: "user", sessionId: session, cwd: home.project, uuid: "u1", message };
  writeFileSync(transcript, `${JSON.stringify({ ...said, timestamp: new Date().toISOString() })}\n`);
  await ask(heed, home, session, { kind: "session-end", reason: "other", transcriptPath: transcript });
  // What a folder is in the way of is refused, with its name.
  await heed.learning.capture().catch((error: Error) => {
    if (!error.message.includes(file)) throw error;
  });
  rmSync(transcript);
  const { context = "", notice = "" } = await ask(heed, home, `fresh-${serial}`, {
    kind: "session-start",
    source: "startup",
  });
  const { problems } = await heed.setup.status();
  await heed.close();
  const { found } = new Place(openWorkspace({ cwd: home.project, env: home.env }));
  const subject = ["last good", "mended", "no effect"].includes(says) ? "" : basename(file);
  const isNamedIn = (words: string): boolean => words.includes(basename(file));
  const isSaid = says === "mended" ? undefined : says === "last good" || says === "strict";
  const isOff = subject !== "config.yaml" || !file.startsWith(home.userStore);
  const kept = keeps(home, token);
  const isUserRule = !["rules.json", "no-verify.md"].includes(subject);
  // One that goes by its age, as queued jobs do, is not written over, and to a log lines are added.
  const isDerived = file.includes("/cache/") || file.endsWith(".kept");
  const isLeft =
    isDerived || !existsSync(file) || broken === "" || readFileSync(file, "utf8").startsWith(broken);
  const checks: [what: string, is: unknown, expected: unknown][] = [
    ["the rule of the user is told", /^- never skip the hooks/m.test(context), isUserRule],
    ["its guard denies", guards[0], isUserRule],
    ["the rule of the project is told", /^- never force a push/m.test(context), subject !== "stores.json"],
    ["its guard denies", guards[1], subject !== "stores.json"],
    ["capture is off", found.capture, isOff ? "off" : "on"],
    ["history is off", found.history, isOff ? "off" : "on"],
    ["the user's writes ask", found.writes.includes("ask"), isOff],
    ["what was said is kept nowhere", kept.length === 0, isOff],
    ["the start tells the user of it", isNamedIn(notice), isSaid ?? isNamedIn(notice)],
    ["and the model", isNamedIn(context), isSaid ?? isNamedIn(context)],
    ["and the status", problems.some(isNamedIn), isSaid ?? problems.some(isNamedIn)],
    ["a newer file is left", isLeft, true],
  ];
  return checks.flatMap(([what, is, expected]) =>
    is === expected
      ? []
      : [`${what}: ${String(is)}, ${String(expected)} is promised (${says}); ${notice.slice(0, 300)}`],
  );
}

/** The files in which a text is kept; a session's own log may have it, and a receipt what it is about. */
function keeps(home: TortureHome, token: string): string[] {
  return readdirSync(home.home, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/\/(?:sessions|receipts)$/.test(entry.parentPath))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => readFileSync(file).includes(token));
}
