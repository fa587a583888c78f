/** Remembers the last answers, at most `kept`, which are shared: do not change them. */
export function rememberLast<T>(of: (text: string) => T, kept = 500): (text: string) => T {
  const answers = new Map<string, T>();
  return (text) => {
    const known = answers.get(text);
    if (known !== undefined) return known;
    if (answers.size >= kept) answers.clear();
    const answer = of(text);
    answers.set(text, answer);
    return answer;
  };
}
