import type { Client } from "./entry/client.ts";
import { claudeCode } from "./table/claude-code.ts";
import { codex, copilot, cursor, gemini, qwen, vscode } from "./table/hook-clients.ts";
import { kilo, opencode, pi } from "./table/plugin-clients.ts";
import { printedClients } from "./table/printed-clients.ts";

export const CLIENTS: readonly Client[] = [
  claudeCode,
  codex,
  gemini,
  copilot,
  vscode,
  cursor,
  qwen,
  opencode,
  kilo,
  pi,
  ...printedClients,
];
