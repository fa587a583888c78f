import { existsSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Sandbox } from "./client/sandbox.ts";
import type { Places } from "../../src/platform/places.ts";
import { stateOfStore } from "../../src/store/config/store-config.ts";
import { approvalsFile } from "../../src/store/trust/approvals.ts";

/** A memory as a person would write it by hand. */
export interface HandWritten {
  type: string;
  name: string;
  description: string;
  body: string;
  /** Further lines of `metadata`, as YAML. */
  metadata?: readonly string[];
}

/** The text of the file. */
export function memoryFile({ type, name, description, body, metadata = [] }: HandWritten): string {
  const lines = [
    "---",
    `name: ${name}`,
    `description: ${JSON.stringify(description)}`,
    "metadata:",
    ...[`type: ${type}`, "created: 2026-05-02T10:23:00Z", ...metadata].map((line) => `  ${line}`),
    "---",
    body,
    "",
  ];
  return lines.join("\n");
}

/** Puts memories into the user store by hand, as with an editor; returns the paths. */
export function placeInUserStore(sandbox: Sandbox, ...memories: readonly HandWritten[]): string[] {
  // As a heed that knew no baseline made it: files of any other folder wait for a look.
  const config = join(sandbox.userStore, "config.yaml");
  const registry = join(sandbox.home, ".local", "state", "heed", "stores.json");
  if (!existsSync(config)) sandbox.write(config, "# mine\n");
  const known = { version: 1, trusted: { user: [realpathSync(sandbox.userStore)] }, attached: [] };
  if (!existsSync(registry)) {
    sandbox.write(registry, JSON.stringify(known));
    const state = stateOfStore({ state: dirname(registry) } as Places, sandbox.userStore);
    sandbox.write(approvalsFile(state), '{"format":1,"rules":{}}');
  }
  return memories.map((memory) =>
    sandbox.write(join(sandbox.userStore, memory.type, `${memory.name}.md`), memoryFile(memory)),
  );
}

/** A rule with Why and How to apply. */
export function rule(name: string, statement: string, metadata: readonly string[] = []): HandWritten {
  const body = `${statement}.\n**Why:** it went wrong once.\n**How to apply:** every time, without exception.`;
  return { type: "feedback", name, description: statement, body, metadata };
}

/** Rules `rule-001` and so on, whose statements differ from the first words on. */
export function manyRules(count: number, statementLength = 60): HandWritten[] {
  return Array.from({ length: count }, (_, index) => {
    const number = String(index + 1).padStart(3, "0");
    const filler = `and keep the reason in mind whenever something of this sort is touched `.repeat(40);
    return rule(`rule-${number}`, `Rule ${number} says to do so ${filler}`.slice(0, statementLength).trim());
  });
}
