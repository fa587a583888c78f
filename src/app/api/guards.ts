import type { Actor } from "../../memory/actor.ts";
import type { GuardList, GuardPlace, GuardTrial, TriedCall } from "./guard-reports.ts";
import type { Change } from "./history.ts";

/** Rules that are enforced at tool use. */
export interface GuardsApi {
  /**
   * Lists the guards of the stores that hold here: in force or not, how often they fired.
   *
   * @throws HeedError The codes that every method can come with (see `Heed`).
   * @example
   * await heed.guards.add("no-force-push", { guard: { command: "git push", flags: ["--force"] } }, person);
   * const { guards } = await heed.guards.list();
   * guards[0]?.action; // → "deny"
   */
  list(): Promise<GuardList>;
  /**
   * Tells what the guards in force would say to a tool use, step by step; nothing is run and no trace is left.
   *
   * @throws HeedError `invalid-input` for a call that is none.
   * @example
   * const { action } = await heed.guards.try({ input: { command: "git push --force" } });
   * action; // → "allow"
   */
  try(call: TriedCall): Promise<GuardTrial>;
  /**
   * Puts a guard into a rule; further guards of the rule stay. From anybody but a person it waits in the inbox.
   *
   * @param options - `guard`: as it stands under `guard` in a file, or that as YAML or JSON text.
   * @throws HeedError `gate-refused` for anybody but a person, for what is no rule, and for a guard that cannot be read;
   *   `invalid-input`; `not-found` and `ambiguous`; `read-only`; `changed-outside`; `broken-file`.
   * @example
   * const guard = "{ command: git push, flags: [--force] }";
   * const { files } = await heed.guards.add("no-force-push", { guard }, person);
   * files; // → ["feedback/no-force-push.md"]
   */
  add(handle: string, options: { guard: Record<string, unknown> | string }, actor: Actor): Promise<Change>;
  /**
   * Notes that the guards that fired in a receipt did so wrongly; resolves to which.
   *
   * @throws HeedError `gate-refused` for anybody but a person; `not-found` for an unknown receipt; `invalid-input` also
   *   when no guard fired in it; `ambiguous`.
   * @example
   * const told = await heed.guards.reportWrong(receipt, person).catch(({ code }) => code);
   * told; // → "invalid-input"
   */
  reportWrong(receipt: string, actor: Actor): Promise<GuardPlace[]>;
}
