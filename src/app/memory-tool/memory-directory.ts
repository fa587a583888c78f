import type { MemoryCard } from "../../memory/memory-card.ts";
import { slugOf } from "../../memory/slug.ts";

/** The directory that the tool knows. */
export const ROOT = "/memories";

/** What a path of the tool stands for: the root, the folder of a type, or a memory by type and name. */
export type ToolPath =
  | { kind: "root" }
  | { kind: "type"; type: string }
  | { kind: "file"; type: string; name: string };

/** Reads a path; undefined for one that is outside or could be no memory. */
export function parseToolPath(path: string): ToolPath | undefined {
  let decoded = path;
  try {
    decoded = decodeURIComponent(path);
  } catch {
    // A lone percent sign is one.
  }
  if (decoded !== path || /[\\\0]/.test(path)) return undefined;
  const parts = path.split("/");
  if (parts.shift() !== "" || parts.shift() !== ROOT.slice(1)) return undefined;
  if (parts.at(-1) === "") parts.pop();
  if (parts.some((part) => part === "" || part === "." || part === "..")) return undefined;
  const [type, file, ...more] = parts;
  if (type === undefined) return { kind: "root" };
  if (file === undefined) return /\.\w+$/.test(type) ? undefined : { kind: "type", type };
  const name = slugOf(file.replace(/\.(?:md|markdown|txt|xml)$/i, ""));
  return more.length > 0 || name === "" ? undefined : { kind: "file", type, name };
}

/** The path of a memory. */
export function toolPathOf({ type, name }: Pick<MemoryCard, "type" | "name">): string {
  return `${ROOT}/${type}/${name}.md`;
}

/** Sizes as the API's own tool writes them: powers of 1,024, one decimal where there is one. */
export function sizeText(bytes: number): string {
  if (bytes === 0) return "0B";
  const power = Math.min(3, Math.floor(Math.log(bytes) / Math.log(1024)));
  const size = bytes / 1024 ** power;
  return `${Number.isInteger(size) ? size : size.toFixed(1)}${["B", "K", "M", "G"][power]}`;
}

/** Numbered as the API's own tool numbers lines: six wide, then a tab. */
export function numberedLines(lines: readonly string[], first: number): string {
  return lines.map((line, i) => `${String(first + i).padStart(6)}\t${line}`).join("\n");
}
