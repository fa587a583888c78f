import { rmSync } from "node:fs";
import type { ForeignStore } from "../../../heed.ts";
import { CLIENTS } from "../../clients/all-clients.ts";
import {
  type ClientChange,
  type FileChange,
  changedLines,
  connectClient,
  shownChange,
} from "../../clients/connect-clients.ts";
import type { Client } from "../../clients/entry/client.ts";
import { disconnectClient } from "../../clients/connect-clients.ts";
import { findClients, launchNotes, thisMachine, whyNotNeeded } from "../../clients/this-machine.ts";
import { teamLines } from "./team.ts";
import { type CommandSpec, EXIT, type Invocation } from "../arguments/command.ts";
import { type Text, bold, cyan, dim, doneLine, green, plural, styled, yellow } from "../output/output.ts";
import { askYesNo } from "../terminal/read-given.ts";

const NAMES = CLIENTS.map(({ name }) => name);
const namesOf = (isPrinted: boolean): string =>
  CLIENTS.filter((client) => (client.isPrinted === true) === isPrinted)
    .map(({ name }) => name)
    .join(", ");
const PRINT = { help: "change nothing; show every line that would be added or removed" };

const init: CommandSpec = {
  options: {
    project: { help: "make .heed/ in this repository; with --client: connect for this repository only" },
    team: { value: "URL", help: "join a team's PostgreSQL server, postgres://PERSON@HOST/DATABASE" },
    client: {
      value: "CLIENT",
      isList: true,
      words: NAMES,
      help: "connect these without asking, installed or not",
    },
    yes: { short: "y", help: "connect all that are found, without asking" },
    print: PRINT,
  },
  details: [
    "Makes your store, a git repository of its own (with --project: .heed/ in this repository, to be committed), then looks",
    "for clients, shows what it would write for each, and asks. A second run changes nothing. heed uninit takes it out.",
    `Clients: ${namesOf(false)}.`,
    `Printed only: ${namesOf(true)}.`,
  ],
  examples: ["heed init", "heed init --print", "heed init --client codex,gemini", "heed init --project"],
  json: '{"store", "isApplied", "clients": [{"client", "title", "files", "notes"}], "notes", "memories"}',
  async run(invocation) {
    const { args, out, actor, open } = invocation;
    const isDryRun = args.has("print");
    const isProject = args.has("project");
    const url = args.text("team");
    if (url !== undefined) return joinTeam(url, invocation);
    const named = args.list("client") ?? [];
    const { setup } = open();
    let store = isProject && !isDryRun ? await setup.init("project", actor) : undefined;
    // A repository's clients are those that its owner names.
    const isLooking = !isProject || named.length > 0;
    const done = isLooking ? await connect(invocation, named, isDryRun) : NONE;
    // After the question, which Ctrl-C ends with nothing written.
    if (!isDryRun) store ??= await setup.init("user", actor);
    const claude = done.changes.find(({ client }) => client === "claude-code");
    // Run again, it repeats no question that nobody is there to answer.
    if (!isProject && done.isApplied && claude && (isAnswerable(invocation) || isEdited(claude)))
      await chooseWriter(invocation);
    // Memories of this directory and user, whatever is connected; attached ones are read already.
    const sources = isProject || named.length > 0 ? [] : await open().exchange.sources();
    const memories = sources.filter(({ isAttached }) => !isAttached);
    out.answer(
      {
        ...(store && { store }),
        isApplied: done.isApplied,
        clients: done.changes.map(shownChange),
        notes: done.notes,
        memories,
      },
      () => [
        ...(store ? [doneLine(`${store.kind} store: `, bold(store.root))] : []),
        ...(setup.stores().some(({ kind, isTrusted }) => kind !== "attached" && !isTrusted)
          ? [UNAPPROVED]
          : []),
        ...done.lines,
        ...memories.map(memoryLine),
      ],
    );
    if (store?.isTrusted)
      out.note(
        dim(
          isProject || !done.isApplied
            ? 'next: heed write --type feedback "never …" --reason "…" --how "…"'
            : 'next: say a rule to your agent, for example "from now on use pnpm here, never npm"',
        ),
      );
    return isAnyLeft(done.changes) ? EXIT.refused : EXIT.done;
  },
};

async function joinTeam(url: string, { out, open, actor }: Invocation): Promise<void> {
  const team = await open().setup.joinTeam(url, actor);
  out.answer({ team }, () => [doneLine("joined"), ...teamLines(team)]);
  if (new URL(url).password !== "")
    out.note("The password is kept in a private file on this machine. It is in your shell's history too.");
  out.note(dim("next: heed inbox trust shows its rules; they are data until you approve them"));
}

const clientsNamed = (names: readonly string[]): Client[] =>
  CLIENTS.filter(({ name }) => names.includes(name));

function isAnyLeft(changes: readonly ClientChange[]): boolean {
  return changes.some(({ files }) => files.some(({ action }) => action === "left"));
}

const isEdited = ({ files }: ClientChange): boolean =>
  files.some(({ action }) => action !== "left" && action !== "unchanged");

const isAnswerable = ({ args, out }: Pick<Invocation, "args" | "out">): boolean =>
  out.isTerminal && !args.has("yes");

async function chooseWriter({ args, out, actor, open }: Invocation): Promise<void> {
  const { setup } = open();
  const { isOn, directory, files, writer } = await setup.clientMemory();
  if (!isOn || writer !== undefined || actor.kind !== "person") return;
  out.note(
    `Claude Code has its own memory${files > 0 ? ` (${plural(files, "file")} about this project in ${directory})` : ""}. ` +
      "heed can read both, but new memories should go to one place.",
  );
  const question = "Use heed for new memories?";
  const isHeed = isAnswerable({ args, out }) ? await askYesNo(question, { enter: "" }) : undefined;
  if (isHeed === undefined) out.note("Choose with heed config writer heed, or heed config writer client.");
  else await setup.setWriter(isHeed ? "heed" : "client", actor);
}

interface Connected {
  changes: ClientChange[];
  isApplied: boolean;
  notes: string[];
  lines: Text[];
}

const NONE: Connected = { changes: [], isApplied: false, notes: [], lines: [] };

/** Connects the named clients, or those found once the user has seen what would change and agreed. */
async function connect(
  { args, cwd, env, open, out }: Invocation,
  named: readonly string[],
  isDryRun: boolean,
): Promise<Connected> {
  const script = process.argv[1] ?? "heed";
  const { target, record } = await thisMachine(open().setup, {
    scope: args.has("project") ? "project" : "user",
    cwd,
    script,
    env,
  });
  const clients = named.length > 0 ? clientsNamed(named) : findClients(target.places);
  const run = async (dry: boolean): Promise<ClientChange[]> => {
    const changes: ClientChange[] = [];
    for (const client of clients) {
      const why = whyNotNeeded(client, env);
      if (why === undefined) changes.push(await connectClient(client, target, record, dry));
      else changes.push({ client: client.name, title: client.title, files: [], notes: [why] });
    }
    return changes;
  };
  const notes = clients.length === 0 ? [] : launchNotes(script);
  const none = "No client was found on this machine. heed init --client NAME connects one anyway.";
  if (clients.length === 0) return { ...NONE, lines: isDryRun || out.isTerminal ? [none] : [] };
  const planned = await run(true);
  const isNew = planned.some(isEdited);
  let plan = [...clientLines(planned, true, isDryRun), ...notes.map(noteLine)];
  let isAgreed: boolean | undefined = named.length > 0 || args.has("yes") || !isNew;
  if (!isAgreed && !isDryRun && out.isTerminal) {
    out.note(...plan);
    plan = [];
    const question = `Connect ${clients.length === 1 ? "it" : `these ${clients.length}`}?`;
    isAgreed = await askYesNo(question, {
      // What will not last is not connected by Enter alone.
      enter: notes.length === 0 ? "y" : "n",
      showMore: () => out.note(...clientLines(planned, true, true)),
    });
  }
  if (isDryRun || !isAgreed) {
    const end = isDryRun
      ? "Nothing was changed."
      : "No client was connected: heed init --yes connects these.";
    return { changes: planned, isApplied: false, notes, lines: [...plan, ...(isNew ? [end] : [])] };
  }
  const changes = await run(false);
  const lines = [...clientLines(changes, false, false), ...restartLine(changes)];
  return { changes, isApplied: true, notes, lines: [...lines, ...notes.map(noteLine)] };
}

/** Clients read their files when they start. */
function restartLine(changes: readonly ClientChange[]): Text[] {
  const changed = changes.filter(isEdited);
  return changed.length === 0 ? [] : [`Restart ${changed.map(({ title }) => title).join(", ")}.`];
}

/** What the first minute in a clone needs to know. */
const UNAPPROVED: Text = [
  yellow("note: "),
  "what was not made on this machine is data, not rules, until heed inbox trust, or a policy as a session starts, approves it",
];

const noteLine = (text: string): Text => [yellow("note: "), text];

function memoryLine({ title, files, path, command: takesOver }: ForeignStore): Text {
  const many = files === 1 ? "" : `, ${files} files`;
  return [cyan("found "), `${title} in ${path}${many}: `, bold(takesOver)];
}

const uninit: CommandSpec = {
  arguments: [{ name: "CLIENT", isOptional: true, isRest: true, words: NAMES }],
  options: { print: PRINT },
  details: [
    "Without names: all clients. heed's part of each file goes, the rest stays. Stores and memories stay where they are.",
  ],
  examples: ["heed uninit --print", "heed uninit codex gemini", "heed uninit"],
  json: '{"isApplied", "clients": [{"client", "title", "files", "notes"}]}',
  async run({ args, out, open, env, cwd }) {
    const isDryRun = args.has("print");
    const machine = await thisMachine(open().setup, { cwd, script: "heed", env });
    const clients = args.positionals.length > 0 ? clientsNamed(args.positionals) : CLIENTS;
    const changes: ClientChange[] = [];
    for (const client of clients) {
      const change = await disconnectClient(client, machine.target, machine.record, isDryRun);
      if (change.files.length > 0) changes.push(change);
    }
    out.answer({ isApplied: !isDryRun, clients: changes.map(shownChange) }, () =>
      changes.length === 0
        ? ["No client is connected with heed."]
        : [...clientLines(changes, isDryRun, isDryRun), ...(isDryRun ? [] : restartLine(changes))],
    );
    const { userStore, config, state, cache } = (await open().setup.status()).places;
    // The files of guarded programs are all clients' together.
    if (args.positionals.length === 0 && !isDryRun)
      rmSync(machine.target.starts, { recursive: true, force: true });
    if (args.positionals.length === 0)
      out.note(
        dim(
          `memories stay in ${userStore}; settings, records and indexes in ${[config, state, cache].join(", ")}`,
        ),
      );
    return isAnyLeft(changes) ? EXIT.refused : EXIT.done;
  },
};

const MAX_LINE_CHARS = 200;

const DONE = {
  created: "created",
  changed: "changed",
  removed: "removed",
  unchanged: "as it should be",
  left: "left alone",
} as const;

function clientLines(changes: readonly ClientChange[], isDryRun: boolean, isPrinted: boolean): Text[] {
  return changes.flatMap(({ title, files, notes }): Text[] => [
    bold(title),
    ...files.flatMap((change) => fileLines(change, isDryRun, isPrinted)),
    ...notes.map((note): Text => [yellow("  note: "), note]),
  ]);
}

function fileLines(change: FileChange, isDryRun: boolean, isPrinted: boolean): Text[] {
  const { file, action, why, byHand } = change;
  const mark = action === "left" ? yellow("! ") : action === "unchanged" ? "= " : green("✓ ");
  const isToDo = isDryRun && action !== "unchanged" && action !== "left";
  const said = `${isToDo ? "would be " : ""}${DONE[action]}`;
  const printed = isPrinted ? changedLines(change) : [];
  return [
    ["  ", mark, `${file} `, dim(why === undefined ? said : `${said}: ${why}`)],
    ...(byHand === undefined
      ? []
      : ["    to add by hand:", ...byHand.split("\n").map((line) => `      ${line}`)]),
    ...printed.map(({ sign, text }) =>
      styled(sign === "+" ? "green" : "red", `    ${sign} ${text.slice(0, MAX_LINE_CHARS)}`),
    ),
  ];
}

export const commands: Readonly<Record<string, CommandSpec>> = { init, uninit };
