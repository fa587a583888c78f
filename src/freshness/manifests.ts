import type { ParseError } from "jsonc-parser";
import { asRecord } from "../machine/read-fields.ts";
import type { Claim } from "../memory/claims/parse-claim.ts";
import { cutShown } from "../memory/screening/find-secrets.ts";
import { broken, type Finding, KEPT, type Tree, unchecked } from "./verdict.ts";

type OfKind<Kind extends Claim["kind"]> = Extract<Claim, { kind: Kind }>;

/** The text of a file, or what is found of every claim about it. */
export function textOf(tree: Tree, path: string): string | Finding {
  const read = tree.text(path);
  if ("text" in read) return read.text;
  return "why" in read ? unchecked(`${path}: ${read.why}`) : broken(`${path} is not here`);
}

/** The files that may have a script, a target or a dependency, in the order in which they are looked at. */
export function manifestsOf({ folder, ...claim }: OfKind<"script" | "dependency">): string[] {
  const scripts =
    claim.kind === "script" && claim.isMake ? ["GNUmakefile", "makefile", "Makefile"] : ["package.json"];
  const names = claim.kind === "dependency" ? Object.keys(READERS) : scripts;
  return names.map((name) => (folder === "" ? name : `${folder}/${name}`));
}

/** Includes and pattern rules: a target may come from there. */
const MORE_TARGETS = /^[ ]{0,8}(?:-|s)?include\b|^[^\s#:=][^\n:=]{0,200}%|^%/m;
const TARGETS = /^([^\s:=#][^:=#\n]*)::?(?![:=])/gm;

export async function checkScript(claim: OfKind<"script">, tree: Tree): Promise<Finding> {
  const { name, isMake } = claim;
  const files = manifestsOf(claim);
  const file = files.find((one) => tree.look(one).kind !== "missing") ?? files.at(-1) ?? "";
  if (!isMake) {
    const found = await checkConfig(
      { kind: "config", path: file, keys: ["scripts", name], isAbsent: false },
      tree,
    );
    const isNone = found.state === "broken" && tree.look(file).kind !== "missing";
    return isNone ? broken(`${file} has no script ${name}`) : found;
  }
  const text = textOf(tree, file);
  if (typeof text !== "string") return text;
  const targets = [...text.matchAll(TARGETS)].flatMap(([, names = ""]) => names.trim().split(/\s+/));
  if (targets.includes(name)) return KEPT;
  return MORE_TARGETS.test(text)
    ? unchecked(`${file} has patterns or includes: ${name} may be there`)
    : broken(`${file} has no target ${name}`);
}

/** Whether a JSON, YAML or TOML file has a key, and there the value that is stated. */
export async function checkConfig(claim: OfKind<"config">, tree: Tree): Promise<Finding> {
  const { path, keys, value: wanted } = claim;
  const text = textOf(tree, path);
  if (typeof text !== "string") return text;
  const config = await readConfig(path, text);
  if ("why" in config) return unchecked(`${path}: ${config.why}`);
  const looks = config.documents.map((document) => valueAt(document, keys));
  const [first, ...others] = looks.filter(({ missing }) => missing === undefined);
  if (!first) return broken(`${path} has no ${looks[0]?.missing ?? keys.join(".")}`);
  if (wanted === undefined || [first, ...others].some(({ value }) => isStated(value, wanted))) return KEPT;
  const actual = configText(first.value);
  return broken(`${keys.join(".")} is ${cutShown(actual, 80)} in ${path}`, actual);
}

function isStated(value: unknown, stated: string): boolean {
  if (configText(value) === stated) return true;
  try {
    return JSON.stringify(JSON.parse(stated)) === JSON.stringify(value);
  } catch {
    return false;
  }
}

/** Whether a manifest names a dependency, and whether the version that it asks for lies in the range. */
export async function checkDependency(claim: OfKind<"dependency">, tree: Tree): Promise<Finding> {
  const { files, versions, why } = await readDependencies(claim, tree);
  const written = versions.get(claim.name) ?? versions.get(looseName(claim.name, versions));
  if (written === undefined) {
    if (why !== undefined) return unchecked(why);
    const where = files.length > 0 ? files.join(" or ") : "any manifest";
    return broken(`${claim.name} is no dependency in ${where}`);
  }
  if (claim.range === undefined) return KEPT;
  const isIn = await isInRange(written, claim.range);
  if (isIn === undefined)
    return unchecked(
      `${claim.name} is required as ${JSON.stringify(cutShown(written, 60))}, which is no version`,
    );
  return isIn ? KEPT : broken(`${claim.name} is at ${cutShown(written, 60)}`, written);
}

/** Python takes `Foo_Bar` and `foo-bar` for one name. */
function looseName(name: string, versions: ReadonlyMap<string, string>): string {
  const plain = (text: string): string => text.toLowerCase().replace(/[-_.]+/g, "-");
  return [...versions.keys()].find((key) => plain(key) === plain(name)) ?? name;
}

/** Whether the lowest version that a manifest asks for lies in a range; undefined where it names no version. */
async function isInRange(written: string, range: string): Promise<boolean | undefined> {
  if (written === range) return true;
  const { default: semver } = await import("semver");
  const wanted = semver.validRange(commonRange(range), { loose: true });
  if (wanted === null) return undefined;
  const asked = semver.validRange(commonRange(written), { loose: true });
  const lowest =
    asked === null || asked === "*" ? semver.coerce(written) : semver.minVersion(asked, { loose: true });
  if (!lowest) return undefined;
  return semver.satisfies(lowest, wanted, { includePrerelease: true });
}

/** Ranges of pip, Bundler, Cargo and Go in the words of npm. */
function commonRange(text: string): string {
  return text
    .replace(/^(?:workspace:|npm:(?:@?[^@]+@)?)/, "")
    .split(/\s*,\s*/)
    .filter((part) => !part.startsWith("!="))
    .map((part) =>
      part
        .replace(/^===?\s*/, "=")
        // `~=1.4` and `~> 1.4` go up to 2, `~=1.4.2` and `~> 1.4.2` up to 1.5.
        .replace(/^~[=>]\s*(\d+\.\d+)$/, "^$1")
        .replace(/^~[=>]\s*/, "~")
        .replace(/(^|[=<>~^])v(?=\d)/, "$1"),
    )
    .join(" ");
}

/** Where the manifests that are data have their dependencies; `*` stands for any key. */
const PLACES: Readonly<Record<string, string>> = {
  "package.json": "dependencies devDependencies peerDependencies optionalDependencies",
  "pyproject.toml":
    "project.dependencies project.optional-dependencies.* dependency-groups.* tool.poetry.dependencies tool.poetry.group.*.dependencies",
  "Cargo.toml": ["", "workspace.", "target.*."]
    .flatMap((at) => ["dependencies", "dev-dependencies", "build-dependencies"].map((key) => at + key))
    .join(" "),
  "composer.json": "require require-dev",
};

async function ofPlaces(text: string, file: string): Promise<[string, string][]> {
  const read = await readConfig(file, text);
  if ("why" in read) throw new Error(read.why);
  const places = PLACES[file.slice(file.lastIndexOf("/") + 1)]?.split(" ") ?? [];
  return places.flatMap((place) => dependenciesAt(read.documents[0], place.split(".")));
}

type Reader = (
  text: string,
  file: string,
) => Promise<[name: string, version: string][]> | [name: string, version: string][];

const READERS: Readonly<Record<string, Reader>> = {
  "pyproject.toml": ofPlaces,
  "requirements.txt": (text) => fromRequirements(text.split("\n")),
  "Cargo.toml": ofPlaces,
  "go.mod": fromGoMod,
  "composer.json": ofPlaces,
  Gemfile: fromGemfile,
  "package.json": ofPlaces,
};

async function readDependencies(
  claim: OfKind<"dependency">,
  tree: Tree,
): Promise<{ files: string[]; versions: Map<string, string>; why?: string | undefined }> {
  const [files, versions]: [string[], Map<string, string>] = [[], new Map()];
  let why: string | undefined;
  for (const [i, file] of manifestsOf(claim).entries()) {
    const read = tree.text(file);
    if ("why" in read) why = `${file}: ${read.why}`;
    if (!("text" in read)) continue;
    files.push(file);
    try {
      for (const [name, version] of (await Object.values(READERS)[i]?.(read.text, file)) ?? [])
        if (!versions.has(name)) versions.set(name, version);
    } catch (error) {
      why = `${file}: ${firstLine(error)}`;
    }
  }
  return { files, versions, why };
}

function dependenciesAt(value: unknown, [key, ...rest]: readonly string[]): [string, string][] {
  if (key === undefined) return Array.isArray(value) ? fromRequirements(value.map(String)) : pairs(value);
  const record = asRecord(value) ?? {};
  const inner = key === "*" ? Object.values(record) : [Object.hasOwn(record, key) ? record[key] : undefined];
  return inner.flatMap((one) => dependenciesAt(one, rest));
}

function fromRequirements(lines: readonly string[]): [string, string][] {
  return lines.flatMap((line): [string, string][] => {
    const [, name, version] = /^\s*([A-Za-z0-9][\w.-]*)\s*(?:\[[^\]]*\])?\s*([^;#]*)/.exec(line) ?? [];
    return name === undefined ? [] : [[name, (version ?? "").trim()]];
  });
}

function fromGoMod(text: string): [string, string][] {
  return [...text.matchAll(/^\s*(?:require\s+)?([\w.-]+\.[\w.-]+(?:\/[\w.~-]+)*)\s+(v\d[\w.+-]*)/gm)].map(
    (match) => [match[1] ?? "", match[2] ?? ""],
  );
}

function fromGemfile(text: string): [string, string][] {
  return [...text.matchAll(/^\s*gem\s+["']([\w.-]+)["'](?:\s*,\s*["']([^"']*)["'])?/gm)].map((match) => [
    match[1] ?? "",
    match[2] ?? "",
  ]);
}

function pairs(table: unknown): [string, string][] {
  return Object.entries(asRecord(table) ?? {}).map(([name, value]) => {
    const version = asRecord(value)?.["version"] ?? value;
    return [name, typeof version === "string" ? version : ""];
  });
}

async function readConfig(path: string, text: string): Promise<{ documents: unknown[] } | { why: string }> {
  try {
    if (/\.toml$/i.test(path)) {
      const { parse } = await import("smol-toml");
      return { documents: [parse(text)] };
    }
    if (/\.ya?ml$/i.test(path)) {
      const { parseAllDocuments } = await import("yaml");
      const documents = parseAllDocuments(text, { uniqueKeys: false, logLevel: "silent" });
      // Aliases that multiply are refused by the library past this count.
      return {
        documents: [...documents].map((document) => document.toJS({ maxAliasCount: 100 }) as unknown),
      };
    }
    const { parse } = await import("jsonc-parser");
    const errors: ParseError[] = [];
    const value: unknown = parse(text.replace(/^\uFEFF/, ""), errors, { allowTrailingComma: true });
    return errors.length === 0 ? { documents: [value] } : { why: "it is no JSON" };
  } catch (error) {
    return { why: `it cannot be read: ${firstLine(error)}` };
  }
}

export function firstLine(error: unknown): string {
  const [line = ""] = String(error instanceof Error ? error.message : error).split("\n");
  return line.slice(0, 120);
}

/** The value under a path of keys, or up to which key there is none; a number is also an index of a list. */
function valueAt(value: unknown, keys: readonly string[]): { value?: unknown; missing?: string } {
  let at = value;
  for (const [i, key] of keys.entries()) {
    const index = Array.isArray(at) && /^\d{1,6}$/.test(key) ? Number(key) : key;
    if (typeof at !== "object" || at === null || !Object.hasOwn(at, index))
      return { missing: keys.slice(0, i + 1).join(".") };
    at = (at as Record<string | number, unknown>)[index];
  }
  return { value: at };
}

function configText(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? String(value));
}
