/** A word for a command that is printed to be pasted into a shell: quoted where it is more than a plain path. */
export function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
