import type { Problem } from "../../errors/problem.ts";
import type { StoreRef } from "../../memory/store-ref.ts";
import type { InjectedForm } from "./session-events.ts";

/** What a case of `tests/*.yaml` expects of a fresh session that is given its prompt. Memories by name. */
export interface TestCase {
  /** For the report; default: the prompt. */
  name: string;
  prompt: string;
  /** Told in some form: whole, in passages, or by a pointer; rules when they are in every fresh context. */
  told: readonly string[];
  /** Told whole or in passages. */
  whole: readonly string[];
  /** Not told at all. */
  not: readonly string[];
  /** Nothing is told on the prompt. */
  isNothing: boolean;
  /** The text that enters the context has at most this many characters. */
  maxChars?: number;
  /** 1-based line of the case in its file. */
  line: number;
}

/** How a case came out. */
export interface TestResult {
  store: StoreRef;
  /** Path relative to the store's root. */
  file: string;
  line: number;
  name: string;
  prompt: string;
  hasPassed: boolean;
  /** What was expected and did not happen, each with the reason that recall gave. */
  failures: string[];
  /** What was told on the prompt, in order. */
  told: { name: string; form: InjectedForm; chars: number }[];
  chars: number;
}

/** What `heed test` found. */
export interface TestReport {
  results: TestResult[];
  passed: number;
  failed: number;
  /** Files or cases that cannot be read; the run counts as failed when there are any. */
  problems: { store: StoreRef; problem: Problem }[];
  elapsedMs: number;
}

/** A case that was recorded. */
export interface SavedTest {
  store: StoreRef;
  /** Absolute path of the file that it was added to. */
  path: string;
  case: Omit<TestCase, "line">;
  /** What a reader of the case should know, for example that a receipt keeps the beginning of a long prompt. */
  notes: string[];
}
