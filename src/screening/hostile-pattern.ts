import type { HostileKind } from "./hostile-kind.ts";

/** A way of speaking to a model against its user, or of carrying something out. */
export interface HostilePattern {
  kind: HostileKind;
  /**
   * What a match begins with, as for secrets (see HintTable); empty for scripts that have no ASCII: these are looked
   * for in texts that hold such letters.
   */
  hints: readonly string[];
  /** Sticky where there are hints. Bounded, since it runs over text that somebody else wrote. */
  pattern: RegExp;
  /** A last look at the match. */
  isSure?: (match: string) => boolean;
}
