// Of declarations, those that an entry leads to, name by name: what a file has besides is heed's own affair.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** With the comment before it; what is indented, or closes a bracket, goes on. */
const STATEMENT =
  /(?:^\/\*\*(?:(?!\*\/)[^])*\*\/\n)?^(?:export|import|declare|interface|type)\b.*\n(?:[ })].*\n)*/gm;
const NAMES = /^(import|export)[^{;]*\{([^}]*)\} from "([^"]+)";/;
const ALL = /^export type \* from "([^"]+)";/;
const DECLARED = /^(?:export )?(?:declare )?(?:class|const|function|interface|type) (\w+)/m;

/** Copies what `entry` in the folder `from` leads to into the folder `to`. */
export function copyPublicTypes(from, to, entry) {
  const files = new Map();
  const open = (path) => files.get(path) ?? read(path);
  const read = (path) => {
    const file = { path, statements: [], declared: new Map(), taken: [] };
    files.set(path, file);
    for (const [text] of readFileSync(join(from, path), "utf8").matchAll(STATEMENT)) {
      const [, word, list, source] = NAMES.exec(text) ?? [];
      const name = word ? undefined : DECLARED.exec(text)?.[1];
      const statement = { text, file, isKept: false, source };
      file.statements.push(statement);
      if (name) file.declared.set(name, [...(file.declared.get(name) ?? []), statement]);
      for (const one of list?.split(",") ?? []) {
        const [, theirs, own = theirs] = /^\s*(?:type )?(\w+)(?: as (\w+))?\s*$/.exec(one) ?? [];
        if (theirs) file.taken.push({ own, theirs, source, statement, isUsed: false });
      }
    }
    return file;
  };
  const at = (file, source) => join(dirname(file.path), source).replace(/\.ts$/, ".d.ts");
  const keep = (statement) => {
    if (statement.isKept) return;
    statement.isKept = true;
    const { file, text } = statement;
    const code = text.replace(/\/\*(?:(?!\*\/)[^])*\*\//g, "");
    for (const [, source, name] of code.matchAll(/import\("([^"]+)"\)\.(\w+)/g))
      if (source.startsWith(".")) need(open(at(file, source)), name);
    for (const [name] of code.matchAll(/\w+/g)) need(file, name);
  };
  const need = (file, name) => {
    file.declared.get(name)?.forEach(keep);
    for (const taken of file.taken.filter(({ own, isUsed }) => own === name && !isUsed)) {
      taken.isUsed = true;
      if (taken.source.startsWith(".")) need(open(at(file, taken.source)), taken.theirs);
    }
  };
  const first = open(entry);
  for (const statement of first.statements) {
    const all = ALL.exec(statement.text)?.[1];
    if (all) for (const name of open(at(first, all)).declared.keys()) need(open(at(first, all)), name);
    if (!statement.text.startsWith("import ")) keep(statement);
  }
  for (const { path, statements, taken } of files.values()) {
    const texts = statements.flatMap((statement) => {
      const { text, isKept, source } = statement;
      if (!text.startsWith("import ")) return isKept ? [text] : [];
      const used = taken.filter((one) => one.isUsed && one.statement === statement);
      const names = used.map(({ own, theirs }) => (own === theirs ? own : `${theirs} as ${own}`));
      return names.length > 0 ? [`import { ${names.join(", ")} } from "${source}";\n`] : [];
    });
    mkdirSync(dirname(join(to, path)), { recursive: true });
    writeFileSync(join(to, path), texts.join(""));
  }
}
