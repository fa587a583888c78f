/** What the user said, and when. */
export interface SaidTurn {
  text: string;
  /** ISO time. */
  time: string;
}
