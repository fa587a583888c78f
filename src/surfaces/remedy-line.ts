import type { Remedy } from "../heed.ts";

/** A remedy as one types it: `heed remove old-thing --reason "not used"`. */
export function remedyLine({ command, args, options = {} }: Remedy): string {
  const given = Object.entries(options).flatMap(([name, value]) => [`--${name}`, quoted(value)]);
  return ["heed", command, ...args.map(quoted), ...given].join(" ");
}

/** Quotes what a shell would read as more than one word; names and lists stay as they are. */
export function quoted(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `"${text.replace(/(["\\$`])/g, "\\$1")}"`;
}
