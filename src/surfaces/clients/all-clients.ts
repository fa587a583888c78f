import type { Client } from "./entry/client.ts";
import { amp } from "./table/amp.ts";
import { claudeCode } from "./table/claude-code.ts";
import { claudeDesktop } from "./table/claude-desktop.ts";
import { cline } from "./table/cline.ts";
import { codex } from "./table/codex.ts";
import { copilot } from "./table/copilot.ts";
import { crush } from "./table/crush.ts";
import { cursor } from "./table/cursor.ts";
import { droid } from "./table/droid.ts";
import { gemini } from "./table/gemini.ts";
import { goose } from "./table/goose.ts";
import { kimi } from "./table/kimi.ts";
import { kilo, opencode } from "./table/opencode.ts";
import { pi } from "./table/pi.ts";
import { qwen } from "./table/qwen.ts";
import { continueDev, junie, kiro, roo, zed } from "./table/server-only.ts";
import { vscode } from "./table/vscode.ts";
import { windsurf } from "./table/windsurf.ts";

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
