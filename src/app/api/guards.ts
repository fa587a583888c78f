import type { GuardList, GuardSuggestion, GuardTrial, TriedCall } from "./guard-api.ts";
import type { Actor, Change } from "./writing-api.ts";

/** Rules that are enforced at tool use. */
export interface GuardsApi {
  /** The guards of the stores that hold here: in force or not, how often they fired. */
  list(): Promise<GuardList>;
  /** What the guards in force would say to a tool use, step by step; nothing is run and no trace is left. */
  try(call: TriedCall): Promise<GuardTrial>;
  /** The guard that a rule's text states, where it states one plainly. */
  suggest(handle: string): Promise<GuardSuggestion>;
  /** Puts a guard into a rule, the suggested one by default. Rejects with `gate-refused` for anybody but a person. */
  add(handle: string, guard: Record<string, unknown> | undefined, actor: Actor): Promise<Change>;
  /** Notes that the guards that fired in a receipt did so wrongly; resolves to which. */
  reportWrong(receipt: string, actor: Actor): Promise<{ handle: string; number: number }[]>;
}
