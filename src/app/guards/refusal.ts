import { HeedError } from "../../errors/heed-error.ts";

/** A refusal to put a guard into force, or to call one wrong. */
export function refused(message: string, remedy: string): HeedError {
  return new HeedError("gate-refused", `${message}. ${remedy[0]?.toUpperCase()}${remedy.slice(1)}.`, {
    gate: "guard",
    remedy,
  });
}
