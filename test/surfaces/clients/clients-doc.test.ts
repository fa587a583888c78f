import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { FORMATS } from "../../../src/past/capture/transcript/record-reader.ts";
import { CLIENTS } from "../../../src/surfaces/clients/all-clients.ts";
import type { Client } from "../../../src/surfaces/clients/entry/client.ts";
import { type Adapter, type EventKind, ADAPTERS } from "../../../src/surfaces/hooks/adapters/all-adapters.ts";

const ROOT = join(import.meta.dirname, "../../..");
const FILE = join(ROOT, "docs/reference/clients.md");
const BLOCK = /<!-- clients -->\n[\s\S]*?<!-- \/clients -->/;

const HEAD =
  "client | rules and map | facts on a prompt | guards | own permissions | rules of paths | help on a failed call | learning, history | MCP server | seen";
const GUARDS: Record<Adapter["decides"], string> = { ask: "refuse, ask", deny: "refuse" };
/** Whether the model's first request has the server's instructions, where that was seen. */
const SERVER: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    ["claude-code", "claude-desktop", "codex", "gemini", "qwen", "opencode", "kilo"].map((name) => [
      name,
      "tools, instructions",
    ]),
  ),
  ...Object.fromEntries(["copilot", "cline", "droid", "kimi"].map((name) => [name, "tools"])),
  pi: "–",
};
/** How the contract of a client with hooks is known, where it was not run. */
const NOT_RUN: Readonly<Record<string, string>> = { cursor: "its package", vscode: "its documents" };
const READS_TRANSCRIPTS: ReadonlySet<string> = new Set([
  ...FORMATS.map(({ client }) => client.replace(/-cli$/, "")),
  "kilo",
]);

/** What of heed reaches a client's model and comes back from it: one row of the table. */
function rowOf({ name, title, permissions, isPrinted }: Client): string {
  const adapter = ADAPTERS.find((one) => one.client === name);
  const tells = (kind: EventKind): boolean =>
    adapter !== undefined && adapter.context.includes(kind) && Object.values(adapter.events).includes(kind);
  const yes = (is: boolean): string => (is ? "yes" : "–");
  const withoutHooks = SERVER[name] === "tools" ? "AGENTS.md" : "server; AGENTS.md";
  const opening = tells("session-start") ? "at the start" : withoutHooks;
  return [
    title,
    opening,
    yes(tells("prompt")),
    adapter === undefined ? "–" : GUARDS[adapter.decides],
    yes(permissions !== undefined),
    yes(tells("tool-use")),
    yes(tells("tool-failure")),
    yes(READS_TRANSCRIPTS.has(name)),
    (SERVER[name] ?? "tools, instructions?") + (isPrinted === true ? ", added by you" : ""),
    adapter === undefined ? "its documents" : (NOT_RUN[name] ?? "run"),
  ].join(" | ");
}

test("the table of docs/reference/clients.md is what the code says", () => {
  const text = readFileSync(FILE, "utf8");
  const rows = [`| ${HEAD} |`, `|${"---|".repeat(10)}`, ...CLIENTS.map((client) => `| ${rowOf(client)} |`)];
  const table = ["<!-- clients -->", ...rows, "<!-- /clients -->"].join("\n");
  const wanted = text.replace(BLOCK, table);
  const isUpdate = process.env["UPDATE_DOCS"] === "1";
  if (isUpdate) writeFileSync(FILE, wanted);
  expect(isUpdate ? wanted : text).toBe(wanted);
});

test("every adapter is a client's that can be connected, and the page says which files each has", () => {
  const names = CLIENTS.map(({ name }) => name);
  expect(ADAPTERS.map(({ client }) => client).filter((client) => !names.includes(client))).toEqual([]);
  const page = readFileSync(FILE, "utf8");
  const [, files = ""] = page.split("## What is written where");
  for (const { title } of CLIENTS) expect(files).toContain(`\n| ${title} | `);
});
