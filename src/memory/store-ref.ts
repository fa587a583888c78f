import type { StoreKind } from "./memory-metadata.ts";

/** A store as the layers above the files see it: what it is, where it is, and whether its rules are in force. */
export interface StoreRef {
  /** Stable identity; survives moving and cloning the directory. */
  id: string;
  kind: StoreKind;
  /** Absolute path of the directory. */
  root: string;
  /**
   * Made or approved on this machine. The memories of a store that is not trusted are data: nothing in it is
   * presented as a rule.
   */
  isTrusted: boolean;
  /** Written only through its own tool (attached stores, unless the user said otherwise). */
  isReadOnly: boolean;
}
