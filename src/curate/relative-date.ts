/** A time that a text gives relative to the day of writing: in a month nobody knows which day it meant. */
export interface RelativeDate {
  text: string;
  index: number;
  /** What it says in absolute terms, fit to stand in its place; absent when that cannot be told. */
  resolved?: string;
  /** What it may mean, the likelier first; empty where nobody can tell ("soon"). */
  candidates: string[];
  /**
   * - `firm`: it can only be meant as a date ("yesterday", "next month").
   * - `loose`: it is a date in a fact, but may be a habit in a rule ("on Friday", "today", "in two weeks").
   * - `vague`: no date can be told ("soon", "recently"); it is questioned, not refused.
   */
  weight: "firm" | "loose" | "vague";
}
