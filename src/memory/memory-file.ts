/** Generated files, and files for people: never memories. */
const NOT_MEMORIES = new Set([
  "memory.md",
  "readme.md",
  "changelog.md",
  "license.md",
  "claude.md",
  "agents.md",
]);

/** Whether a file of this name can be a memory: markdown, and neither generated nor meant for people. */
export function isMemoryFile(name: string): boolean {
  return /\.(?:md|markdown)$/i.test(name) && !NOT_MEMORIES.has(name.toLowerCase());
}
