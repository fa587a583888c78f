import type { BraceGrammar, NamedThing } from "./brace-syntax.ts";
import { closingOf, splitAtCommas, withoutAttributes } from "./brace-syntax.ts";
import type { Definition } from "./definition.ts";
import type { MaskedSource } from "./mask-source.ts";

const ATTRIBUTE = /^#\[/;
const TYPE = /^(?:(?:abstract|final|readonly)\s+)*(class|interface|trait|enum|namespace)\s+([\w\\]+)/;
const FUNCTION = /^(?:(?:public|private|protected|static|abstract|final)\s+)*function\s+&?\s*(\w+)/;
const CONSTANT = /^(?:(?:public|private|protected|final)\s+)*const\s+(?:[\w\\?|]+\s+)?(\w+)\s*=/;
const PROPERTY = /^(?:(?:public|private|protected|static|readonly|var)\s+)+(?:[\w\\?|&()\s]+\s+)?\$(\w+)/;

/** PHP. */
export const PHP_GRAMMAR: BraceGrammar = {
  endsAtLineBreak: false,
  commaEnds: [],
  preprocess,
  define(header, { place }): NamedThing[] {
    const text = withoutAttributes(header, ATTRIBUTE);
    const [, word, type] = TYPE.exec(text) ?? [];
    if (type !== undefined) return word === "namespace" ? [] : [{ name: type, kind: "type" }];
    const name = FUNCTION.exec(text)?.[1];
    if (name !== undefined)
      return [{ name, kind: "function" }, ...(name === "__construct" ? promoted(text) : [])];
    const constant = CONSTANT.exec(text)?.[1];
    if (constant !== undefined) {
      const further = splitAtCommas(text)
        .slice(1)
        .flatMap((part) => /^\s*(\w+)\s*=/.exec(part)?.[1] ?? []);
      return [constant, ...further].map((variable) => ({ name: variable, kind: "variable" }));
    }
    if (place === "enum" || place === "type") {
      const found = /^case\s+(\w+)/.exec(text)?.[1];
      if (found !== undefined) return [{ name: found, kind: "variable" }];
      const property = PROPERTY.exec(text)?.[1];
      if (property !== undefined) {
        const further = splitAtCommas(text)
          .slice(1)
          .flatMap((part) => /^\s*\$(\w+)/.exec(part)?.[1] ?? []);
        return [property, ...further].map((variable) => ({ name: variable, kind: "variable" }));
      }
    }
    const variable = place === "top" ? /^\$(\w+)\s*=(?![=>])/.exec(text)?.[1] : undefined;
    return variable === undefined ? [] : [{ name: variable, kind: "variable" }];
  },
  placeOf(header, outer) {
    const text = withoutAttributes(header, ATTRIBUTE);
    const [, word] = TYPE.exec(text) ?? [];
    if (word === "namespace" || (outer === "top" && /^(?:if|else)\b/.test(text))) return "top";
    if (word === "enum") return "enum";
    return word !== undefined || /\bnew\s+(?:readonly\s+)?class\b/.test(text) ? "type" : "function";
  },
};

/** Properties that a constructor declares: `__construct(private readonly string $name)`. */
function promoted(text: string): NamedThing[] {
  const open = text.indexOf("(") + 1;
  return splitAtCommas(text.slice(open, closingOf(text, open) - 1)).flatMap((part): NamedThing[] => {
    const name = /^\s*(?:#\[[^\]]*\]\s*)*(?:public|private|protected|readonly)\b[^$=]*\$(\w+)/.exec(
      part,
    )?.[1];
    return name === undefined ? [] : [{ name, kind: "variable" }];
  });
}

/** `define('NAME', …)` holds its name in a string. */
function preprocess({ code, withStrings }: MaskedSource, found: Definition[]): string {
  for (const match of withStrings.matchAll(/\bdefine\s*\(\s*(['"])(\w+)\1\s*,/g)) {
    const name = match[2] ?? "";
    found.push({
      name,
      container: [],
      kind: "variable",
      start: match.index,
      end: match.index + match[0].length,
    });
  }
  return code;
}
