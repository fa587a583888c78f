import { type Claim, pathOfClaim, valueOfClaim } from "../memory/claims/parse-claim.ts";
import { isPast } from "../machine/read-fields.ts";
import { cutShown } from "../memory/screening/find-secrets.ts";
import { assignedValues, isSameValue } from "./assigned-values.ts";
import type { Finding, Machine, Tree } from "./verdict.ts";
import { checkBranch, checkCommand } from "./check-machine.ts";
import {
  checkDependency,
  checkScript,
  configText,
  MANIFESTS,
  readConfig,
  scriptFiles,
  valueAt,
} from "./manifests.ts";
import { findDefinitions, findSymbol } from "./source/find-definitions.ts";

/** Checks one claim. Never throws: what cannot be measured is a finding too. */
export async function checkClaim(claim: Claim, tree: Tree, machine: Machine): Promise<Finding> {
  if (claim.isFormer) {
    const was = cutShown(valueOfClaim(claim) ?? "", 60);
    const finding = `${nameOf(claim)} was ${was} when this was said: does the statement still hold?`;
    return { state: "unchecked", finding, isTold: true };
  }
  const files = filesOf(claim);
  await tree.settle?.(files, machine);
  const finding = await findOut(claim, tree, machine);
  if (claim.isAbsent) return negate(finding, claim);
  const isAway = files.length > 0 && files.every((file) => tree.look(file).kind === "missing");
  return isAway && finding.state === "broken" ? { ...finding, isAway } : finding;
}

/** What has a value, without its file. */
export function nameOf(claim: Claim): string {
  if (claim.kind === "config") return claim.keys.join(".");
  return claim.kind === "literal" ? `a text of ${claim.path}` : "name" in claim ? claim.name : "it";
}

/** The files that decide a claim. */
export function filesOf(claim: Claim): string[] {
  if (claim.kind === "script") return scriptFiles(claim);
  if (claim.kind === "dependency")
    return MANIFESTS.map((name) => (claim.folder === "" ? name : `${claim.folder}/${name}`));
  const path = pathOfClaim(claim);
  return path === undefined ? [] : [path];
}

async function findOut(claim: Claim, tree: Tree, machine: Machine): Promise<Finding> {
  switch (claim.kind) {
    case "path":
      return checkPath(claim, tree);
    case "symbol":
    case "literal":
    case "value":
      return checkInFile(claim, tree);
    case "config":
      return checkConfig(claim, tree);
    case "script":
      return checkScript(claim, tree);
    case "dependency":
      return checkDependency(claim, tree);
    case "branch":
      return checkBranch(claim.name, machine.root);
    case "command":
      return checkCommand(claim.name, machine.env);
    default:
      return isPast(claim.date, machine.now)
        ? { state: "broken", finding: `it held until ${claim.date}` }
        : { state: "kept" };
  }
}

function negate(finding: Finding, claim: Claim): Finding {
  if (finding.state === "broken") return { state: "kept" };
  if (finding.state === "kept") return { state: "broken", finding: `${subjectOf(claim)} is there` };
  return finding;
}

function subjectOf(claim: Claim): string {
  switch (claim.kind) {
    case "path":
      return claim.path;
    case "symbol":
      return `${claim.symbol} in ${claim.path}`;
    case "literal":
      return `${JSON.stringify(cutShown(claim.literal, 60))} in ${claim.path}`;
    case "value":
      return `${claim.name}=${claim.value} in ${claim.path}`;
    case "config":
      return `${claim.keys.join(".")} in ${claim.path}`;
    case "until":
      return claim.date;
    default:
      return claim.name;
  }
}

function checkPath(claim: Extract<Claim, { kind: "path" }>, tree: Tree): Finding {
  const look = tree.look(claim.path);
  if (look.kind === "barred") return { state: "unchecked", finding: `${claim.path}: ${look.why}` };
  if (look.kind === "missing") return { state: "broken", finding: `${claim.path} is not here` };
  return claim.isFolder && look.kind === "file"
    ? { state: "broken", finding: `${claim.path} is a file, not a folder` }
    : { state: "kept" };
}

function checkInFile(claim: Extract<Claim, { kind: "symbol" | "literal" | "value" }>, tree: Tree): Finding {
  const { path } = claim;
  const read = tree.text(path);
  if ("missing" in read) return { state: "broken", finding: `${path} is not here` };
  if ("why" in read) return { state: "unchecked", finding: `${path}: ${read.why}` };
  if (claim.kind === "literal") {
    // A checkout may have other line ends than the one in which the claim was made.
    const holds =
      read.text.includes(claim.literal) || read.text.replaceAll("\r\n", "\n").includes(claim.literal);
    return holds
      ? { state: "kept" }
      : {
          state: "broken",
          finding: `${path} no longer holds ${JSON.stringify(cutShown(claim.literal, 60))}`,
        };
  }
  if (claim.kind === "symbol") {
    const definitions = findDefinitions(path, read.text);
    if (!definitions) return checkWord(claim, read.text);
    return findSymbol(definitions, claim.symbol)
      ? { state: "kept" }
      : { state: "broken", finding: `${path} no longer defines ${claim.symbol}` };
  }
  const values = assignedValues(path, read.text, claim.name);
  if (values.some((value) => isSameValue(value, claim.value))) return { state: "kept" };
  const [actual] = values;
  return actual === undefined
    ? { state: "broken", finding: `${path} no longer sets ${claim.name}` }
    : { state: "broken", finding: `${claim.name} is ${cutShown(actual, 80)} in ${path}`, actual };
}

/** In a language that heed cannot read, a name that is not there at all is not defined; more cannot be told. */
function checkWord(claim: Extract<Claim, { kind: "symbol" }>, text: string): Finding {
  const { path, symbol } = claim;
  const name = symbol.split(/\.|::|#/).at(-1) ?? symbol;
  return text.includes(name)
    ? {
        state: "unchecked",
        finding: `${path} is in no language whose definitions are known; it mentions ${name}`,
      }
    : { state: "broken", finding: `${path} no longer mentions ${name}` };
}

async function checkConfig(claim: Extract<Claim, { kind: "config" }>, tree: Tree): Promise<Finding> {
  const { path, keys } = claim;
  const read = tree.text(path);
  if ("missing" in read) return { state: "broken", finding: `${path} is not here` };
  if ("why" in read) return { state: "unchecked", finding: `${path}: ${read.why}` };
  const config = await readConfig(path, read.text);
  if ("why" in config) return { state: "unchecked", finding: `${path}: ${config.why}` };
  const looks = config.documents.map((document) => valueAt(document, keys));
  const found = looks.filter((look) => look.found);
  const [first] = found;
  if (!first) return { state: "broken", finding: `${path} has no ${looks[0]?.missing ?? keys.join(".")}` };
  const wanted = claim.value;
  if (wanted === undefined || found.some(({ value }) => isStated(value, wanted))) return { state: "kept" };
  const actual = configText(first.value);
  return { state: "broken", finding: `${keys.join(".")} is ${cutShown(actual, 80)} in ${path}`, actual };
}

function isStated(value: unknown, stated: string): boolean {
  if (configText(value) === stated) return true;
  try {
    return JSON.stringify(JSON.parse(stated)) === JSON.stringify(value);
  } catch {
    return false;
  }
}
