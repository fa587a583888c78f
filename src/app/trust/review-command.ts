import type { StoreKind } from "../../memory/memory-card.ts";

/** The command by which a person looks over what did not come through heed in a store of a kind. */
export function reviewCommand(kind: StoreKind): string {
  return kind === "user" ? "heed trust --mine" : "heed trust";
}
