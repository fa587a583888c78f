import { asRecord } from "../machine/read-fields.ts";
import type { Claim } from "../memory/claims/parse-claim.ts";
import { cutShown } from "../memory/screening/find-secrets.ts";
import type { Finding, Tree } from "./verdict.ts";

type ScriptClaim = Extract<Claim, { kind: "script" }>;

/** The files that may have a script or a target, in the order in which they are looked for. */
export function scriptFiles({ folder, isMake }: Pick<ScriptClaim, "folder" | "isMake">): string[] {
  const names = isMake ? ["GNUmakefile", "makefile", "Makefile"] : ["package.json"];
  return names.map((name) => (folder === "" ? name : `${folder}/${name}`));
}

/** The one of them that counts in a tree; the last where there is none. */
export function scriptFile(claim: Pick<ScriptClaim, "folder" | "isMake">, tree: Tree): string {
  const files = scriptFiles(claim);
  return files.find((file) => tree.look(file).kind === "file") ?? files.at(-1) ?? "";
}

/** Includes and pattern rules: a target may come from there. */
const MORE_TARGETS = /^[ ]{0,8}(?:-|s)?include\b|^[^\s#:=][^\n:=]{0,200}%|^%/m;

export async function checkScript(claim: ScriptClaim, tree: Tree): Promise<Finding> {
  const file = scriptFile(claim, tree);
  const read = tree.text(file);
  if ("missing" in read) return { state: "broken", finding: `there is no ${file}` };
  if ("why" in read) return { state: "unchecked", finding: `${file}: ${read.why}` };
  const scripts = await readScripts(file, read.text);
  if ("why" in scripts) return { state: "unchecked", finding: `${file}: ${scripts.why}` };
  if (scripts.has(claim.name)) return { state: "kept" };
  if (claim.isMake && MORE_TARGETS.test(read.text))
    return { state: "unchecked", finding: `${file} has patterns or includes: ${claim.name} may be there` };
  return {
    state: "broken",
    finding: `${file} has no ${claim.isMake ? "target" : "script"} ${claim.name}`,
  };
}

/** Whether a manifest names a dependency, and whether the version that it asks for lies in the range. */
export async function checkDependency(
  claim: Extract<Claim, { kind: "dependency" }>,
  tree: Tree,
): Promise<Finding> {
  const { files, versions, why } = await readDependencies(tree, claim.folder);
  const written = versions.get(claim.name) ?? versions.get(looseName(claim.name, versions));
  if (written === undefined) {
    if (why !== undefined) return { state: "unchecked", finding: why };
    const where = files.length > 0 ? files.join(" or ") : "any manifest";
    return { state: "broken", finding: `${claim.name} is no dependency in ${where}` };
  }
  if (claim.range === undefined) return { state: "kept" };
  const isIn = await isInRange(written, claim.range);
  if (isIn === undefined)
    return {
      state: "unchecked",
      finding: `${claim.name} is required as ${JSON.stringify(cutShown(written, 60))}, which is no version`,
    };
  return isIn
    ? { state: "kept" }
    : { state: "broken", finding: `${claim.name} is at ${cutShown(written, 60)}`, actual: written };
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

interface Dependencies {
  files: string[];
  versions: Map<string, string>;
  why?: string;
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

const ofPlaces = async (text: string, file: string): Promise<[string, string][]> => {
  const read = await readConfig(file, text);
  if ("why" in read) throw new Error(read.why);
  const places = PLACES[file.slice(file.lastIndexOf("/") + 1)]?.split(" ") ?? [];
  return places.flatMap((place) => dependenciesAt(read.documents[0], place.split(".")));
};

type Reader = (
  text: string,
  file: string,
) => Promise<[name: string, version: string][]> | [name: string, version: string][];

const READERS: Readonly<Record<string, Reader>> = {
  "package.json": ofPlaces,
  "pyproject.toml": ofPlaces,
  "requirements.txt": (text) => fromRequirements(text.split("\n")),
  "Cargo.toml": ofPlaces,
  "go.mod": fromGoMod,
  "composer.json": ofPlaces,
  Gemfile: fromGemfile,
};

export const MANIFESTS: readonly string[] = Object.keys(READERS);

export async function readDependencies(tree: Pick<Tree, "text">, folder: string): Promise<Dependencies> {
  const found: Dependencies = { files: [], versions: new Map() };
  for (const [name, reader] of Object.entries(READERS)) {
    const file = folder === "" ? name : `${folder}/${name}`;
    const read = tree.text(file);
    if ("why" in read) found.why = `${file}: ${read.why}`;
    if (!("text" in read)) continue;
    found.files.push(file);
    try {
      for (const [dependency, version] of await reader(read.text, file))
        if (!found.versions.has(dependency)) found.versions.set(dependency, version);
    } catch (error) {
      found.why = `${file}: ${firstLine(error)}`;
    }
  }
  return found;
}

/** The scripts of a package.json, name to command, or the targets of a Makefile; or why it cannot be read. */
export async function readScripts(
  file: string,
  text: string,
): Promise<Map<string, string> | { why: string }> {
  if (!file.endsWith(".json")) return makeTargets(text);
  const read = await readConfig(file, text);
  if ("why" in read) return read;
  const scripts = asRecord(asRecord(read.documents[0])?.["scripts"]) ?? {};
  return new Map(Object.entries(scripts).map(([name, command]) => [name, configText(command)]));
}

function makeTargets(text: string): Map<string, string> {
  const targets = new Map<string, string>();
  let open: string[] = [];
  for (const line of text.split(/\r?\n/)) {
    const [, names, needs] = /^([^\s:=#][^:=#]*)::?(?![:=])(.*)$/.exec(line) ?? [];
    if (names !== undefined) open = names.trim().split(/\s+/);
    else if (!line.startsWith("\t")) open = line.trim() === "" ? open : [];
    for (const name of open) targets.set(name, `${targets.get(name) ?? ""}${needs ?? line}\n`);
  }
  return targets;
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

const MAX_DEPTH = 30;

export async function readConfig(
  path: string,
  text: string,
): Promise<{ documents: unknown[] } | { why: string }> {
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
    return { documents: [JSON.parse(plainJson(text))] };
  } catch (error) {
    return { why: `it cannot be read: ${firstLine(error)}` };
  }
}

export function firstLine(error: unknown): string {
  const [line = ""] = String(error instanceof Error ? error.message : error).split("\n");
  return line.slice(0, 120);
}

/** The value under a path of keys; a number is also an index of a list. `found` false: there is no such key. */
export function valueAt(
  value: unknown,
  keys: readonly string[],
): { found: boolean; value: unknown; missing?: string } {
  let at = value;
  for (const [i, key] of keys.slice(0, MAX_DEPTH).entries()) {
    const index = Array.isArray(at) && /^\d{1,6}$/.test(key) ? Number(key) : key;
    if (typeof at !== "object" || at === null || !Object.hasOwn(at, index))
      return { found: false, value: undefined, missing: keys.slice(0, i + 1).join(".") };
    at = (at as Record<string | number, unknown>)[index];
  }
  return { found: true, value: at };
}

export function configText(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? String(value));
}

/** JSON without what tsconfig.json and its like allow besides: comments, commas at the end, a byte order mark. */
function plainJson(text: string): string {
  let plain = "";
  let at = text.startsWith("\uFEFF") ? 1 : 0;
  const tokens = /"(?:[^"\\\n]|\\.)*"|\/\/[^\n]*|\/\*[^]*?\*\//g;
  tokens.lastIndex = at;
  for (let match = tokens.exec(text); match; match = tokens.exec(text)) {
    plain += text.slice(at, match.index) + (match[0].startsWith('"') ? match[0] : " ");
    at = match.index + match[0].length;
  }
  plain += text.slice(at);
  return plain.replace(/"(?:[^"\\\n]|\\.)*"|,(?=\s*[}\]])/g, (part) => (part === "," ? "" : part));
}
