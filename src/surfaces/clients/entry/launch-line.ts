import type { Launch } from "./client.ts";

/** A command line for clients that give their hooks to a shell. */
export function launchLine({ command, args }: Launch, ...more: readonly string[]): string {
  return [command, ...args, ...more].map(shellWord).join(" ");
}

/** Double quotes are known to every shell that clients use. */
function shellWord(word: string): string {
  return /^[\w./:@\\-]+$/.test(word) ? word : `"${word.replace(/(["$`])/g, "\\$1")}"`;
}
