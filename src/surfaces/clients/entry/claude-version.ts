import { execFile } from "node:child_process";

/** The client's start takes up to a few seconds on a cold disk. */
const TIMEOUT_MS = 10_000;

/** The first version of Claude Code that knows both `mcp_tool` hooks (2.1.118) and commands with `args` (2.1.139). */
const RESIDENT_SINCE = [2, 1, 139] as const;

/** Asks the installed Claude Code for its version; undefined when there is none or it does not answer. */
export function claudeVersion(
  env: Readonly<Record<string, string | undefined>>,
): Promise<string | undefined> {
  return new Promise((resolve) => {
    execFile(
      "claude",
      ["--version"],
      { timeout: TIMEOUT_MS, maxBuffer: 64 * 1024, env: { ...env }, windowsHide: true },
      (error, stdout) => resolve(error === null ? /\d+\.\d+\.\d+/.exec(stdout)?.[0] : undefined),
    );
  });
}

/** Whether a version knows the hooks that call the resident server. An unknown version does not. */
export function knowsResidentHooks(version: string | undefined): boolean {
  const parts = version?.split(".").map(Number) ?? [];
  if (parts.length !== 3 || parts.some(Number.isNaN)) return false;
  for (const [i, wanted] of RESIDENT_SINCE.entries()) {
    const part = parts[i] ?? 0;
    if (part !== wanted) return part > wanted;
  }
  return true;
}
