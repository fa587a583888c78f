import { statSync } from "node:fs";
import { join, posix } from "node:path";
import type { Place } from "../here/place.ts";
import { modeHere } from "../here/user-config.ts";
import { FRESH } from "../here/records/session-state.ts";
import { readRule, rulesHere } from "./rules-here.ts";
import { type Situation, readerSituation } from "./situation.ts";
import { openContext } from "./tell-missing.ts";
import { runGit } from "../machine/run-git.ts";
import { defuseLine } from "../memory/delimit.ts";
import { RULE_BUDGET_CHARS, orderRules, renderRules, type Rule } from "./inject/render-rules.ts";
import { redactSecrets } from "../memory/screening/find-secrets.ts";

/** A reader gets what a subagent gets, rules and map, and nothing of what waits or goes on. */
const READER = "document";

export interface Reading {
  stores?: "all" | "project" | undefined;
}

/** What a fresh context here is told, for readers that no hook tells: a file, a server's instructions. Leaves no trace. @internal */
export async function openingText(place: Place, reading: Reading = {}): Promise<string> {
  const situation = await situationHere(place, reading);
  if (!situation) return "";
  const owner = { agent: READER, client: "heed", session: "" };
  return redactSecrets((await openContext(situation, owner, FRESH)).context ?? "");
}

async function situationHere(place: Place, { stores = "all" }: Reading): Promise<Situation | undefined> {
  if (modeHere(place) === "off") return undefined;
  const some = stores === "all" ? undefined : place.stores.filter(({ kind }) => kind === "project");
  return readerSituation(place, { stores: some });
}

export interface FolderRules {
  /** From the repository's root, which is ".". */
  folder: string;
  /** Empty where the folder has an AGENTS.md and no rule. */
  text: string;
}

/** The rules of certain paths, by folder, for readers of the nearest file. Leaves no trace. @internal */
export async function folderRules(place: Place, reading: Reading = {}): Promise<FolderRules[]> {
  const { workRoot, env } = place;
  const asked = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
  const { stdout = "" } = place.repository ? await runGit(asked, { cwd: workRoot, env }) : {};
  const files = stdout.split("\0").filter((file) => posix.basename(file) === "AGENTS.md");
  const folders = new Map(files.map((file) => [posix.dirname(file), new Map<string, Rule[]>()]));
  const situation = await situationHere(place, reading);
  for (const metadata of situation ? (await rulesHere(situation)).pathRules : []) {
    const rule = await readRule(situation!, metadata);
    const { paths } = metadata.scope;
    const about = `Standing rules for ${paths.map(defuseLine).join(", ")}, kept by heed:`;
    for (const folder of new Set(paths.filter((glob) => !glob.startsWith("!")).map(folderAbove))) {
      const byPaths = folders.get(folder) ?? new Map<string, Rule[]>();
      folders.set(folder, byPaths.set(about, [...(byPaths.get(about) ?? []), rule]));
    }
  }
  return [...folders].map(([folder, byPaths]) => {
    const texts = [...byPaths].map(
      ([head, rules]) => renderRules(orderRules(rules), head, RULE_BUDGET_CHARS).text,
    );
    return { folder, text: redactSecrets(texts.join("\n\n")) };
  });

  function folderAbove(glob: string): string {
    const [literal = ""] = glob.replace(/^\.?\//, "").split(/(?:^|\/)[^/]*[*?[\]{}()!]|(?:^|\/)\.\.(?:\/|$)/);
    let folder = posix.normalize(literal);
    while (!statSync(join(workRoot, folder), { throwIfNoEntry: false })?.isDirectory())
      folder = posix.dirname(folder);
    return folder.replace(/(.)\/$/, "$1");
  }
}
