/** A key and one plain word: letters, digits, dashes. What YAML would read as anything but a text is left out. */
const PLAIN_LINE = /^([a-z][a-z_-]*):[ \t]+([A-Za-z0-9][A-Za-z0-9_-]*)[ \t]*$/;
/** Words and numbers that YAML reads as something else (true, null, 12, 0x1F, 1e5, 2026-03-05). */
const NO_TEXT = /^(?:true|false|null|[0-9][0-9eExXoOa-fA-F_-]*)$/i;

/**
 * Reads the configuration that nearly every store has, lines of `key: word`, without the YAML parser: its start alone
 * takes half as long as Node's, and a hook reads this file each time. Undefined for a text that is anything else; then
 * the parser must read it. Where both read a text they agree (a test compares them).
 */
export function readFlatYaml(text: string): Record<string, string | boolean> | undefined {
  const values = new Map<string, string | boolean>();
  for (const line of text.split(/\r?\n/)) {
    if (/^(?:#.*)?$/.test(line)) continue;
    const [, key = "", word = ""] = PLAIN_LINE.exec(line) ?? [];
    if (key === "" || values.has(key)) return undefined;
    if (word === "true" || word === "false") values.set(key, word === "true");
    else if (NO_TEXT.test(word)) return undefined;
    else values.set(key, word);
  }
  return Object.fromEntries(values);
}
