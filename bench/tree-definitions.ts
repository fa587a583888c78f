import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { Node } from "web-tree-sitter";
import { Language, Parser } from "web-tree-sitter";

/** A definition as a grammar sees it. */
export interface TreeDefinition {
  name: string;
  kind: "function" | "type" | "variable";
}

/** Which nodes of a grammar name things, and which hide what is named inside of them. */
interface TreeRules {
  grammar: string;
  /** Node types that name a thing by their field `name`, or by a child of the type given. */
  things: Readonly<
    Record<string, { kind: TreeDefinition["kind"]; name?: readonly string[]; isVisibleInside?: boolean }>
  >;
  /** Nodes whose variables are locals. */
  bodies: ReadonlySet<string>;
}

const F = { kind: "function", isVisibleInside: true } as const;
const T = { kind: "type", isVisibleInside: true } as const;
const V = { kind: "variable" } as const;

const SCRIPT: Omit<TreeRules, "grammar"> = {
  things: {
    function_declaration: F,
    generator_function_declaration: F,
    function_signature: F,
    class_declaration: T,
    abstract_class_declaration: T,
    interface_declaration: T,
    enum_declaration: T,
    type_alias_declaration: T,
    method_definition: F,
    method_signature: V,
    abstract_method_signature: V,
    public_field_definition: V,
    field_definition: { kind: "variable", name: ["property"] },
    property_signature: V,
    variable_declarator: V,
    enum_assignment: V,
  },
  bodies: new Set(["statement_block", "arrow_function", "function_expression", "function"]),
};

const RULES: Readonly<Record<string, TreeRules>> = {
  ts: { grammar: "typescript", ...SCRIPT },
  tsx: { grammar: "tsx", ...SCRIPT },
  js: { grammar: "javascript", ...SCRIPT },
  py: {
    grammar: "python",
    things: { function_definition: F, class_definition: T, assignment: { kind: "variable", name: ["left"] } },
    bodies: new Set(["function_definition", "lambda"]),
  },
  go: {
    grammar: "go",
    things: {
      function_declaration: F,
      method_declaration: F,
      type_spec: T,
      const_spec: V,
      var_spec: V,
      field_declaration: V,
      method_spec: V,
    },
    bodies: new Set(["block", "func_literal"]),
  },
  rs: {
    grammar: "rust",
    things: {
      function_item: F,
      function_signature_item: F,
      struct_item: T,
      enum_item: T,
      union_item: T,
      trait_item: T,
      mod_item: T,
      type_item: T,
      const_item: V,
      static_item: V,
      macro_definition: F,
      enum_variant: V,
      field_declaration: V,
    },
    bodies: new Set(["block"]),
  },
  java: {
    grammar: "java",
    things: {
      class_declaration: T,
      interface_declaration: T,
      enum_declaration: T,
      record_declaration: T,
      annotation_type_declaration: T,
      method_declaration: V,
      constructor_declaration: V,
      variable_declarator: V,
      enum_constant: V,
    },
    bodies: new Set(["block", "constructor_body", "lambda_expression"]),
  },
  c: {
    grammar: "c",
    things: {
      function_declarator: { kind: "function", name: ["declarator"] },
      struct_specifier: { kind: "type", name: ["name"] },
      union_specifier: { kind: "type", name: ["name"] },
      enum_specifier: { kind: "type", name: ["name"] },
      type_definition: { kind: "type", name: ["declarator"] },
      preproc_def: T,
      preproc_function_def: T,
      enumerator: V,
      field_declaration: { kind: "variable", name: ["declarator"] },
      init_declarator: { kind: "variable", name: ["declarator"] },
    },
    bodies: new Set(["compound_statement", "parameter_list"]),
  },
  cs: {
    grammar: "c_sharp",
    things: {
      class_declaration: T,
      interface_declaration: T,
      struct_declaration: T,
      enum_declaration: T,
      record_declaration: T,
      delegate_declaration: T,
      method_declaration: V,
      constructor_declaration: V,
      property_declaration: V,
      enum_member_declaration: V,
      variable_declarator: { kind: "variable", name: ["identifier"] },
    },
    bodies: new Set(["block", "lambda_expression", "arrow_expression_clause"]),
  },
  rb: {
    grammar: "ruby",
    things: { method: F, singleton_method: F, class: T, module: T },
    bodies: new Set(["method"]),
  },
  php: {
    grammar: "php",
    things: {
      function_definition: F,
      method_declaration: F,
      class_declaration: T,
      interface_declaration: T,
      trait_declaration: T,
      enum_declaration: T,
      const_element: V,
      property_element: V,
      enum_case: V,
    },
    bodies: new Set(["compound_statement"]),
  },
  kt: {
    grammar: "kotlin",
    things: {
      class_declaration: { ...T, name: ["type_identifier"] },
      object_declaration: { ...T, name: ["type_identifier"] },
      function_declaration: { ...F, name: ["simple_identifier"] },
      property_declaration: { kind: "variable", name: ["variable_declaration"] },
      enum_entry: { kind: "variable", name: ["simple_identifier"] },
      type_alias: { ...T, name: ["type_identifier"] },
    },
    bodies: new Set(["function_body", "lambda_literal", "anonymous_initializer", "getter", "setter"]),
  },
  swift: {
    grammar: "swift",
    things: {
      class_declaration: T,
      protocol_declaration: T,
      function_declaration: F,
      protocol_function_declaration: F,
      typealias_declaration: T,
      property_declaration: V,
      enum_entry: V,
    },
    bodies: new Set(["function_body", "lambda_literal", "computed_property"]),
  },
};

const BY_EXTENSION: Readonly<Record<string, string>> = {
  ts: "ts",
  mts: "ts",
  cts: "ts",
  tsx: "tsx",
  js: "js",
  mjs: "js",
  cjs: "js",
  jsx: "js",
  py: "py",
  pyi: "py",
  go: "go",
  rs: "rs",
  java: "java",
  c: "c",
  h: "cpp",
  cc: "cpp",
  cpp: "cpp",
  hpp: "cpp",
  cs: "cs",
  rb: "rb",
  php: "php",
  kt: "kt",
  swift: "swift",
};

const parsers = new Map<string, Promise<Parser>>();
let ready: Promise<void> | undefined;

/** Whether this file's definitions can be had from a grammar. */
export function hasGrammar(path: string): boolean {
  return Object.hasOwn(BY_EXTENSION, path.slice(path.lastIndexOf(".") + 1));
}

/**
 * What a file defines by its tree-sitter grammar: slow, independent of heed's own reading, and the measure of it.
 * Undefined where there is no grammar, or where it does not understand the file.
 */
export async function treeDefinitions(path: string, text: string): Promise<TreeDefinition[] | undefined> {
  const key = BY_EXTENSION[path.slice(path.lastIndexOf(".") + 1)];
  if (key === undefined) return undefined;
  const rules = key === "cpp" ? { ...(RULES["c"] as TreeRules), grammar: "cpp" } : RULES[key];
  if (!rules) return undefined;
  const parser = await parserOf(rules.grammar);
  const tree = parser.parse(text);
  if (!tree) return undefined;
  try {
    if (tree.rootNode.hasError) return undefined;
    const found: TreeDefinition[] = [];
    collect(tree.rootNode, rules, false, found);
    return found;
  } finally {
    tree.delete();
  }
}

function collect(node: Node, rules: TreeRules, isLocal: boolean, found: TreeDefinition[]): void {
  const thing = rules.things[node.type];
  const isExtension = node.childForFieldName("declaration_kind")?.text === "extension";
  if (thing && !isExtension && (!isLocal || thing.isVisibleInside)) {
    for (const name of namesOf(node, thing.name ?? ["name"])) found.push({ name, kind: thing.kind });
  }
  const hides = isLocal || rules.bodies.has(node.type);
  for (const child of node.namedChildren) if (child) collect(child, rules, hides, found);
}

const WORD = /^(?!_$)[\p{L}_$#~][\p{L}\p{N}_$]*[!?=]?$/u;

function namesOf(node: Node, fields: readonly string[]): string[] {
  const named = fields.flatMap((field) => {
    const children = node.childrenForFieldName(field).filter((child) => child !== null);
    return children.length > 0
      ? node.type === "assignment"
        ? children
        : children.slice(0, 1)
      : node.namedChildren.filter((child) => child?.type === field).slice(0, 1);
  });
  return named.flatMap((child) => {
    const word = child ? innermost(child) : "";
    return WORD.test(word) ? [word.replace(/^~/, "")] : [];
  });
}

/** `*name[3]` of C, `module.Name` of Ruby: the name itself. */
function innermost(node: Node): string {
  let at: Node = node;
  for (let depth = 0; depth < 10; depth++) {
    if (at.type === "function_declarator" || at.type === "parenthesized_declarator") return "";
    const inner = at.childForFieldName("declarator") ?? at.childForFieldName("name");
    if (!inner) break;
    at = inner;
  }
  if (at.type === "variable_declaration" || at.type === "pattern") at = at.namedChildren[0] ?? at;
  return at.text;
}

async function parserOf(grammar: string): Promise<Parser> {
  ready ??= Parser.init();
  await ready;
  let parser = parsers.get(grammar);
  if (!parser) {
    const folder = dirname(createRequire(import.meta.url).resolve("tree-sitter-wasms/package.json"));
    parser = Language.load(join(folder, "out", `tree-sitter-${grammar}.wasm`)).then((language) =>
      new Parser().setLanguage(language),
    );
    parsers.set(grammar, parser);
  }
  return parser;
}
