import type { SessionDigest } from "../digest/session-digest.ts";
import { oneLine } from "../text/one-line.ts";

/**
 * What a session left open, one line each, as far as its record shows: steps of the agent's plan, a last command that
 * failed, a call that did not end. What somebody said about it is in the history.
 */
export function openWork({ plan, lastMessage, commands, pending }: SessionDigest): string[] {
  const steps = plan.filter(({ isDone }) => !isDone).map(({ text }) => text);
  const last = commands.at(-1);
  const failed = last?.outcome === "failed" ? [last.command] : [];
  const cut = lastMessage === "" ? Object.values(pending).slice(-1) : [];
  return [
    ...steps,
    ...failed.map((command) => `failed last: \`${oneLine(command, 120)}\``),
    ...cut.map(({ what }) => `was under way: ${oneLine(what, 120)}`),
  ];
}
