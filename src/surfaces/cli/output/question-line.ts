import type { Text } from "./styled-text.ts";
import { styled } from "./styled-text.ts";

/** The line of the question that is open at a place; none where none is. */
export function questionLine({ question }: { question?: string | undefined }): Text[] {
  return question === undefined ? [] : [[styled("yellow", "question".padEnd(12)), question]];
}
