import { claudeCode, codex, droid, gemini, kimi, qwen, vscode } from "./claude-shaped.ts";
import { type Adapter, type Fields, isInEnvironment } from "./adapter.ts";
import { cline, copilot, cursor, plugins } from "./own-shaped.ts";

/** Every client whose hooks, plugins or extensions carry heed, one adapter each. */
export const ADAPTERS: readonly Adapter[] = [
  claudeCode,
  codex,
  gemini,
  copilot,
  vscode,
  cursor,
  qwen,
  cline,
  droid,
  kimi,
  ...plugins,
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
    ADAPTERS.find((adapter) => adapter.isSpokenIn?.(fields)) ??
    ADAPTERS.find(({ client }) => client === named) ??
    ADAPTERS.find((adapter) => isInEnvironment(adapter, env)) ??
    claudeCode
  );
}
