import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";

/**
 * What the files say, read again here: what heed says of them is compared with this, so nothing of heed's own reading is
 * used.
 */
export interface FileMemory {
  store: "user" | "project" | "client";
  name: string;
  statement: string;
  type: string;
  /** It counts: a rule as it was approved, a fact of an approved store, what another tool wrote with the user's yes. */
  isInForce: boolean;
  expires: string | undefined;
  claims: string[];
}

export interface FileProposal {
  statement: string;
  store: string;
  /** It would be a memory of its own: no change, removal or guard. */
  isNew: boolean;
}

export interface Folders {
  project: string;
  userStore: string;
  projectStore: string;
  clientFolder: string;
  state: string;
}

/** All that the stores hold, in force or not. */
export function memoriesOnDisk(at: Folders, today: string): FileMemory[] {
  const stores = readJson(join(at.state, "stores.json"));
  const attached = JSON.stringify(stores["attached"] ?? []);
  const trusted = JSON.stringify(stores["trusted"] ?? {});
  const words = readWords(at.state);
  const isThere = (root: string, list: string): boolean =>
    existsSync(root) && list.includes(realpathSync(root));
  return [
    ...memoriesOf("user", at.userStore, today, approvalsOf(at.state, at.userStore)),
    ...memoriesOf(
      "project",
      at.projectStore,
      today,
      isThere(at.projectStore, trusted) ? approvalsOf(at.state, at.projectStore) : undefined,
    ),
    ...(isThere(at.clientFolder, attached) ? memoriesOf("client", at.clientFolder, today, words) : []),
  ];
}

/** What waits in the inbox. */
export function proposalsOnDisk({ state }: Folders): FileProposal[] {
  return markdownIn(join(state, "inbox"), false).map((file) => {
    const text = readFileSync(file, "utf8");
    const fields = frontMatter(text);
    const proposal = text.slice(text.indexOf("\n  proposal:"));
    return {
      statement: fields.get("description") ?? "",
      store: /\bstore: "?([^\s,}"]+)/.exec(proposal)?.[1] ?? "",
      isNew: !/\b(?:target|flags):/.test(proposal),
    };
  });
}

/** What stores keep of removed memories: which store, which type, what it said. */
export function buriedOnDisk({
  userStore,
  projectStore,
}: Folders): Omit<FileMemory, "isInForce" | "expires" | "claims">[] {
  return (
    [
      ["user", userStore],
      ["project", projectStore],
    ] as const
  ).flatMap(([store, root]) =>
    markdownIn(join(root, ".tombstones"), true).map((file) => {
      const fields = frontMatter(readFileSync(file, "utf8"));
      const [name = "", statement = "", type = ""] = ["name", "description", "type"].map((key) =>
        fields.get(key),
      );
      return { store, name, statement, type };
    }),
  );
}

/** Whether a claim holds: its day is not over; its file is there, and has the word. */
export function claimHolds({ project }: Folders, claim: string, today: string): boolean {
  if (claim.startsWith("until:")) return claim.slice("until:".length) >= today;
  const [path = "", symbol] = claim.replace(/^(?:must:)?path:/, "").split("::");
  const file = join(project, path);
  if (!existsSync(file)) return false;
  return symbol === undefined || new RegExp(`\\b${symbol}\\b`).test(readFileSync(file, "utf8"));
}

/** Equal words make an equal statement, whatever stands between them. */
export function folded(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, " ")
    .trim();
}

/** The texts of rules that were approved, by their file in the store; of another tool's folder what the user said yes to. */
interface Approved {
  byFile: ReadonlyMap<string, string>;
  has(text: string): boolean;
}

function memoriesOf(
  store: FileMemory["store"],
  root: string,
  today: string,
  approved: Approved | undefined,
): FileMemory[] {
  return markdownIn(root, true).flatMap((path) => {
    const file = path.slice(root.length + 1);
    if (/^(?:\.tombstones\/|MEMORY\.md$)/.test(file)) return [];
    const onDisk = readFileSync(path, "utf8");
    const isRule = frontMatter(onDisk).get("type") === "feedback";
    const isAsked =
      store === "client" && ["feedback", "user"].includes(frontMatter(onDisk).get("type") ?? "");
    const isApproved = approved?.has(onDisk) === true;
    // A rule that was changed past heed is in force as it was approved.
    const text =
      isRule && store !== "client" && !isApproved ? (approved?.byFile.get(file) ?? onDisk) : onDisk;
    const fields = frontMatter(text);
    const expires = fields.get("expires")?.slice(0, 10);
    const counts = isAsked || (isRule && text === onDisk) ? isApproved : approved !== undefined;
    const isOver = (expires !== undefined && expires < today) || fields.get("status") === "superseded";
    return [
      {
        store,
        name: fields.get("name") ?? "",
        statement: fields.get("description") ?? "",
        type: fields.get("type") ?? "",
        isInForce: counts && !isOver,
        expires,
        claims: fields.claims,
      },
    ];
  });
}

function approvalsOf(state: string, root: string): Approved {
  const key = existsSync(root) ? sha256(realpathSync(root)).slice(0, 20) : "";
  const folder = join(state, "stores", key, "approved");
  const byFile = new Map<string, string>();
  for (const [id, rule] of Object.entries(readJson(join(folder, "rules.json"))["rules"] ?? {})) {
    const copy = join(folder, `${sha256(id).slice(0, 32)}.md`);
    if (existsSync(copy)) byFile.set((rule as { file: string }).file, readFileSync(copy, "utf8"));
  }
  const texts = new Set(byFile.values());
  return { byFile, has: (text) => texts.has(text) };
}

function readWords(state: string): Approved {
  const file = join(state, "claim-words.jsonl");
  const said = new Map<string, string>();
  for (const line of existsSync(file) ? readFileSync(file, "utf8").split("\n") : []) {
    const { hash, word } = (line === "" ? {} : JSON.parse(line)) as { hash?: string; word?: string };
    if (hash !== undefined && word !== undefined) said.set(hash, word);
  }
  return { byFile: new Map(), has: (text) => said.get(sha256(text).slice(0, 16)) === "confirmed" };
}

/** The fields of a front matter, those below `metadata` among them. */
function frontMatter(text: string): { get(key: string): string | undefined; claims: string[] } {
  const [, yaml = ""] = /^---\n([\s\S]*?)\n---/.exec(text) ?? [];
  const { metadata, ...own } = (parse(yaml, { schema: "failsafe" }) ?? {}) as Record<string, unknown>;
  const fields = { ...(metadata as object | undefined), ...own } as Record<string, string | undefined>;
  const { claims = [] } = fields as { claims?: string[] };
  return { get: (key) => fields[key], claims };
}

/** The memory files below a folder. */
export function markdownBelow(root: string): string[] {
  return markdownIn(root, true).filter((file) => !/\/(?:\.tombstones\/|MEMORY\.md$)/.test(file));
}

function markdownIn(folder: string, isDeep: boolean): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: isDeep, encoding: "utf8" })
    .filter((file) => file.endsWith(".md"))
    .map((file) => join(folder, file))
    .toSorted();
}

function readJson(file: string): Record<string, object | undefined> {
  return existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as Record<string, object>) : {};
}

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");

/** The mark in the short handle of a long name: twenty bits of FNV-1a, in Crockford's base 32, the lowest first. */
export function markOf(name: string): string {
  let hash = 2_166_136_261n;
  for (const letter of name) hash = ((hash ^ BigInt(letter.codePointAt(0) ?? 0)) * 16_777_619n) % 2n ** 32n;
  hash ^= hash >> 20n;
  return [0n, 5n, 10n, 15n]
    .map((bits) => "0123456789abcdefghjkmnpqrstvwxyz"[Number((hash >> bits) % 32n)])
    .join("");
}

/** A name made of a statement's first words. */
export const nameOf = (text: string): string => folded(text).split(" ").slice(0, 5).join("-");

/** A memory's file as a person or another tool writes it. */
export function fileOf(name: string, type: string, statement: string): string {
  return `---\nname: ${name}\ndescription: ${JSON.stringify(statement)}\nmetadata:\n  type: ${type}\n---\n${statement}.\n`;
}
