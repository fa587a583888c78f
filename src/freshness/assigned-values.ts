import { type Language, languageOf, maskSource } from "./source/mask-source.ts";

const MAX_FOUND = 50;

/** Values given to a name, as written and in order: `const NAME = 5`, `"name": 5`, `#define NAME 5`. Comments do not count. */
export function assignedValues(path: string, text: string, name: string): string[] {
  const language = languageOf(path, text);
  const source = language === undefined ? withoutHashComments(path, text) : maskSource(text, language, true);
  const plain = name.slice(name.lastIndexOf(".") + 1);
  const escaped = plain.replace(/[$.*+?^{}()|[\]\\]/g, "\\$&");
  const found: string[] = [];
  const pattern = new RegExp(
    `(?<![\\w$-])${escaped}["'\`]?(?:[ \\t]*[?!]?[ \\t]*:[ \\t]*(?!:)[^=\\n;{}"']{0,80}?(?<![!<>=:])=(?![=>~])|[ \\t]*(?:\\[[^\\]\\n]{0,40}\\][ \\t]*)?(?:\\|\\||\\?\\??)?(?<![!<>=])=(?![=~>])|[ \\t]*:{1,3}=|[ \\t]*=>|[ \\t]*:(?![:=]))[ \\t]*(?:\\r?\\n[ \\t]*)?(?<value>[^\\n]{1,300})`,
    "gu",
  );
  for (const match of source.matchAll(pattern)) {
    const value = cutValue(match.groups?.["value"] ?? "", language);
    if (value !== "") found.push(value);
    if (found.length >= MAX_FOUND) break;
  }
  const defined = new RegExp(`^[ \\t]*#[ \\t]*define[ \\t]+${escaped}[ \\t]+(?<value>[^\\n]{1,300})`, "gmu");
  const set = new RegExp(
    `^[ \\t]*(?:set|setx|ENV|ARG|define)[ (]+['"]?${escaped}['"]?[ ,\\t]+(?<value>[^\\n]{1,300})`,
    "gmu",
  );
  for (const lines of [defined, set])
    for (const match of source.matchAll(lines)) found.push(cutValue(match.groups?.["value"] ?? "", language));
  return found.slice(0, MAX_FOUND);
}

/** Whether a value as written is the one that a claim states: quotes, digit separators and suffixes of types aside. */
export function isSameValue(written: string, stated: string): boolean {
  return plainValue(written) === plainValue(stated);
}

/** Cuts `"5" + x, y` to its value: a quoted text, or everything up to the end of the statement. */
function cutValue(rest: string, language: Language | undefined): string {
  const text = rest.trim();
  const quoted = /^[rRbBuUfFL@$]{0,2}("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`)/.exec(text)?.[1];
  if (quoted !== undefined) return quoted;
  // A shell sets to the next blank; what follows is another name, or a command.
  if (language === "shell" && !text.startsWith("(")) {
    const word =
      /^(?:\\.|\$\([^()]*\)|\$\{[^{}]*\}|"(?:[^"\\]|\\.)*"|'[^']*'|[^\s;&|<>()"'\\])*/.exec(text)?.[0] ?? "";
    if (word !== "" && text.charAt(word.length) !== "(") return word;
  }
  let depth = 0;
  for (let i = 0; i < text.length; i++) {
    const char = text.charAt(i);
    if ("([{".includes(char)) depth += 1;
    else if (")]}".includes(char)) {
      if (depth === 0) return text.slice(0, i).trim();
      depth -= 1;
    } else if (depth === 0 && (char === ";" || char === ",")) return text.slice(0, i).trim();
    else if (depth === 0 && language === undefined && char === " " && text.charAt(i + 1) === "#")
      return text.slice(0, i).trim();
    else if ((char === '"' || char === "'") && depth > 0) {
      const end = text.indexOf(char, i + 1);
      if (end > 0) i = end;
    }
  }
  return text.trim();
}

function plainValue(value: string): string {
  const text = value.trim().replace(/[;,]$/, "").trim();
  const quoted = /^(["'`])([^]*)\1$/.exec(text)?.[2];
  if (quoted !== undefined) return quoted.replace(/\\(["'`\\])/g, "$1");
  const number =
    /^([-+]?(?:0[xXbBoO])?[0-9a-fA-F][0-9a-fA-F_']*(?:\.[0-9_]+)?(?:[eE][-+]?\d+)?)(?:[uUlLfFdDmMn]{1,3}|_?[iuf](?:8|16|32|64|128|size))?$/.exec(
      text,
    )?.[1];
  if (number !== undefined && /\d/.test(number)) return number.replace(/[_']/g, "").toLowerCase();
  return text.replace(/\s+/g, " ");
}

/** Configuration and environment files comment with `#`; in Markdown and JSON it means nothing of the kind. */
function withoutHashComments(path: string, text: string): string {
  if (/\.(?:json|jsonc|json5)$/i.test(path)) return text.replace(/^[ \t]*\/\/[^\n]*$/gm, "");
  if (/\.(?:md|mdx|txt|html?|css|scss)$/i.test(path)) return text;
  return text.replace(/^[ \t]*[#;][^\n]*$/gm, "");
}
