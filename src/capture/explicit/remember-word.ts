/** "Remember", and how it is mostly mistyped, as the source of a pattern. */
export const REMEMBER_WORD: string = String.raw`rem{1,2}e?m{0,2}e?b(?:er|re|r)`;
