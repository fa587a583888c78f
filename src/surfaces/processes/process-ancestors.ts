import { execFileSync } from "node:child_process";
import { readRegularFile } from "../../machine/regular-file.ts";

/** A process above this one. */
export interface Ancestor {
  pid: number;
  /** Its command line; empty where it cannot be read. */
  words: readonly string[];
}

/** No person makes a longer chain. */
const MAX_ANCESTORS = 40;
const MAX_BYTES = 64 * 1024;
const TIMEOUT_MS = 2000;

/**
 * The processes above this one, the nearest first: of Linux from the kernel's files, of macOS from one call of `ps`.
 * Undefined where that cannot be told (Windows).
 */
export function processAncestors(
  pid: number = process.ppid,
  platform: NodeJS.Platform = process.platform,
): Ancestor[] | undefined {
  if (platform === "linux") return chainOf(pid, ofKernel);
  if (platform !== "darwin") return undefined;
  const table = processTable();
  return table && chainOf(pid, (each) => table.get(each));
}

/** The environment with which a process began; undefined where the system does not tell. */
export function environmentOf(pid: number): Record<string, string> | undefined {
  if (process.platform !== "linux") return undefined;
  try {
    const pairs = readKernel(`/proc/${pid}/environ`).split("\0");
    return Object.fromEntries(
      pairs.map((pair) => [pair.split("=", 1)[0] ?? "", pair.slice(pair.indexOf("=") + 1)]),
    );
  } catch {
    return undefined;
  }
}

type Look = (pid: number) => { parent: number; words: readonly string[] } | undefined;

function chainOf(first: number, look: Look): Ancestor[] {
  const chain: Ancestor[] = [];
  for (let pid = first; pid > 0 && chain.length < MAX_ANCESTORS;) {
    const found = look(pid);
    if (!found) break;
    chain.push({ pid, words: found.words });
    pid = found.parent;
  }
  return chain;
}

function ofKernel(pid: number): ReturnType<Look> {
  try {
    const parent = Number(fieldsOf(readKernel(`/proc/${pid}/stat`))[1]);
    return { parent, words: readKernel(`/proc/${pid}/cmdline`).split("\0").filter(Boolean) };
  } catch {
    return undefined;
  }
}

/** The fields behind the command's name, which may itself hold blanks and parentheses. */
function fieldsOf(stat: string): string[] {
  return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
}

function readKernel(path: string): string {
  return readRegularFile(path, { maxBytes: MAX_BYTES, part: "beginning" });
}

function processTable(): Map<number, NonNullable<ReturnType<Look>>> | undefined {
  try {
    const lines = execFileSync("/bin/ps", ["-axww", "-o", "pid=,ppid=,command="], {
      encoding: "utf8",
      timeout: TIMEOUT_MS,
      maxBuffer: 32 * 1024 * 1024,
      stdio: ["ignore", "pipe", "ignore"],
    });
    return parseProcessTable(lines);
  } catch {
    return undefined;
  }
}

/** What `ps -o pid=,ppid=,command=` prints, by pid. */
export function parseProcessTable(text: string): Map<number, { parent: number; words: readonly string[] }> {
  const table = new Map<number, { parent: number; words: readonly string[] }>();
  for (const line of text.split("\n")) {
    const match = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line);
    if (match) table.set(Number(match[1]), { parent: Number(match[2]), words: (match[3] ?? "").split(" ") });
  }
  return table;
}
