import {
  type Claim,
  formatClaim,
  lastName,
  pathOfClaim,
  valueOfClaim,
} from "../memory/claims/parse-claim.ts";
import { isPast } from "../machine/read-fields.ts";
import { cutShown } from "../memory/screening/find-secrets.ts";
import { assignedValues, isSameValue } from "./assigned-values.ts";
import { broken, type Finding, KEPT, type Machine, type Tree, unchecked } from "./verdict.ts";
import { checkBranch, checkCommand } from "./check-machine.ts";
import { checkConfig, checkDependency, checkScript, manifestsOf, textOf } from "./manifests.ts";
import { findDefinitions, findSymbol } from "./source/find-definitions.ts";

/** Checks one claim. Never throws: what cannot be measured is a finding too. */
export async function checkClaim(claim: Claim, tree: Tree, machine: Machine): Promise<Finding> {
  if (claim.isFormer) {
    const was = cutShown(valueOfClaim(claim) ?? "", 60);
    const doubt = `${nameOf(claim)} was ${was} when this was said: does the statement still hold?`;
    return { ...unchecked(doubt), isTold: true };
  }
  const files = filesOf(claim);
  await tree.settle?.(files, machine);
  const finding = await findOut(claim, tree, machine);
  if (claim.isAbsent) {
    if (finding.state === "unchecked") return finding;
    const subject = formatClaim({ ...claim, isAbsent: false }).replace(/^(?:must:)?(?:\w+:)/, "");
    return finding.state === "broken" ? KEPT : broken(`${cutShown(subject, 120)} is there`);
  }
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
  const path = pathOfClaim(claim);
  return "folder" in claim ? manifestsOf(claim) : path === undefined ? [] : [path];
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
      return isPast(claim.date, machine.now) ? broken(`it held until ${claim.date}`) : KEPT;
  }
}

function checkPath({ path, isFolder }: Extract<Claim, { kind: "path" }>, tree: Tree): Finding {
  const look = tree.look(path);
  if (look.kind === "barred") return unchecked(`${path}: ${look.why}`);
  if (look.kind === "missing") return broken(`${path} is not here`);
  return isFolder && look.kind === "file" ? broken(`${path} is a file, not a folder`) : KEPT;
}

function checkInFile(claim: Extract<Claim, { kind: "symbol" | "literal" | "value" }>, tree: Tree): Finding {
  const { path } = claim;
  const text = textOf(tree, path);
  if (typeof text !== "string") return text;
  if (claim.kind === "literal") {
    // A checkout may have other line ends than the one in which the claim was made.
    const isThere = [text, text.replaceAll("\r\n", "\n")].some((one) => one.includes(claim.literal));
    return isThere ? KEPT : broken(`${path} no longer holds ${JSON.stringify(cutShown(claim.literal, 60))}`);
  }
  if (claim.kind === "symbol") {
    const definitions = findDefinitions(path, text);
    if (definitions)
      return findSymbol(definitions, claim.symbol)
        ? KEPT
        : broken(`${path} no longer defines ${claim.symbol}`);
    const name = lastName(claim.symbol);
    return text.includes(name)
      ? unchecked(`${path} is in no language whose definitions are known; it mentions ${name}`)
      : broken(`${path} no longer mentions ${name}`);
  }
  const values = assignedValues(path, text, claim.name);
  if (values.some((value) => isSameValue(value, claim.value))) return KEPT;
  const [actual] = values;
  return actual === undefined
    ? broken(`${path} no longer sets ${claim.name}`)
    : broken(`${claim.name} is ${cutShown(actual, 80)} in ${path}`, actual);
}
