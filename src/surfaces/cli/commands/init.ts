import { dirname } from "node:path";
import type { StoreRef } from "../../../heed.ts";
import { KNOWN_CLIENTS } from "../client-registration/known-clients.ts";
import type { RegistrationReport } from "../client-registration/register-client.ts";
import type { Command, Invocation } from "../arguments/command.ts";
import { usageError } from "../arguments/usage-error.ts";
import type { Text } from "../output/styled-text.ts";
import { styled } from "../output/styled-text.ts";

const CLIENTS = KNOWN_CLIENTS.map(({ name }) => name);

/** `heed init` */
export const command: Command = {
  name: "init",
  summary: "make a store, and register heed with a client",
  arguments: [],
  options: {
    project: { help: "make .heed/ in this repository; with --client: register for this repository only" },
    client: {
      value: "CLIENT",
      words: CLIENTS,
      help: "register heed's server, and hooks where it has them, with a client",
    },
    remove: { help: "with --client: take heed out of the client again; stores stay" },
    "dry-run": { help: "with --client: change nothing, tell what would change" },
  },
  details: [
    "Makes the user store, a git repository of its own. With --project: .heed/ in the repository at hand,",
    "to be committed with it. What exists is kept.",
    "",
    "With --client the one entry that starts heed is merged into the client's configuration, with a backup;",
    "a second time changes nothing. For Claude Code the plugin does the same: see README.md. Clients:",
    `  ${CLIENTS.join(", ")}`,
  ],
  examples: ["heed init", "heed init --project", "heed init --client claude-code --dry-run"],
  async run(invocation) {
    const { args, out } = invocation;
    const client = args.text("client");
    if (client === undefined) {
      const orphan = ["remove", "dry-run"].find((flag) => args.has(flag));
      if (orphan !== undefined)
        throw usageError(`--${orphan} belongs to --client CLIENT. Name the client.`, orphan);
    }
    const isStoreMade = !args.has("remove") && !args.has("dry-run");
    const store = isStoreMade
      ? await invocation.open().setup.init(args.has("project") ? "project" : "user")
      : undefined;
    const registration = client === undefined ? undefined : await register(client, store, invocation);
    // The text of a client's configuration stays out of the answer: it may hold other servers' secrets.
    const told = registration && {
      ...registration,
      changes: registration.changes.map(({ file, action, backup }) => ({
        file,
        action,
        ...(backup && { backup }),
      })),
    };
    out.answer({ ...(store && { store }), ...(told && { registration: told }) }, () => [
      ...(store ? storeLines(store) : []),
      ...(registration ? registrationLines(registration, args.has("dry-run")) : []),
    ]);
    if (store?.isTrusted && !registration)
      out.note(styled("dim", 'next: heed write --type feedback "never …" --why "…" --how "…"'));
  },
};

async function register(
  client: string,
  store: StoreRef | undefined,
  { args, cwd, env, open }: Invocation,
): Promise<RegistrationReport> {
  const { registerClient } = await import("../client-registration/register-client.ts");
  const project =
    store ??
    open()
      .setup.stores()
      .find(({ kind }) => kind === "project");
  return registerClient({
    client,
    scope: args.has("project") ? "project" : "user",
    projectRoot: project?.kind === "project" ? dirname(project.root) : cwd,
    isRemoval: args.has("remove"),
    isDryRun: args.has("dry-run"),
    script: process.argv[1] ?? "heed",
    env,
  });
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

function registrationLines(
  { title, changes, notes, variant }: RegistrationReport,
  isDryRun: boolean,
): Text[] {
  return [
    ...changes.map(({ file, action, backup }): Text => [
      action === "unchanged" ? "= " : styled("green", "✓ "),
      `${title}: ${file} ${isDryRun && action !== "unchanged" ? `would be ${action}` : action}`,
      backup === undefined ? "" : styled("dim", ` (backup: ${backup})`),
    ]),
    ...(variant === undefined ? [] : [styled("dim", `  hooks: the ${variant} variant`)]),
    ...notes.map((note): Text => [styled("yellow", "  note: "), note]),
  ];
}
