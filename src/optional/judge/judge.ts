import type { ShortlistEntry } from "../../app/place/judge-source.ts";

/** Tokens of one call, as the provider counts them; estimated from the text where it does not say. */
export interface TokenUsage {
  input: number;
  output: number;
  isEstimated: boolean;
}

/** Why a judge gave no judgement. */
export type JudgeFailure =
  /** The deadline passed. */
  | "timeout"
  /** No connection, or the program does not start. */
  | "unreachable"
  /** The provider declined: an HTTP status, a redirect, a program that reports an error. */
  | "refused"
  /** An answer that is none: no JSON, or handles that are not in the list. */
  | "nonsense"
  /** An answer of more bytes than any judgement has. */
  | "oversized";

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
