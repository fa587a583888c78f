import type { Client } from "./entry/client.ts";
import { claudeCode } from "./table/claude-code.ts";
import { cline, codex, copilot, cursor, droid, gemini, kimi, qwen, vscode } from "./table/hook-clients.ts";
import { kilo, opencode, pi } from "./table/plugin-clients.ts";
import { serverOnly } from "./table/server-only.ts";

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
  cline,
  droid,
  kimi,
  pi,
  ...serverOnly,
];
