import type { TypeTable } from "../../memory/memory-type.ts";
import type { StoreRef } from "../../memory/store-ref.ts";
import type { ChangeJournal } from "./change-journal.ts";
import type { StoreState } from "../config/store-state.ts";

/** What there is to settle in a store. */
export interface SettleRequest {
  ref: StoreRef;
  state: StoreState;
  journal: ChangeJournal;
  types: TypeTable;
  now: Date;
  env: Readonly<Record<string, string | undefined>> | undefined;
}
