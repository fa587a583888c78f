import type { Claim } from "../memory/claims/claim.ts";
import { cutShown } from "../screening/cut-shown.ts";
import type { Finding, Tree } from "./claim-check.ts";
import { readDependencies, readScripts } from "./read-manifest.ts";

/** Whether the package.json of a folder has a script. */
export async function checkScript(claim: Extract<Claim, { kind: "script" }>, tree: Tree): Promise<Finding> {
  const file = claim.folder === "" ? "package.json" : `${claim.folder}/package.json`;
  const read = tree.text(file);
  if ("missing" in read) return { state: "broken", finding: `there is no ${file}` };
  if ("why" in read) return { state: "unmeasured", finding: `${file}: ${read.why}` };
  const scripts = await readScripts(file, read.text);
  if ("why" in scripts) return { state: "unmeasured", finding: `${file}: ${scripts.why}` };
  return scripts.has(claim.name)
    ? { state: "kept" }
    : { state: "broken", finding: `${file} has no script ${claim.name}` };
}

/** Whether a manifest names a dependency, and whether the version that it asks for lies in the range. */
export async function checkDependency(
  claim: Extract<Claim, { kind: "dependency" }>,
  tree: Tree,
): Promise<Finding> {
  const { files, versions, why } = await readDependencies(tree, claim.folder);
  const written = versions.get(claim.name) ?? versions.get(looseName(claim.name, versions));
  if (written === undefined) {
    if (why !== undefined) return { state: "unmeasured", finding: why };
    const where = files.length > 0 ? files.join(" or ") : "any manifest";
    return { state: "broken", finding: `${claim.name} is no dependency in ${where}` };
  }
  if (claim.range === undefined) return { state: "kept" };
  const isIn = await isInRange(written, claim.range);
  if (isIn === undefined)
    return {
      state: "unmeasured",
      finding: `${claim.name} is asked for as ${JSON.stringify(cutShown(written, 60))}, which is no version`,
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
export async function isInRange(written: string, range: string): Promise<boolean | undefined> {
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
