import type { BraceGrammar } from "./brace-syntax.ts";
import { withoutAttributes } from "./brace-syntax.ts";

const ATTRIBUTE = /^#!?\[/;
const ITEM =
  /^(?:pub\s*(?:\([^)]*\))?\s*)?(?:(?:default|async|unsafe|const|extern(?:\s*"[^"]*")?)\s+)*(fn|struct|enum|trait|union|mod|type|macro_rules!)\s+(?:r#)?(\w+)/;
const VALUE = /^(?:pub\s*(?:\([^)]*\))?\s*)?(?:const|static)\s+(?:(?:mut|ref)\s+)?(\w+)\s*:/;
const MEMBER = /^(?:pub\s*(?:\([^)]*\))?\s*)?(?:r#)?(\w+)\s*:(?!:)/;
const IMPL = /^(?:unsafe\s+)?(?:default\s+)?impl\b/;

/** Rust. */
export const RUST_GRAMMAR: BraceGrammar = {
  endsAtLineBreak: false,
  commaEnds: ["enum", "type"],
  define(header, { place }) {
    const text = withoutAttributes(header, ATTRIBUTE);
    const [, word, name] = ITEM.exec(text) ?? [];
    if (word !== undefined && name !== undefined)
      return [{ name, kind: word === "fn" || word === "macro_rules!" ? "function" : "type" }];
    if (place === "function") return [];
    const value = VALUE.exec(text)?.[1];
    if (value !== undefined) return [{ name: value, kind: "variable" }];
    if (place === "enum") {
      const variant = /^(\w+)/.exec(text)?.[1];
      return variant === undefined ? [] : [{ name: variant, kind: "variable" }];
    }
    const member = place === "type" ? MEMBER.exec(text)?.[1] : undefined;
    return member === undefined ? [] : [{ name: member, kind: "variable" }];
  },
  placeOf(header, outer) {
    const text = withoutAttributes(header, ATTRIBUTE);
    const [, word] = ITEM.exec(text) ?? [];
    if (word === "enum") return "enum";
    if (word === "struct" || word === "union" || word === "trait") return "type";
    if (word === "mod" || IMPL.test(text) || /^(?:unsafe\s+)?extern\b[^(]*$/.test(text)) return "top";
    // A variant with fields.
    if (outer === "enum" && /^\w+\s*$/.test(text)) return "type";
    // `cfg_if! { if … { items } }` and other macros around items.
    return outer === "top" && /^\w+!\s*[({]?\s*$/.test(text) ? "top" : "function";
  },
  containerOf(header) {
    const text = withoutAttributes(header, ATTRIBUTE);
    if (!IMPL.test(text)) return undefined;
    // `impl<T> Trait<T> for path::Type<T> where …`: the type that gets the items.
    const target = dropAngles(text.replace(/^[^]*?\bimpl\b/, "")).split(/\bwhere\b/)[0] ?? "";
    const name = /(\w+)\s*$/.exec((target.split(/\bfor\b/).at(-1) ?? "").trim())?.[1];
    return name === undefined ? [] : [name];
  },
};

function dropAngles(text: string): string {
  let depth = 0;
  let kept = "";
  for (let i = 0; i < text.length; i++) {
    const char = text.charAt(i);
    if (char === "<") depth += 1;
    else if (char === ">" && text.charAt(i - 1) !== "-") depth = Math.max(0, depth - 1);
    else if (depth === 0) kept += char;
  }
  return kept;
}
