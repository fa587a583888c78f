import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { Node } from "web-tree-sitter";
import { Language, Parser } from "web-tree-sitter";

/** A definition as a grammar sees it. */
export interface TreeDefinition {
  name: string;
  kind: "function" | "type" | "variable";
}

/** Node types, each named by its field `name`, or as `node:child` by that field or a child of that type. */
interface TreeRules {
  grammar: string;
  functions?: string;
  types?: string;
  /** They count outside of bodies alone; so do functions and types in C. */
  variables?: string;
  /** Nodes that make locals of what they hold. */
  bodies: string;
}

const SCRIPT: Omit<TreeRules, "grammar"> = {
  functions: "function_declaration generator_function_declaration function_signature method_definition",
  types:
    "class_declaration abstract_class_declaration interface_declaration enum_declaration type_alias_declaration",
  variables:
    "method_signature abstract_method_signature public_field_definition field_definition:property property_signature variable_declarator enum_assignment",
  bodies: "statement_block arrow_function function_expression function",
};

const C: Omit<TreeRules, "grammar"> = {
  functions: "function_declarator:declarator",
  types:
    "struct_specifier union_specifier enum_specifier type_definition:declarator preproc_def preproc_function_def",
  variables: "enumerator field_declaration:declarator init_declarator:declarator",
  bodies: "compound_statement parameter_list",
};

const RULES: Readonly<Record<string, TreeRules>> = {
  "ts mts cts": { grammar: "typescript", ...SCRIPT },
  tsx: { grammar: "tsx", ...SCRIPT },
  "js mjs cjs jsx": { grammar: "javascript", ...SCRIPT },
  "py pyi": {
    grammar: "python",
    functions: "function_definition",
    types: "class_definition",
    variables: "assignment:left",
    bodies: "function_definition lambda",
  },
  go: {
    grammar: "go",
    functions: "function_declaration method_declaration",
    types: "type_spec",
    variables: "const_spec var_spec field_declaration method_spec",
    bodies: "block func_literal",
  },
  rs: {
    grammar: "rust",
    functions: "function_item function_signature_item macro_definition",
    types: "struct_item enum_item union_item trait_item mod_item type_item",
    variables: "const_item static_item enum_variant field_declaration",
    bodies: "block",
  },
  java: {
    grammar: "java",
    types:
      "class_declaration interface_declaration enum_declaration record_declaration annotation_type_declaration",
    variables: "method_declaration constructor_declaration variable_declarator enum_constant",
    bodies: "block constructor_body lambda_expression",
  },
  c: { grammar: "c", ...C },
  "h cc cpp hpp": { grammar: "cpp", ...C },
  cs: {
    grammar: "c_sharp",
    types:
      "class_declaration interface_declaration struct_declaration enum_declaration record_declaration delegate_declaration",
    variables:
      "method_declaration constructor_declaration property_declaration enum_member_declaration variable_declarator:identifier",
    bodies: "block lambda_expression arrow_expression_clause",
  },
  rb: { grammar: "ruby", functions: "method singleton_method", types: "class module", bodies: "method" },
  php: {
    grammar: "php",
    functions: "function_definition method_declaration",
    types: "class_declaration interface_declaration trait_declaration enum_declaration",
    variables: "const_element property_element enum_case",
    bodies: "compound_statement",
  },
  kt: {
    grammar: "kotlin",
    functions: "function_declaration:simple_identifier",
    types: "class_declaration:type_identifier object_declaration:type_identifier type_alias:type_identifier",
    variables: "property_declaration:variable_declaration enum_entry:simple_identifier",
    bodies: "function_body lambda_literal anonymous_initializer getter setter",
  },
  swift: {
    grammar: "swift",
    functions: "function_declaration protocol_function_declaration",
    types: "class_declaration protocol_declaration typealias_declaration",
    variables: "property_declaration enum_entry",
    bodies: "function_body lambda_literal computed_property",
  },
};

const BY_ENDING = new Map(
  Object.entries(RULES).flatMap(([endings, rules]) => {
    const nodes = new Map<
      string,
      { kind: TreeDefinition["kind"]; field: string; isVisibleInside: boolean }
    >();
    for (const kind of ["function", "type", "variable"] as const)
      for (const rule of (rules[`${kind}s`] ?? "").split(" ")) {
        const [node = "", field = "name"] = rule.split(":");
        const isHidden =
          kind === "variable" || (rules.functions === C.functions && !node.startsWith("preproc"));
        nodes.set(node, { kind, field, isVisibleInside: !isHidden });
      }
    const compiled = { grammar: rules.grammar, nodes, bodies: new Set(rules.bodies.split(" ")) };
    return endings.split(" ").map((ending) => [ending, compiled] as const);
  }),
);
type Compiled = NonNullable<ReturnType<(typeof BY_ENDING)["get"]>>;

const parsers = new Map<string, Promise<Parser>>();
let ready: Promise<void> | undefined;

/** Whether this file's definitions can be had from a grammar. */
export function hasGrammar(path: string): boolean {
  return rulesOf(path) !== undefined;
}

/**
 * What a file defines by its tree-sitter grammar: slow, independent of heed's own reading, and the measure of it.
 * Undefined where there is no grammar, or where it does not understand the file.
 */
export async function treeDefinitions(path: string, text: string): Promise<TreeDefinition[] | undefined> {
  const rules = rulesOf(path);
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

function rulesOf(path: string): Compiled | undefined {
  return BY_ENDING.get(path.slice(path.lastIndexOf(".") + 1));
}

function collect(node: Node, rules: Compiled, isLocal: boolean, found: TreeDefinition[]): void {
  const thing = rules.nodes.get(node.type);
  const isExtension = node.childForFieldName("declaration_kind")?.text === "extension";
  if (thing && !isExtension && (!isLocal || thing.isVisibleInside))
    for (const name of namesOf(node, thing.field)) found.push({ name, kind: thing.kind });
  const hides = isLocal || rules.bodies.has(node.type);
  for (const child of node.namedChildren) if (child) collect(child, rules, hides, found);
}

const WORD = /^(?!_$)[\p{L}_$#~][\p{L}\p{N}_$]*[!?=]?$/u;

function namesOf(node: Node, field: string): string[] {
  const children = node.childrenForFieldName(field).filter((child) => child !== null);
  const named =
    children.length === 0
      ? node.namedChildren.filter((child) => child?.type === field).slice(0, 1)
      : children.slice(0, node.type === "assignment" ? undefined : 1);
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
