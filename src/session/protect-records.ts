import { existsSync } from "node:fs";
import { basename, join, parse, resolve } from "node:path";
import { aboveHeed } from "./above-heed.ts";
import { type OwnedCall, decideStoppedCall } from "./decide-stopped-call.ts";
import { type Outcome, type Situation, NOTHING } from "./situation.ts";
import { type ToolUse, TARGET_KEY, callUnitOf } from "../guard/guard-call.ts";
import { isShellTool } from "../guard/tools.ts";
import { isMemoryFile } from "../memory/memory.ts";
import { homeOf, recordFolders } from "../machine/places.ts";
import { isBelow, realPathOf } from "../machine/regular-file.ts";
import { CONFIG_FILE } from "../store/config/store-config.ts";

const OWN_FILES = { key: "heed:own-files", name: "own-files" };

/** Keeps file tools off heed's records; asks about memory files and what decides over heed. Shells: see `above-heed.ts`. */
export function protectRecords(situation: Situation, use: ToolUse | OwnedCall): Outcome {
  const said = decideWrites(situation, use);
  if (!said) return NOTHING;
  const { action, path, reason } = said;
  const words = `heed: ${reason}`;
  // What heed alone writes, nobody can allow.
  if (action === "deny") return { decision: { action, reason: words } };
  const decided = decideStoppedCall(situation, use, { action, rules: [OWN_FILES], text: path });
  const { records, notice, howToAllow } = decided;
  if (decided.action === "pass") return { notice, records };
  return { decision: { action: decided.action, reason: `${words}\n\n${howToAllow}`.trim() }, records };
}

interface OwnDecision {
  action: "deny" | "ask";
  path: string;
  reason: string;
}

function decideWrites({ place, collection }: Situation, use: ToolUse): OwnDecision | undefined {
  const { tool, input, cut } = use;
  // Only the names of an unknown tool and of its fields say whether it writes.
  const { paths, isChange } = callUnitOf({ ...use, cwd: place.cwd, roots: [], home: homeOf(place.env) });
  const isWriting = isChange || Object.keys(input).some((key) => TARGET_KEY.test(key));
  if (isShellTool(tool) || !isWriting) return undefined;
  // Only in a patch does the end of a text name files.
  if (cut === "entries" || (cut === "text" && tool === "apply_patch"))
    return ask("its input", "this call is larger than heed looks at, and may write what heed keeps");
  const trusted = collection.stores.filter(({ kind, isTrusted }) => kind !== "attached" && isTrusted);
  // The user's own, also where none is yet: what is laid there would be in force once it is one.
  const stores = [place.places.userStore, ...trusted.map(({ root }) => root)].map((root) => realPath(root));
  const records = recordFolders(place.places);
  const own = {
    records: records.map((folder) => realPath(folder)),
    stores,
    above: aboveHeed(place).map((path) => realPath(path)),
  };
  const decisions = paths.flatMap(({ text, isTree = false, isGlob = false }) => {
    const named = isGlob ? text.replace(/[^/]*[*?].*$/s, "") : text;
    // A tool may follow a link before it goes up, or go up first.
    const ways = named.includes("..") ? [resolve(place.cwd, named), named] : [named];
    return ways.flatMap((way) => decideWrite(realPath(way, place.cwd), isTree || isGlob, own) ?? []);
  });
  return decisions.find(({ action }) => action === "deny") ?? decisions[0];
}

/** @param isTree the whole folder is removed, moved or written. */
function decideWrite(
  path: string,
  isTree: boolean,
  { records, stores, above }: Record<"records" | "stores" | "above", readonly string[]>,
): OwnDecision | undefined {
  const meets = (roots: readonly string[]): boolean =>
    roots.some((root) => isBelow(path, root) || (isTree && isBelow(root, path)));
  if (meets(records))
    return {
      action: "deny",
      path,
      reason: `${path} belongs to heed's records of what the user said and approved; a model does not write them. ${ASK_USER}`,
    };
  if (meets(above)) return ask(path, `this changes ${path}, which starts heed or calls it. ${ASK_USER}`);
  const name = basename(path);
  const isKept = isMemoryFile(name) || name === CONFIG_FILE || !/\.\w+$/.test(name);
  if (!meets(stores) || !(isKept || isTree)) return undefined;
  return ask(
    path,
    `this writes ${path}, where memories are kept, without the checks of heed. Use memory_write or memory_update; anything else there needs the user's word.`,
  );
}

const ask = (path: string, reason: string): OwnDecision => ({ action: "ask", path, reason });

const ASK_USER = "Only the user may decide that: ask them to run it in a terminal of their own.";

/** What a path leads to: of a file that is not there yet, what the folders before it lead to. */
function realPath(path: string, cwd = "/"): string {
  const { root } = parse(path);
  const names = path.slice(root.length).split(/[\\/]/);
  let real = root === "" ? realPathOf(cwd) : root;
  for (const [at, name] of names.entries()) {
    if (!existsSync(join(real, name))) return join(real, ...names.slice(at));
    real = realPathOf(join(real, name));
  }
  return real;
}
