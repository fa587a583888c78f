/**
 * What a term stands for.
 *
 * - `word`: a word of prose, stemmed.
 * - `part`: a word inside an identifier (`retry` of `maxRetries`), stemmed.
 * - `identifier`: a whole identifier, path, flag, version or error code, not split.
 * - `character`, `pair`: one, or two neighbouring, characters of a script without spaces.
 */
export const TokenKind = { word: 0, part: 1, identifier: 2, character: 3, pair: 4 } as const;

/** One of the values of {@link TokenKind}. */
export type TokenKindValue = (typeof TokenKind)[keyof typeof TokenKind];

/**
 * Receives each term of a text with its position in words. A whole identifier sits at the position of its first part.
 * `isStop` marks function words; the caller decides whether they count. `surface` is the lower-case word before stemming.
 */
export type TokenSink = (
  term: string,
  position: number,
  kind: TokenKindValue,
  isStop: boolean,
  surface: string,
) => void;
