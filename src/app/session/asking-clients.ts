/**
 * Clients that were seen to ask their user when a tool hook answers `ask`: from which version on, in which permission
 * modes. Tried with Claude Code 2.1.330 in a terminal on 23 November 2026. Older versions are reported to let the call run
 * unseen in `auto` and `bypassPermissions`; no other client was tried.
 */
const ASKING: Readonly<Record<string, { since: readonly number[]; modes: readonly string[] }>> = {
  "claude-code": {
    since: [2, 1, 330],
    modes: ["default", "acceptEdits", "plan", "dontAsk", "bypassPermissions", "auto"],
  },
};

/** Where a call comes from, as far as its client said. */
export interface CallOrigin {
  client: string;
  clientVersion?: string | undefined;
  permissionMode?: string | undefined;
  agentId?: string | undefined;
}

/** Whether the client asks its user when heed answers `ask`. An agent has no user; what is not known does not ask. */
export function asksUser({ client, clientVersion = "", permissionMode = "", agentId }: CallOrigin): boolean {
  const known = Object.hasOwn(ASKING, client) ? ASKING[client] : undefined;
  if (!known || agentId !== undefined || !known.modes.includes(permissionMode)) return false;
  const version = /^(\d+)\.(\d+)\.(\d+)$/.exec(clientVersion)?.slice(1).map(Number);
  if (!version) return false;
  const differing = known.since.findIndex((part, i) => version[i] !== part);
  return differing < 0 || (version[differing] ?? 0) > (known.since[differing] ?? 0);
}
