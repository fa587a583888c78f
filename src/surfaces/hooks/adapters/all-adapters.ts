import { claudeCode, codex, droid, gemini, kimi, qwen, vscode } from "./claude-shaped.ts";
import { cline } from "./cline.ts";
import { type Adapter, type Fields, isInEnvironment } from "./adapter.ts";
import { copilot, crush, cursor, goose, windsurf } from "./own-shaped.ts";
import { amp, kilo, opencode, pi } from "./plugin-adapters.ts";

/** Every client whose hooks, plugins or extensions carry heed, one adapter each. */
export const ADAPTERS: readonly Adapter[] = [
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
  amp,
  goose,
  crush,
  windsurf,
];

/**
 * Finds out which client speaks. First by its message: one client's hooks file is run by others too, and a client that
 * another one started has the other's variables. Then by the name that its registration gave (`--client`), then by its
 * environment; what nothing tells is Claude Code, whose format this is.
 */
export function adapterOf(
  fields: Fields,
  named: string | undefined,
  env: Readonly<Record<string, string | undefined>>,
): Adapter {
  return (
    ADAPTERS.find((adapter) => adapter.isSpokenIn(fields)) ??
    ADAPTERS.find(({ client }) => client === named) ??
    ADAPTERS.find((adapter) => isInEnvironment(adapter, env)) ??
    claudeCode
  );
}
