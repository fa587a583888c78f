import type { Tree } from "./claim-check.ts";

const STAMP = { mtimeMs: 0, ctimeMs: 0, sizeBytes: 0, inode: 0 };

/** A tree of one file, as a commit had it: what a claim about that file is checked against. Undefined: not there. */
export function versionTree(path: string, text: string | undefined): Tree {
  const isHere = (asked: string): boolean => asked === path && text !== undefined;
  return {
    look: (asked) => (isHere(asked) ? { kind: "file", state: STAMP } : { kind: "missing" }),
    text: (asked) => (isHere(asked) ? { text: text ?? "" } : { missing: true }),
  };
}
