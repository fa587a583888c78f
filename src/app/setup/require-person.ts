import { HeedError } from "../../errors/heed-error.ts";
import type { Actor } from "../../memory/actor.ts";

/**
 * Lets a person pass.
 *
 * @param why what the matter is and whose, ending in who does it instead.
 * @param remedy what the user does.
 * @throws HeedError `gate-refused` for anybody else.
 */
export function requirePerson(actor: Actor, why: string, remedy: string): void {
  if (actor.kind !== "person") throw new HeedError("gate-refused", why, { gate: "user-word", remedy });
}
