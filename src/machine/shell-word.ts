/** A word for a command that is printed to be pasted into a shell: quoted where it is more than a plain path. */
export function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

/** The words of each command of a shell text, without their quotes: parted at `&&`, `||`, `;`, `|` and line ends. At most 50. */
export function commandsIn(text: string): string[][] {
  const commands: string[][] = [[]];
  let word: string | undefined;
  let quote = "";
  for (let i = 0; i <= text.length; i++) {
    const char = text[i] ?? "\n";
    const isEnd = quote === "" && (/[\s;|]/.test(char) || (char === "&" && text[i + 1] === "&"));
    if (isEnd) {
      if (word !== undefined) commands.at(-1)?.push(word);
      word = undefined;
      if (/[\n;|&]/.test(char)) commands.push([]);
      if (char === "&") i++;
    } else if (char === quote) quote = "";
    else if (quote === "" && (char === "'" || char === '"')) [quote, word] = [char, word ?? ""];
    else word = (word ?? "") + (char === "\\" && quote !== "'" ? (text[++i] ?? "") : char);
  }
  if (word !== undefined) commands.at(-1)?.push(word);
  return commands.filter((words) => words.length > 0).slice(0, 50);
}
