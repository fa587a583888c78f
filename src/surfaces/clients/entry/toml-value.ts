/** A text or list of texts in TOML; JSON's escapes are TOML's too. */
export function tomlValue(value: string | number | readonly string[]): string {
  return Array.isArray(value)
    ? `[${value.map((item) => JSON.stringify(item)).join(", ")}]`
    : JSON.stringify(value);
}
