import { dirname } from "node:path";
import type { ForeignStore, StoreRef } from "../../../heed.ts";
import { CLIENTS } from "../../clients/all-clients.ts";
import type { ClientChange } from "../../clients/connect-clients.ts";
import type { Command, Invocation } from "../arguments/command.ts";
import { EXIT } from "../arguments/exit-code.ts";
import { usageError } from "../arguments/usage-error.ts";
import type { Text } from "../output/styled-text.ts";
import { styled } from "../output/styled-text.ts";
import { askYesNo } from "../terminal/ask-yes-no.ts";

const NAMES = CLIENTS.map(({ name }) => name);

/** `heed init` */
export const command: Command = {
  name: "init",
  summary: "make a store, and connect the clients on this machine",
  arguments: [],
  options: {
    project: { help: "make .heed/ in this repository; with --client: connect for this repository only" },
    client: {
      value: "CLIENT",
      isList: true,
      words: NAMES,
      help: "connect these, found or not, without asking",
    },
    yes: { short: "y", help: "connect all that are found, without asking" },
    print: { help: "change nothing; show every line that would come or go" },
  },
  details: [
    "Makes the user store, a git repository of its own (with --project: .heed/ in the repository at hand, to be",
    "committed with it), then looks for clients, shows what it would write for each, and asks. What exists is kept;",
    "a second time changes nothing. heed uninit gives every file back as it was. Clients:",
    `  ${NAMES.slice(0, 12).join(", ")},`,
    `  ${NAMES.slice(12).join(", ")}`,
  ],
  examples: ["heed init", "heed init --print", "heed init --client codex,gemini", "heed init --project"],
  async run(invocation) {
    const { args, out, actor, open } = invocation;
    const isDryRun = args.has("print");
    const isProject = args.has("project");
    const named = args.list("client") ?? [];
    if (isProject && args.has("yes") && named.length === 0)
      throw usageError("--project connects the clients that --client names. Name them.", "client");
    const store = isDryRun ? undefined : await open().setup.init(isProject ? "project" : "user", actor);
    // A repository's clients are those that its owner names.
    const isLooking = !isProject || named.length > 0;
    const done = isLooking ? await connect(invocation, store, named, isDryRun) : NONE;
    const openToOthers = isProject ? [] : await whatLiesOpen(invocation);
    if (!isProject && !isDryRun) {
      await settleWriter(invocation);
      await offerModel(invocation);
    }
    // Those of this directory and user, whatever is connected; one that is read already needs no word.
    const sources = isProject || named.length > 0 ? [] : await open().exchange.sources();
    const memories = sources.filter(({ isAttached }) => !isAttached);
    const { shownChange } = await import("../../clients/connect-clients.ts");
    out.answer(
      {
        ...(store && { store }),
        isApplied: done.isApplied,
        clients: done.changes.map(shownChange),
        notes: [...openToOthers, ...done.notes],
        memories,
      },
      () => [
        ...(store ? storeLines(store) : []),
        ...openToOthers.map(told),
        ...done.lines,
        ...memories.map(memoryLine),
      ],
    );
    if (store?.isTrusted && done.changes.length === 0)
      out.note(styled("dim", 'next: heed write --type feedback "never …" --why "…" --how "…"'));
    return done.changes.some(({ files }) => files.some(({ action }) => action === "left"))
      ? EXIT.refused
      : EXIT.done;
  },
};

/** What is private, and lies open all the same: what is made now is not, and the rest its owner may have opened. */
async function whatLiesOpen({ open }: Invocation): Promise<string[]> {
  const { userStore, state } = (await open().setup.status()).places;
  const { liesOpen } = await import("../../clients/this-machine.ts");
  return [userStore, state]
    .filter(liesOpen)
    .map(
      (folder) =>
        `other users of this machine may look into ${folder}: heed doctor --fix, or chmod 700 ${folder}`,
    );
}

/** Where Claude Code remembers by itself too, the user says once which of the two is written. */
async function settleWriter({ args, out, actor, open }: Invocation): Promise<void> {
  const { setup } = open();
  const { isOn, directory, files, writer } = await setup.clientMemory();
  if (!isOn || writer !== undefined || actor.kind !== "person") return;
  out.note(
    `Claude Code keeps a memory of its own beside heed's${files > 0 ? `: ${files} files about this project in ${directory}` : ""}. ` +
      "One of the two should be written; heed reads both.",
  );
  if (args.has("yes") || !out.isTerminal) {
    out.note("Say which: heed mode --writer heed, or heed mode --writer client.");
    return;
  }
  await setup.setWriter((await askYesNo("Is heed the one that is written?")) ? "heed" : "client", actor);
}

/** A session whose model writes nothing keeps nothing: a model that reads it afterwards is offered, until the user has said. */
async function offerModel({ args, out, actor, open }: Invocation): Promise<void> {
  const { setup } = open();
  const { learn } = await setup.status();
  if (learn.isSaid || !out.isTerminal || args.has("yes") || actor.kind !== "person") return;
  out.note(
    "The agent's model writes what is worth keeping while you work. A second model can read your turns after each session",
    "and propose what the first one missed: one call of some 5,000 tokens a session by Claude Code's headless mode, 20 a",
    "day at most, on your account there. Its proposals need your approval. (Another model, or a local one: heed help learn)",
  );
  const mode = (await askYesNo("Turn it on?")) ? "model" : "off";
  await setup.setLearn(mode, actor);
  const { problems } = (await setup.status()).learn;
  out.note(`learn: ${mode}. Change it with heed mode --learn model or off.`);
  if (problems.length > 0)
    out.note(styled("yellow", `It stays off until this is fixed: ${problems.join("; ")}`));
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
  store: StoreRef | undefined,
  named: readonly string[],
  isDryRun: boolean,
): Promise<Connected> {
  const plans = await import("../../clients/this-machine.ts");
  const { connectClient } = await import("../../clients/connect-clients.ts");
  const { clientLines } = await import("../output/client-lines.ts");
  const { request, target, record } = await plans.thisMachine(open().setup, {
    scope: args.has("project") ? "project" : "user",
    ...(store && { root: store.kind === "project" ? dirname(store.root) : cwd }),
    cwd,
    script: process.argv[1] ?? "heed",
    env,
  });
  const found = plans.findClients(target.places).map(({ client }) => client);
  const clients = named.length > 0 ? plans.clientsNamed(named).clients : found;
  const run = async (dry: boolean): Promise<ClientChange[]> => {
    const changes: ClientChange[] = [];
    for (const client of clients) {
      const why = plans.whyNotNeeded(client, request);
      if (why === undefined) changes.push(await connectClient(client, target, record, dry));
      else changes.push({ client: client.name, title: client.title, files: [], notes: [why] });
    }
    return changes;
  };
  const notes = clients.length === 0 ? [] : plans.launchNotes(request);
  if (clients.length === 0) {
    const lines: Text[] = [
      "No client was found on this machine: heed init --client NAME connects one all the same.",
    ];
    return { ...NONE, lines: isDryRun || out.isTerminal ? lines : [] };
  }
  const planned = await run(true);
  const isNew = planned.some(({ files }) =>
    files.some(({ action }) => action === "created" || action === "changed"),
  );
  const plan = await clientLines(planned, { isDryRun: true, isPrinted: isDryRun });
  let isAgreed = named.length > 0 || args.has("yes") || !isNew;
  if (!isAgreed && !isDryRun && out.isTerminal) {
    for (const line of plan) out.note(line);
    isAgreed = await askYesNo(`Connect ${clients.length === 1 ? "it" : `these ${clients.length}`}?`);
  }
  if (isDryRun || !isAgreed) {
    const end = isDryRun
      ? "Nothing was changed."
      : "No client was connected: heed init --yes connects these.";
    return {
      changes: planned,
      isApplied: false,
      notes,
      lines: [...plan, ...notes.map(told), ...(isNew ? [end] : [])],
    };
  }
  const changes = await run(false);
  const lines = await clientLines(changes, { isDryRun: false, isPrinted: false });
  return { changes, isApplied: true, notes, lines: [...lines, ...notes.map(told)] };
}

const told = (text: string): Text => [styled("yellow", "note: "), text];

function memoryLine({ title, files, path, command: takesOver }: ForeignStore): Text {
  const many = files === 1 ? "" : `, ${files} files`;
  return [styled("cyan", "found "), `${title} in ${path}${many}: `, styled("bold", takesOver)];
}

function storeLines(store: StoreRef): Text[] {
  return [
    [styled("green", "✓ "), `${store.kind} store: `, styled("bold", store.root)],
    ...(store.isTrusted
      ? []
      : [
          [
            styled("yellow", "  note: "),
            "it was not made on this machine: its rules are data until heed trust",
          ],
        ]),
  ];
}
