import type { Found, Language } from "./mask-source.ts";

export type BlockLanguage = Exclude<Language, "python" | "ruby" | "shell">;

/**
 * What a block is, as far as it decides which of its statements define a name that counts.
 *
 * - `top`: the file, a namespace, a module. `type`: members of a class or interface. `enum`: its cases.
 * - `object`: keys of an object literal. `local`: one inside a function, where methods alone count.
 * - `pattern`: names that a destructuring binds. `function`: locals, which do not count.
 */
export type Block = "top" | "type" | "enum" | "object" | "local" | "pattern" | "function";

interface Statement {
  header: string;
  block: Block;
  ended: string;
  language: BlockLanguage;
}

type Thing = Pick<Found, "name" | "kind" | "container">;

interface Style {
  hasLineEnds?: boolean;
  commaEnds: readonly Block[];
  /** Where a function without a keyword is defined: its name comes first, or behind its type. */
  call?: { order: "first" | "typed"; in: readonly Block[] };
  /** Whether the name of a variable comes first, or behind its type. */
  variable: "first" | "typed";
  /** A variable without a keyword in front, and the blocks in which it may be. */
  bare: readonly [pattern: RegExp, ...blocks: Block[]];
}

const SCRIPT: Style = {
  hasLineEnds: true,
  commaEnds: ["enum", "object", "local", "pattern"],
  call: { order: "first", in: ["type", "object", "local"] },
  variable: "first",
  bare: [/^#?[\w$]+\s*[?!]?\s*(?:[:=]|$)/, "type"],
};
const JAVA_LIKE: Style = {
  commaEnds: ["enum"],
  call: { order: "typed", in: ["type", "enum"] },
  variable: "typed",
  bare: [/^\w/, "type", "enum"],
};
const C_LIKE: Style = {
  commaEnds: ["enum"],
  call: { order: "typed", in: ["top", "type"] },
  variable: "typed",
  bare: [/^\w/, "top", "type"],
};
const KEYWORDS: Style = { hasLineEnds: true, commaEnds: ["enum"], variable: "first", bare: [/^$/] };

export const STYLES: Readonly<Record<BlockLanguage, Style>> = {
  typescript: SCRIPT,
  javascript: SCRIPT,
  go: {
    ...KEYWORDS,
    call: { order: "first", in: ["type"] },
    bare: [/^\w+(?: ?, ?\w+)* +[^\s"]/, "type"],
  },
  rust: { commaEnds: ["enum", "type"], variable: "first", bare: [/^(?:r#)?\w+ ?:(?!:)/, "type"] },
  java: JAVA_LIKE,
  csharp: JAVA_LIKE,
  c: C_LIKE,
  cpp: C_LIKE,
  php: { commaEnds: [], variable: "typed", bare: [/^\$\w+ ?=(?![=→])/, "top"] },
  kotlin: KEYWORDS,
  swift: { ...KEYWORDS, call: { order: "first", in: ["type"] } },
};

/** Keywords of types, and what their blocks contain. */
const TYPES: Readonly<Record<string, Block>> = {
  ...Object.fromEntries(
    "class interface struct union trait protocol actor record object extension type"
      .split(" ")
      .map((word) => [word, "type"]),
  ),
  ...Object.fromEntries("impl namespace module mod".split(" ").map((word) => [word, "top"])),
  ...Object.fromEntries("typealias associatedtype using macro".split(" ").map((word) => [word, "function"])),
  enum: "enum",
};
const TYPE = new RegExp(
  String.raw`^@?(${Object.keys(TYPES).join("|")})\s+(?:(?:class|struct)\s+)?(?:(?<!^type\s+)[A-Z_][A-Z0-9_]*\s+(?=\w)(?!final\b|extends\b|implements\b|where\b|is\b))?\x60?([\p{L}_$][\w$\p{L}]*(?:(?:::|[.\\])[\w$]+)*)`,
  "u",
);
const FUNCTION =
  /^(?:function\b\s*[*&]?|func\b|fun\b|fn\b|macro_rules!)\s*(?:`([^`]+)`|(?:r#)?([\p{L}_$][\w$.?\p{L}]*))/u;
/** What counts in any block; few statements have it. */
const HAS_KEYWORD = new RegExp(
  String.raw`\b(?:${Object.keys(TYPES).join("|")}|function|func|fun|fn|macro_rules)\b|^[\w$]+\.[\w$.]+\s*=`,
);
/** Words in front of a declaration. Those of the first group make a variable of what follows. */
const MODIFIER =
  /^(?:(const|let|var|val|static|mut|ref|public|private|protected|readonly)|export|default|declare|abstract|async|internal|final|sealed|non-sealed|partial|unsafe|new|synchronized|native|transient|volatile|strictfp|override|virtual|extern(?:\s*"[^"]*")?|required|event|delegate|implicit|explicit|pub|open|constexpr|consteval|constinit|inline|mutable|thread_local|register|template|fun(?=\s+interface)|class(?=\s+(?:func|var|let|override|final)\b)|get|set|accessor|case|fileprivate)\s*¤?\s+(?=[\w$#*`~&?\\([{:¤]|$)/;
/** Those that are names elsewhere. */
const SOFT_MODIFIER =
  /^(?:data|inner|annotation|value|noinline|crossinline|lateinit|suspend|tailrec|operator|infix|external|expect|actual|companion|package|mutating|nonmutating|lazy|weak|unowned|dynamic|optional|convenience|indirect|prefix|postfix|isolated|nonisolated|distributed|consuming|borrowing)\s*¤?\s+(?=[\w`])/;
const LABEL = /^(?:public|private|protected|signals|slots|Q_SIGNALS)(?:\s+(?:slots|Q_SLOTS))?\s*:(?!:)/;
const ATTRIBUTE = /@(?!interface\b)[\w$.:]+ ?¤?|\b(?:__attribute__|alignas|_Alignas|__declspec|requires) ?¤/g;
const NO_CALL =
  /^(?:if|for|while|switch|catch|function|return|with|super|await|throw|new|synchronized|else|do|try|using|lock|foreach|fixed|sizeof|decltype|noexcept|static_assert|_Static_assert|defined|this)$/;
const NO_DECLARATION =
  /^(?:return|throw|using|import|package|case|else|goto|yield|friend|extends|implements)\b/;

/** A header on one level: brackets become `¤` (round) and `¦` (square), `=>` and `->` one character. */
export function flatten(header: string): string {
  let flat = header.replace(/[=-]>/g, "→").replace(/\s+/g, " ");
  for (let round = 0, before = ""; round < 6 && flat !== before; round++) {
    before = flat;
    flat = flat
      .replace(/\([^()[\]{}]*\)/g, "¤")
      .replace(/\[[^()[\]{}]*\]/g, "¦")
      .replace(/\{[^()[\]{}]*\}/g, "")
      .replace(/<[^<>()[\]{};]*>/g, "");
  }
  return flat;
}

/** A flat header without what precedes the declaration, and whether a word there declares a variable. */
function declaration(flat: string, language: BlockLanguage): { text: string; declares: boolean } {
  let text = flat.replace(ATTRIBUTE, " ");
  let declares = false;
  for (let round = 0, before = ""; round < 12 && text !== before; round++) {
    before = text;
    text = text.replace(/^(?:\s|#!?¦|¦|\*(?!=))+/, "").replace(LABEL, "");
    // In Go any word may be the name of a field.
    const modifier = language === "go" ? /^(const|var)\s/.exec(text) : MODIFIER.exec(text);
    text = text.slice(modifier?.[0].length ?? 0);
    declares ||= modifier?.[1] !== undefined;
    if (/kotlin|swift/.test(language)) text = text.replace(SOFT_MODIFIER, "");
    if (isC(language)) text = text.replace(/^typedef\s+|^[A-Z][A-Z0-9_]* ?¤ ?(?=\w)/, "");
  }
  return { text, declares };
}

function isC(language: BlockLanguage): boolean {
  return STYLES[language] === C_LIKE;
}

export function definedBy(statement: Statement): Thing[] {
  const { header, block, language } = statement;
  const { call, variable, bare } = STYLES[language];
  if (block === "function" && !HAS_KEYWORD.test(header)) return [];
  const flat = flatten(isC(language) ? header.replace(FUNCTION_POINTER, " $1 ") : header);
  const { text, declares } = declaration(flat, language);
  if (block === "pattern") return variables(text.replace(/\w+ ?:/g, ""), "first");
  const type = typeThing(text, statement);
  if (type) return [...type, ...parameters(header, /^record\b/.test(text), type[0]?.name)];
  const receiver = /^func\s*\(\s*(?:\w+\s+)?\*?\s*(\w+)/.exec(header)?.[1];
  const [, quoted, name = quoted] =
    FUNCTION.exec(receiver === undefined ? text : text.replace("¤", "")) ?? [];
  if (name !== undefined)
    return [
      ...named(name.replace(/\?/g, ""), "function", receiver),
      ...parameters(name === "__construct" ? header : ""),
    ];
  if (STYLES[language] === SCRIPT) {
    const assigned = assignedPath(text);
    if (assigned !== undefined) return named(assigned, "variable");
    const key =
      block === "object"
        ? /^([\w$]+) ?\??:/
        : block === "local"
          ? /^([\w$]+) ?[:=] ?(?:async )?(?:function\b|¤|[\w$]+ ?→)/
          : undefined;
    if (key?.test(text)) return named(key.exec(text)?.[1] ?? "", "variable");
  }
  if (block === "function" || NO_DECLARATION.test(text)) return [];
  if (block === "enum") {
    const found =
      /^`?(\w+)`?\s*(?:[¤=]|$)/.exec(text)?.[1] ?? (isC(language) ? /^\w+/.exec(text)?.[0] : undefined);
    if (found !== undefined && !declares) return named(found, "variable");
  }
  const called = call?.in.includes(block) ? callThing(text, call.order, statement) : undefined;
  if (called) return [...called, ...parameters(called[0]?.name === "constructor" ? header : "")];
  const isBare = bare.includes(block) && bare[0].test(text);
  return isBare || (declares && block !== "object" && block !== "local")
    ? variables(text, variable, language === "go")
    : [];
}

/** `int (*name)(int)`, which is read as `int name (int)`. */
const FUNCTION_POINTER = /\(\s*(?:[\w:]+::)?[*^&]+\s*(?:const\s+)?(\w+)\s*(?:\[[^\]]*\]\s*)*\)\s*(?=[([])/g;

function typeThing(text: string, { header, ended, language }: Statement): Thing[] | undefined {
  const [whole = "", word = /^impl\b/.exec(text)?.[0], path = ""] = TYPE.exec(text) ?? [];
  const rest = text.slice(whole.length);
  if (word === undefined || NO_DECLARATION.test(path)) return undefined;
  if (word === "impl" || word === "extension") {
    const target = word === "impl" ? /^impl\b(?:.*\bfor\b)?([^]*?)(?:\bwhere\b|$)/.exec(text)?.[1] : path;
    return named(/[\w.]+\s*$/.exec(target ?? "")?.[0].trim() ?? "", "scope");
  }
  if (language === "php" && TYPES[word] === "top") return [];
  // `struct node *next;` uses a type. `using A = B` makes one, `using A` does not.
  const isMade = isC(language)
    ? (word === "using" ? /^ ?=/ : /^ ?(?:final ?)?(?::(?!:)|$)/).test(rest) &&
      (ended === "{" || !/^typedef\b/.test(header))
    : word === "type"
      ? language === "go" || /^ ?(?:[=<]|$)/.test(rest)
      : word !== "using" && (word !== "record" || /^[A-Z]/.test(path));
  return isMade ? named(path, "type") : undefined;
}

function callThing(text: string, order: "first" | "typed", { block, ended }: Statement): Thing[] | undefined {
  const pattern =
    order === "first"
      ? /^()(#?[\w$]+) ?[?!]? ?¤/
      : /^((?:[\w:][^=¤→{]*?[\s*&>?¦])?)~?((?:\w+(?:::~?|\.))*\w+) ?¤/;
  const [, before = "", name = ""] = pattern.exec(text) ?? [];
  const isMember = block === "type" || block === "enum";
  if (name === "" || (NO_CALL.test(name) && !(isMember && order === "first"))) return undefined;
  // Without a type before it, it is a constructor, a method where a body follows, and a call elsewhere.
  return before.trim() !== "" || ended === "{" || isMember ? named(name.replace("~", ""), "function") : [];
}

/** `exports.a = …`, `A.prototype.b = …`, `A.b = …`. */
function assignedPath(text: string): string | undefined {
  const path = /^([\w$]+(?:\.[\w$]+){1,3}) ?=(?!=)/.exec(text)?.[1] ?? "";
  const isShared = path.includes(".prototype.") || /^(?:(?:module\.)?exports\.|[A-Z])/.test(path);
  return isShared && !/\.(?:exports|prototype)$/.test(path)
    ? path.replace(/\.prototype\b/, "").replace(/^(?:module\.)?exports\./, "")
    : undefined;
}

/** The names of `a, b: T = 1, c = 2`, or of `Type a = 1, b[2]`. */
function variables(text: string, order: "first" | "typed", areValuesLast = false): Thing[] {
  const found: Thing[] = [];
  for (const [i, part] of text.split(",").entries()) {
    const before = part.replace(/(?:[=→]|(?<!:):(?!:))[^]*$/, "").replace(/[¦\s]+$/, "");
    const path =
      order === "first"
        ? (i === 0 ? /^\s*`?(#?[\p{L}_$][\w$.\p{L}]*)/u : /^\s*([\p{L}_$][\w$]*)\s*(?:[=:!\w]|$)/u).exec(
            part,
          )?.[1]
        : /(?:\w+(?:::|\.))*[\w$]+$/.exec(before)?.[0];
    // The first needs a type before it, else it is a macro or a label.
    const isTyped =
      order === "first" || i > 0 || /[\w>*&?¦¤] ?[\s*&]$/.test(before.slice(0, -(path?.length ?? 0)));
    if (path !== undefined && (isTyped || text.includes("=") || path.startsWith("$")))
      found.push(...named(path, "variable"));
    if (areValuesLast && part.includes("=")) break;
  }
  return found;
}

/** Members that the parameters of a constructor declare. */
function parameters(header: string, isRecord = false, owner?: string): Thing[] {
  const list = /^[^(]*\(([^]*)$/.exec(header.replace(/@[\w.]+\([^()]*\)/g, ""))?.[1] ?? "";
  return (flatten(list).split(")")[0] ?? "").split(",").flatMap((part) => {
    const isMember = isRecord || /(?:^|[\s¦])(?:public|private|protected|readonly|val|var)\s/.test(part);
    const name = /([\w$]+)\??\s*$/.exec(part.replace(/[:=][^]*$/, ""))?.[1];
    return isMember && name !== undefined ? named(name, "variable", owner) : [];
  });
}

function named(path: string, kind: Found["kind"], owner?: string): Thing[] {
  const parts = path.split(/::|[.\\]/).filter((part) => part !== "");
  const name = (parts.at(-1) ?? "").replace(/^[#$](?=\w)/, "");
  if (name === "" || /^\d/.test(name)) return [];
  return [{ name, kind, container: [...(owner === undefined ? [] : [owner]), ...parts.slice(0, -1)] }];
}

/** What the block of a flat header is, and whether its statement goes on behind it. */
export function blockOf(
  flat: string,
  outer: Block,
  language: BlockLanguage,
): { kind: Block; goesOn?: boolean } {
  const isScript = STYLES[language] === SCRIPT;
  if (outer === "function" && !isScript && !HAS_KEYWORD.test(flat)) return { kind: outer };
  const { text } = declaration(flat, language);
  // A block among type arguments.
  if (isScript && /<[^>]*[<,&|:=]?\s*$/.test(text) && !/&&|\|\|/.test(text))
    return { kind: "type", goesOn: true };
  if (isScript && /^(?:export )?(?:const|let|var)\s*$/.test(flat))
    return { kind: outer === "function" ? "function" : "pattern", goesOn: true };
  if (outer === "pattern") return { kind: outer };
  if (isScript && /→\s*$/.test(text)) return { kind: "function" };
  if (language === "go")
    return { kind: /\b(?:struct|interface)\s*$/.test(text) && outer !== "function" ? "type" : "function" };
  if (isC(language)) {
    const [, word] = /^[^=¤]*\b(struct|union|class|enum|namespace)\b[^=¤]*$/.exec(text) ?? [];
    return { kind: /^extern\s*"[^"]*"\s*$/.test(flat) ? "top" : (TYPES[word ?? ""] ?? "function") };
  }
  const word = TYPE.exec(text)?.[1] ?? /^impl\b/.exec(text)?.[0];
  if (word !== undefined && (word !== "record" || /^record (?:[A-Z]|class|struct)/.test(text)))
    return { kind: TYPES[word] ?? "function" };
  const isMember =
    (/kotlin|php|script/.test(language) && /\b(?:object|class)\b[^¤=]*¤?\s*(?::[^=]*)?$/.test(text)) ||
    (outer === "enum" && /^\w+\s*¤?\s*$/.test(text)) ||
    (isScript && outer === "type" && /^[\w$\s]*[?!]?\s*:\s*$/.test(text));
  if (isMember) return { kind: "type" };
  if (outer === "top" && /^\w+! ?$|^(?:if|else)\b/.test(text) && /rust|php/.test(language))
    return { kind: "top" };
  if (isScript && /(?:[=(,:[?&|]|\b(?:return|default|yield|await))\s*$/.test(flat))
    return { kind: outer === "function" || outer === "local" ? "local" : "object" };
  return { kind: "function" };
}
