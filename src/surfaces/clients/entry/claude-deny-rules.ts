import type { Piece, ProtectedFolders } from "./client.ts";

/**
 * Rules for heed's folders in Claude Code's settings: `permissions.deny` for records, `permissions.ask` for stores (any
 * repository's `.heed` too), and `sandbox.filesystem.denyWrite`, by which the kernel refuses what a sandboxed command
 * does in any spelling. None of it turns the sandbox on.
 */
export function denyRulePieces(folders: ProtectedFolders, home: string): Piece[] {
  const { records, stores } = folders;
  return [
    ...editRulePieces(folders, home),
    { kind: "json-values", path: ["sandbox", "filesystem", "denyWrite"], values: [...records, ...stores] },
  ];
}

/** The first two, which Qwen Code has as well. */
export function editRulePieces(
  { records, stores }: ProtectedFolders,
  home: string,
  more: readonly string[] = [],
): Piece[] {
  const edit = (folder: string): string => `Edit(${rulePath(folder, home)}/**)`;
  const asked = [...stores.map(edit), "Edit(**/.heed/**)", ...more];
  return [
    { kind: "json-values", path: ["permissions", "deny"], values: records.map(edit) },
    { kind: "json-values", path: ["permissions", "ask"], values: asked },
  ];
}

/** A folder as Claude Code's rules name it: `~/…` below home, else `//…` from the root. */
function rulePath(folder: string, home: string): string {
  const path = folder
    .replaceAll("\\", "/")
    .replace(/^([A-Za-z]):/, (_, drive: string) => `/${drive.toLowerCase()}`);
  const base = home.replaceAll("\\", "/");
  return path.startsWith(`${base}/`) ? `~/${path.slice(base.length + 1)}` : `/${path}`;
}
