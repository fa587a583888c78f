import { readdirSync, readFileSync } from "node:fs";

/** A process that was started for a sandbox. */
export interface SandboxProcess {
  pid: number;
  parent: number;
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
      const parent = /^PPid:\s*(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
      return [{ pid: Number(pid), parent: Number(parent), command }];
    } catch {
      // It ended meanwhile, or belongs to somebody else.
      return [];
    }
  });
}

/**
 * The resident servers of heed among them. One that starts git is there twice for a moment, on a busy machine for
 * milliseconds: the fork has its command line and its environment until it becomes git. A fork is no server.
 */
export function serversOf(home: string): SandboxProcess[] {
  const servers = processesOf(home).filter(({ command }) =>
    /\bnode\S* \S*(?:heed\.cjs mcp|mcp\.cjs)\b/.test(command),
  );
  return servers.filter(({ parent }) => !servers.some(({ pid }) => pid === parent));
}
