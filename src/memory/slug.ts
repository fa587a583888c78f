/** A handle from free text: lower case, words joined by dashes, at most 80 characters. */
export function slugOf(text: string): string {
  return text
    .slice(0, 500)
    .normalize("NFKC")
    .toLowerCase()
    .replace(/['’]/g, "")
    .replace(/[^\p{L}\p{N}]+/gu, "-")
    .slice(0, 80)
    .replace(/^-+|-+$/g, "");
}
