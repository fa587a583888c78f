/**
 * What mends a finding: a command of heed as data, so that a terminal can print it, a page make a button of it, and a
 * model say it to the user.
 */
export interface Remedy {
  /** As `heed help` names it: `repair`, `guard test`. */
  command: string;
  /** What the command is about, in its order: most often the name of a memory. What is to be filled in is in capitals. */
  args: string[];
  /** Options by their names, without dashes. */
  options?: Readonly<Record<string, string>>;
}
