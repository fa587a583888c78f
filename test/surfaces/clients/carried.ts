import { ADAPTERS } from "../../../src/surfaces/hooks/adapters/all-adapters.ts";
import type { Adapter, EventKind } from "../../../src/surfaces/hooks/adapters/adapter.ts";
import { CLIENTS } from "../../../src/surfaces/clients/all-clients.ts";
import type { Client } from "../../../src/surfaces/clients/entry/client.ts";

/** What of heed reaches a client's model and comes back from it: one row of the table in docs/clients.md. */
export interface Carried {
  name: string;
  title: string;
  /** Rules and map. */
  opening: string;
  /** Facts on a prompt. */
  facts: string;
  guards: string;
  /** Whether its own permissions are told to keep tools off heed's folders. */
  permissions: string;
  /** Rules that hold for the paths that a tool touches. */
  pathRules: string;
  /** Solutions at a failed call. */
  help: string;
  /** Learning from its sessions, and history. */
  learning: string;
  /** The server's tools and instructions. */
  server: string;
  seen: string;
}

const GUARDS: Record<Adapter["decides"], string> = { ask: "refuse, ask", deny: "refuse", none: "told only" };
const SERVER: Record<Client["instructions"], string> = {
  read: "tools, instructions",
  "not read": "tools",
  "no server": "–",
  unknown: "tools, instructions?",
};
const SEEN: Record<Adapter["seen"], string> = {
  live: "run",
  package: "its package",
  documents: "its documents",
};

/** What each client carries, from its adapter and its entry in the table of clients. */
export function carriedBy(client: Client): Carried {
  const { name, title, instructions } = client;
  const adapter = ADAPTERS.find((one) => one.client === name);
  const tells = (kind: EventKind): boolean =>
    adapter !== undefined && adapter.context.includes(kind) && Object.values(adapter.events).includes(kind);
  const yes = (is: boolean): string => (is ? "yes" : "–");
  return {
    name,
    title,
    opening: tells("session-start")
      ? "at the start"
      : tells("prompt")
        ? "first prompt"
        : tells("tool-use")
          ? "first tool use; AGENTS.md"
          : "server; AGENTS.md",
    facts: yes(tells("prompt")),
    guards: adapter === undefined ? "–" : GUARDS[adapter.decides],
    permissions: yes(client.permissions !== undefined),
    pathRules: yes(tells("tool-use")),
    help: yes(tells("tool-failure")),
    learning: yes(adapter?.keepsTranscripts === true),
    server: SERVER[instructions],
    seen: adapter === undefined ? "its documents" : SEEN[adapter.seen],
  };
}

/** The table of docs/clients.md, with the remarks below it. */
export function carriedTable(): string {
  const rows = CLIENTS.map(carriedBy).map(
    ({ title, opening, facts, guards, permissions, pathRules, help, learning, server, seen }) =>
      `| ${[title, opening, facts, guards, permissions, pathRules, help, learning, server, seen].join(" | ")} |`,
  );
  const remarks = ADAPTERS.filter((adapter) => adapter.remarks !== undefined).map(
    ({ title, remarks: said = [] }) => `- **${title}**: ${said.join(" ")}`,
  );
  return [
    "| client | rules and map | facts on a prompt | guards | own permissions | rules of paths | help on a failed call | learning, history | MCP server | seen |",
    "|---|---|---|---|---|---|---|---|---|---|",
    ...rows,
    "",
    ...remarks,
  ].join("\n");
}
