import { existsSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Place } from "../place/place.ts";
import { readerSituation } from "./open-context.ts";
import { rulesHere } from "./rules-here.ts";
import { readForInjection } from "./situation.ts";
import { runGit } from "../../git/run-git.ts";
import { defuseLine } from "../../inject/delimit.ts";
import { MAX_CONTEXT_CHARS } from "../../inject/context-parts.ts";
import { RULE_BUDGET_CHARS, orderRules, renderRules, type Rule } from "../../inject/render-rules.ts";
import { redactSecrets } from "../../screening/find-secrets.ts";

/** What readers of a folder are told of it. */
export interface FolderRules {
  /** From the repository's root; "" is the root. */
  folder: string;
  /** Empty where no rule is about it any more, and it has an AGENTS.md. */
  text: string;
}

/**
 * The rules in force that hold for certain paths, by the folder that all of the paths of a glob are in: for readers that
 * are told by no hook and read the nearest file. Leaves no trace.
 */
export async function folderRules(
  place: Place,
  { stores = "all" }: { stores?: "all" | "project" | undefined } = {},
): Promise<FolderRules[]> {
  const { workRoot: root, env } = place;
  const situation = await readerSituation(place, stores);
  const asked = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
  const { stdout } = await runGit(asked, { cwd: root, env, okCodes: [0, 128] });
  const files = stdout.split("\0").filter((file) => /(?:^|\/)AGENTS\.md$/.test(file));
  const groups = new Map(files.map((file) => [folderOf(file), new Map<string, Rule[]>()]));
  for (const metadata of situation ? (await rulesHere(situation, false)).pathRules : []) {
    const read = situation && (await readForInjection(situation.collection, metadata));
    const { paths } = metadata.scope;
    for (const folder of new Set(
      paths.filter((glob) => !glob.startsWith("!")).map((glob) => folderIn(root, glob)),
    )) {
      const group = groups.get(folder) ?? new Map<string, Rule[]>();
      const about = paths.map(defuseLine).join(", ");
      group.set(about, [
        ...(group.get(about) ?? []),
        { metadata: read?.metadata ?? metadata, body: read?.body ?? "" },
      ]);
      groups.set(folder, group);
    }
  }
  return [...groups].map(([folder, group]) => {
    const texts = [...group].map(
      ([about, rules]) =>
        renderRules(
          orderRules(rules),
          `Standing rules for ${about}, kept by heed:`,
          RULE_BUDGET_CHARS,
          MAX_CONTEXT_CHARS,
        ).text,
    );
    return { folder, text: redactSecrets(texts.join("\n\n")) };
  });
}

const folderOf = (path: string): string => (path.includes("/") ? path.slice(0, path.lastIndexOf("/")) : "");

/** The folder above the first pattern of a glob that is there. */
function folderIn(root: string, glob: string): string {
  const parts = glob.replace(/^\.?\//, "").split("/");
  const at = parts.findIndex((part) => /[*?[\]{}()!]|^\.\.$/.test(part));
  let folder = parts.slice(0, at < 0 ? parts.length : at).join("/");
  while (folder !== "" && !(existsSync(join(root, folder)) && statSync(join(root, folder)).isDirectory()))
    folder = dirname(folder) === "." ? "" : dirname(folder);
  return folder;
}
