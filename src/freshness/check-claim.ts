import { type Language, languageOf, maskSource } from "./source/mask-source.ts";
import { isOnPath, namesInFolder, statIfThere } from "../machine/regular-file.ts";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { findGitDirectory, readSmallFile } from "../machine/git-directory.ts";
import { type Finding, type Machine, type Tree, broken, unchecked, KEPT } from "./verdict.ts";
import {
  type Claim,
  formatClaim,
  lastName,
  pathOfClaim,
  valueOfClaim,
} from "../memory/claims/parse-claim.ts";
import { isPast } from "../machine/read-fields.ts";
import { cutShown } from "../memory/screening/find-secrets.ts";
import { checkConfig, checkDependency, checkScript, manifestsOf, textOf } from "./manifests.ts";
import { findDefinitions, findSymbol } from "./source/find-definitions.ts";

const MAX_FOUND = 50;

/** Values given to a name, as written and in order: `const NAME = 5`, `"name": 5`, `#define NAME 5`. Comments do not count. */
export function assignedValues(path: string, text: string, name: string): string[] {
  const language = languageOf(path, text);
  const source = language === undefined ? withoutHashComments(path, text) : maskSource(text, language, true);
  const plain = name.slice(name.lastIndexOf(".") + 1);
  const escaped = plain.replace(/[$.*+?^{}()|[\]\\]/g, "\\$&");
  const found: string[] = [];
  const pattern = new RegExp(
    `(?<![\\w$-])${escaped}["'\`]?(?:[ \\t]*[?!]?[ \\t]*:[ \\t]*(?!:)[^=\\n;{}"']{0,80}?(?<![!<>=:])=(?![=>~])|[ \\t]*(?:\\[[^\\]\\n]{0,40}\\][ \\t]*)?(?:\\|\\||\\?\\??)?(?<![!<>=])=(?![=~>])|[ \\t]*:{1,3}=|[ \\t]*=>|[ \\t]*:(?![:=]))[ \\t]*(?:\\r?\\n[ \\t]*)?(?<value>[^\\n]{1,300})`,
    "gu",
  );
  for (const match of source.matchAll(pattern)) {
    const value = cutValue(match.groups?.["value"] ?? "", language);
    if (value !== "") found.push(value);
    if (found.length >= MAX_FOUND) break;
  }
  const defined = new RegExp(`^[ \\t]*#[ \\t]*define[ \\t]+${escaped}[ \\t]+(?<value>[^\\n]{1,300})`, "gmu");
  const set = new RegExp(
    `^[ \\t]*(?:set|setx|ENV|ARG|define)[ (]+['"]?${escaped}['"]?[ ,\\t]+(?<value>[^\\n]{1,300})`,
    "gmu",
  );
  for (const lines of [defined, set])
    for (const match of source.matchAll(lines)) found.push(cutValue(match.groups?.["value"] ?? "", language));
  return found.slice(0, MAX_FOUND);
}

/** Whether a value as written is the one that a claim states: quotes, digit separators and suffixes of types aside. */
export function isSameValue(written: string, stated: string): boolean {
  return plainValue(written) === plainValue(stated);
}

/** Cuts `"5" + x, y` to its value: a quoted text, or everything up to the end of the statement. */
function cutValue(rest: string, language: Language | undefined): string {
  const text = rest.trim();
  const quoted = /^[rRbBuUfFL@$]{0,2}("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`)/.exec(text)?.[1];
  if (quoted !== undefined) return quoted;
  // A shell sets to the next blank; what follows is another name, or a command.
  if (language === "shell" && !text.startsWith("(")) {
    const word =
      /^(?:\\.|\$\([^()]*\)|\$\{[^{}]*\}|"(?:[^"\\]|\\.)*"|'[^']*'|[^\s;&|<>()"'\\])*/.exec(text)?.[0] ?? "";
    if (word !== "" && text.charAt(word.length) !== "(") return word;
  }
  let depth = 0;
  for (let i = 0; i < text.length; i++) {
    const char = text.charAt(i);
    if ("([{".includes(char)) depth += 1;
    else if (")]}".includes(char)) {
      if (depth === 0) return text.slice(0, i).trim();
      depth -= 1;
    } else if (depth === 0 && (char === ";" || char === ",")) return text.slice(0, i).trim();
    else if (depth === 0 && language === undefined && char === " " && text.charAt(i + 1) === "#")
      return text.slice(0, i).trim();
    else if ((char === '"' || char === "'") && depth > 0) {
      const end = text.indexOf(char, i + 1);
      if (end > 0) i = end;
    }
  }
  return text.trim();
}

function plainValue(value: string): string {
  const text = value.trim().replace(/[;,]$/, "").trim();
  const quoted = /^(["'`])([^]*)\1$/.exec(text)?.[2];
  if (quoted !== undefined) return quoted.replace(/\\(["'`\\])/g, "$1");
  const number =
    /^([-+]?(?:0[xXbBoO])?[0-9a-fA-F][0-9a-fA-F_']*(?:\.[0-9_]+)?(?:[eE][-+]?\d+)?)(?:[uUlLfFdDmMn]{1,3}|_?[iuf](?:8|16|32|64|128|size))?$/.exec(
      text,
    )?.[1];
  if (number !== undefined && /\d/.test(number)) return number.replace(/[_']/g, "").toLowerCase();
  return text.replace(/\s+/g, " ");
}

/** Configuration and environment files comment with `#`; in Markdown and JSON it means nothing of the kind. */
function withoutHashComments(path: string, text: string): string {
  if (/\.(?:json|jsonc|json5)$/i.test(path)) return text.replace(/^[ \t]*\/\/[^\n]*$/gm, "");
  if (/\.(?:md|mdx|txt|html?|css|scss)$/i.test(path)) return text;
  return text.replace(/^[ \t]*[#;][^\n]*$/gm, "");
}

/** Whether a branch exists, here or as a remote's: read from git's files, no process is started. */
function checkBranch(name: string, root: string | undefined): Finding {
  const directory = root === undefined ? undefined : findGitDirectory(root);
  if (!directory) return unchecked("there is no repository here");
  const { gitDir, commonDir } = directory;
  if (existsSync(join(commonDir, "reftable")))
    return unchecked("its branches are kept in a form that is not read here");
  const head = readSmallFile(join(gitDir, "HEAD"))?.trim();
  if (head === `ref: refs/heads/${name}`) return { state: "kept" };
  const packed = readSmallFile(join(commonDir, "packed-refs"));
  const remotes = namesInFolder(join(commonDir, "refs", "remotes")).slice(0, 100);
  const isThere =
    isFile(join(commonDir, "refs", "heads", name)) ||
    remotes.some((remote) => isFile(join(commonDir, "refs", "remotes", remote, name))) ||
    (packed ?? "").split("\n").some((line) => isRef(line.slice(line.indexOf(" ") + 1), name));
  if (isThere) return { state: "kept" };
  if (existsSync(join(commonDir, "shallow")))
    return unchecked(`a shallow clone need not have the branch ${name}`);
  if (packed === undefined && existsSync(join(commonDir, "packed-refs")))
    return unchecked("the list of its branches cannot be read");
  return broken(`there is no branch ${name}`);
}

function checkCommand(name: string, env: Readonly<Record<string, string | undefined>>): Finding {
  const isThere = isOnPath(name, env);
  if (isThere === undefined) return unchecked("there is no PATH here");
  return isThere ? { state: "kept" } : broken(`there is no ${name} on the PATH`);
}

function isRef(ref: string, name: string): boolean {
  if (ref === `refs/heads/${name}`) return true;
  return ref.startsWith("refs/remotes/") && ref.slice(ref.indexOf("/", "refs/remotes/".length) + 1) === name;
}

const isFile = (path: string): boolean => statIfThere(path)?.isFile() === true;

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
