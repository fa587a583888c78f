import type { Client } from "./entry/client.ts";
import { amp } from "./table/amp.ts";
import { claudeCode } from "./table/claude-code.ts";
import { claudeDesktop, continueDev, junie, kiro, roo, zed } from "./table/server-only.ts";
import { cline } from "./table/cline.ts";
import { codex, crush, cursor, droid, goose, kimi, windsurf } from "./table/hook-clients.ts";
import { copilot, vscode } from "./table/copilot.ts";
import { gemini, qwen } from "./table/gemini.ts";
import { kilo, opencode } from "./table/opencode.ts";
import { pi } from "./table/pi.ts";

/** Every client that heed can be connected with. */
export const CLIENTS: readonly Client[] = [
  claudeCode,
  claudeDesktop,
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
  amp,
  goose,
  crush,
  windsurf,
  zed,
  continueDev,
  junie,
  kiro,
  roo,
];
