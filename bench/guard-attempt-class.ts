/** A way of breaking a guard, or of only seeming to, with all its attempts. */
export interface AttemptClass {
  name: string;
  guard: unknown;
  /** `documented`: docs/guards.md names it among what no guard sees. */
  kind: "attempt" | "harmless" | "documented";
  /** The branch that is checked out; not told when absent. */
  branch?: string | undefined;
  calls: readonly { tool: string; input: Record<string, unknown> }[];
}

/** Guards as users write them. */
export const COMMIT: unknown = { command: "git commit", flags: ["--no-verify"] };
export const PUSH: unknown = { command: "git push", flags: ["--force"], branches: ["main"] };
export const RM: unknown = {
  command: "rm",
  flags: ["-rf"],
  unless: { paths: ["dist/**", "node_modules/**"] },
};
export const PUBLISH: unknown = { command: "npm publish", unless: { flags: ["--dry-run"] } };
export const DELETE: unknown = { command: "kubectl delete", unless: { flags: ["--dry-run"] } };
export const DROP: unknown = { command: ["psql", "mysql", "sqlite3"], pattern: "(?i)drop\\s+table" };
export const FILES: unknown = { paths: ["migrations/**", ".env"] };
export const HOOKS: unknown = { command: "git commit", flags: ["-c core.hooksPath=*"] };
export const MCP: unknown = { tool: "mcp__fs__*", paths: ["migrations/**"] };

/** Every sentence of a template: `a«b¦c»d` is `abd` and `acd`. */
function grow(template: string): string[] {
  const at = /«([^«»]*)»/.exec(template);
  if (at?.[1] === undefined) return [template];
  const [before, after] = [template.slice(0, at.index), template.slice(at.index + at[0].length)];
  return at[1].split("¦").flatMap((choice) => grow(before + choice + after));
}

const shell = (
  kind: AttemptClass["kind"],
  name: string,
  guard: unknown,
  templates: readonly string[],
): AttemptClass => ({
  name,
  guard,
  kind,
  calls: templates.flatMap(grow).map((command) => ({ tool: "Bash", input: { command } })),
});
/** Commands that break a guard, as templates. */
export const attempt = (name: string, guard: unknown, ...templates: string[]): AttemptClass =>
  shell("attempt", name, guard, templates);
/** Commands that only seem to. */
export const harmless = (name: string, guard: unknown, ...templates: string[]): AttemptClass =>
  shell("harmless", name, guard, templates);
/** Commands that docs/guards.md names among what no guard sees. */
export const documented = (name: string, guard: unknown, ...templates: string[]): AttemptClass =>
  shell("documented", name, guard, templates);
