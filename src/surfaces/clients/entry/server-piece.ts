import type { Launch, Piece } from "./client.ts";

/** The command of heed's server. */
export function serverCommand(
  { command, args }: Launch,
  ...more: readonly string[]
): {
  command: string;
  args: string[];
} {
  return { command, args: [...args, "mcp", ...more] };
}

/** heed's server as an entry of a JSON object, as nearly every client writes it. */
export function serverPiece(
  path: readonly string[],
  launch: Launch,
  {
    before = {},
    after = {},
    flags = [],
  }: { before?: object; after?: object; flags?: readonly string[] } = {},
): Piece {
  const value = { ...before, ...serverCommand(launch, ...flags), ...after };
  return { kind: "json-value", path: [...path, "heed"], value };
}
