import { readdirSync, readFileSync } from "node:fs";

/** A process that was started for a sandbox. */
export interface SandboxProcess {
  pid: number;
  /** Its command line. */
  command: string;
}

/**
 * The processes that run for the sandbox with this home, told by their environment. Needs /proc: elsewhere the list
 * is empty.
 */
export function processesOf(home: string): SandboxProcess[] {
  let entries: string[];
  try {
    entries = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  } catch {
    return [];
  }
  return entries.flatMap((pid) => {
    try {
      if (!readFileSync(`/proc/${pid}/environ`, "utf8").split("\0").includes(`HOME=${home}`)) return [];
      const command = readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ").trim();
      return [{ pid: Number(pid), command }];
    } catch {
      // It ended meanwhile, or belongs to somebody else.
      return [];
    }
  });
}

/** The resident servers of heed among them. */
export function serversOf(home: string): SandboxProcess[] {
  return processesOf(home).filter(({ command }) => /\bnode\S* \S*(?:heed\.cjs mcp|mcp\.cjs)\b/.test(command));
}
