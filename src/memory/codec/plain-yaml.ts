/* Heed's own narrow YAML, read without the library, which takes half as long to load as Node. Anything else: undefined. */

/** Maps and brackets nested deeper than this are left to the library. */
const MAX_DEPTH = 8;

const LINE = /^( *)([A-Za-z_][\w-]*):(?: +(\S.*))?$/;
/** How an unquoted text may begin so that it is no quote, anchor, tag, list or the like. */
const TEXT = /^(?:[A-Za-z0-9\u00A1-\uFEFE$(/;^_+.<=]|-[A-Za-z-])[^\t\n\uFEFF]*$/;
/** What YAML takes for something else than text, inside a text or as a whole. */
const NO_TEXT =
  /: |:$| #|^(?:null|true|false|[-+]?\.(?:inf|nan)|[-+]?\d+|0o[0-7]+|0x[0-9a-f]+|[-+]?(?:\.\d+|\d+(?:\.\d*)?)(?:e[-+]?\d+)?)$/i;
const QUOTED = /^(?:"(?:[^"\\]|\\.)*"|'(?:[^']|'')*')$/;
const TOKEN =
  / *(?:([[\]{},])|([A-Za-z_][\w-]*): |("(?:[^"\\]|\\.)*"|'(?:[^']|'')*')|([^,[\]{}"' ][^,[\]{}]*))/y;

/** Reads front matter in heed's own form, as YAML 1.2 does; undefined for any other. */
export function readPlainYaml(yaml: string): Record<string, unknown> | undefined {
  const root: Record<string, unknown> = {};
  const levels = [{ indent: 0, map: root }];
  /** The key of the line above, when it has no value of its own. */
  let open: string | undefined;
  for (const raw of yaml.split("\n")) {
    const line = withoutTrailingSpaces(raw);
    if (/^ *(?:#|$)/.test(line)) continue;
    const [, blanks = "", key, text] = LINE.exec(line) ?? [];
    if (key === undefined || key === "__proto__" || NO_TEXT.test(key)) return undefined;
    let level = levels.at(-1)!;
    if (open !== undefined && blanks.length > level.indent) {
      const map = {};
      level.map[open] = map;
      levels.push((level = { indent: blanks.length, map }));
      if (levels.length > MAX_DEPTH) return undefined;
    }
    while (levels.length > 1 && blanks.length < level.indent) {
      levels.pop();
      level = levels.at(-1)!;
    }
    const value = text === undefined ? null : readValue(text);
    if (value === undefined || blanks.length !== level.indent || Object.hasOwn(level.map, key))
      return undefined;
    level.map[key] = value;
    open = text === undefined ? key : undefined;
  }
  return root;
}

/** Not by a regular expression: `/ +$/` is quadratic on a long run of spaces in the middle. */
function withoutTrailingSpaces(text: string): string {
  let end = text.length;
  while (end > 0 && text.charCodeAt(end - 1) === 32) end -= 1;
  return end === text.length ? text : text.slice(0, end);
}

function readValue(text: string): unknown {
  if (/^[[{]/.test(text)) return readFlow(text);
  if (/^["']/.test(text)) return QUOTED.test(text) ? unquoted(text) : undefined;
  if (TEXT.test(text) && !NO_TEXT.test(text)) return text;
  return /^(?:true|false|null|0|[1-9]\d{0,8})$/.test(text) ? JSON.parse(text) : undefined;
}

/** The escapes of JSON mean the same in YAML; undefined for the others. */
function unquoted(text: string): string | undefined {
  if (text.startsWith("'")) return text.slice(1, -1).replaceAll("''", "'");
  return text.includes("\\") ? (fromJson(text) as string | undefined) : text.slice(1, -1);
}

/** `[…]` and `{…}`, rewritten as JSON: what is wrong with one is wrong with the other. */
function readFlow(text: string): unknown {
  let json = "";
  let depth = 0;
  for (TOKEN.lastIndex = 0; TOKEN.lastIndex < text.length;) {
    const [whole, sign, key, quoted, plain] = TOKEN.exec(text) ?? [];
    if (whole === undefined || key === "__proto__") return undefined;
    if (sign !== undefined) {
      depth += /[[{]/.test(sign) ? 1 : /[\]}]/.test(sign) ? -1 : 0;
      if (depth > MAX_DEPTH) return undefined;
      json += sign;
    } else if (key !== undefined) {
      if (NO_TEXT.test(key)) return undefined;
      json += `"${key}":`;
    } else {
      const value = quoted === undefined ? readValue((plain ?? "").trimEnd()) : unquoted(quoted);
      if (value === undefined) return undefined;
      json += JSON.stringify(value);
    }
  }
  return fromJson(json);
}

function fromJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
