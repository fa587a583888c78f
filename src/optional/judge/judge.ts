import type { ShortlistEntry } from "../../app/place/judge-source.ts";
import type { ModelFailure, TokenUsage } from "../model/model.ts";

/** Why a judge gave no judgement. */
export type JudgeFailure = ModelFailure;

/** What came of asking. Trouble is data: whoever asks goes on without a judge. */
export type Judgement =
  /** Handles of the shortlist; none when nothing bears on the prompt. */
  | { kind: "chosen"; handles: string[]; usage: TokenUsage }
  /** `message` holds no word of the provider's answer, which is hostile input; `usage` where it was told. */
  | { kind: "failed"; failure: JudgeFailure; message: string; usage?: TokenUsage };

/** A model that selects from a shortlist which memories bear on a prompt. */
export interface Judge {
  /** As the ledger names it: `anthropic claude-haiku-4-5`. */
  readonly name: string;
  /**
   * Selects at most five handles of the shortlist, within `deadlineMs` from the call. Never rejects. `signal` ends it
   * early.
   */
  select(
    prompt: string,
    shortlist: readonly ShortlistEntry[],
    deadlineMs: number,
    signal?: AbortSignal,
  ): Promise<Judgement>;
}

/** At most so many memories are selected: as many as a prompt is told. */
export const MAX_SELECTED = 5;
