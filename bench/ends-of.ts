/** Of a long prompt the beginning and the end, as heed reads it. */
export function endsOf(prompt: string): string {
  return prompt.length <= 6000 ? prompt : `${prompt.slice(0, 3000)}\n${prompt.slice(-3000)}`;
}
