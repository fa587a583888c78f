import { HeedError } from "../../../heed.ts";

/** A wrong command line, with the remedy in its message. */
export function usageError(
  message: string,
  argument: string,
  value?: string,
  suggestions: string[] = [],
): HeedError {
  return new HeedError("invalid-input", message, {
    argument,
    ...(value !== undefined && { value }),
    ...(suggestions.length > 0 && { suggestions }),
  });
}

/** ` Did you mean a, b?`, or nothing. */
export function didYouMean(suggestions: readonly string[]): string {
  return suggestions.length === 0 ? "" : ` Did you mean ${suggestions.join(", ")}?`;
}
