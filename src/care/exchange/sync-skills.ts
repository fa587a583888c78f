import { rmdirSync } from "node:fs";
import { join } from "node:path";
import { readSkill, SKILL_FILE, skillOf } from "../formats/import-formats.ts";
import { needsApproval } from "../../memory/memory-type.ts";
import { readText, removeFile, writeFileAtomic } from "../../machine/atomic-file.ts";
import { namesInFolder, statIfThere } from "../../machine/regular-file.ts";
import { findProjectRoot } from "../../store/find-stores.ts";
import type { Place } from "../../here/place.ts";
import { openCollection } from "../../here/collection.ts";
import { judgedMemories, listMemories } from "../../here/reading/find-memories.ts";
import { redactSecrets } from "../../memory/screening/find-secrets.ts";

/** Which skills to keep, and where. */
export interface SkillsRequest {
  /** The folder that clients read skills from; default: `.claude/skills` of the repository. */
  folder?: string;
  /** The user's own procedures too, each ignored by git; default: those of the repository's store alone. */
  isPersonal?: boolean;
}

/** What became of the skills of a folder. `another's` and `edited` (by hand): left as they are. */
export interface SkillsReport {
  folder: string;
  skills: {
    name: string;
    action: "created" | "changed" | "unchanged" | "removed" | "another's" | "edited";
  }[];
}

/** Keeps approved procedures as Agent Skills. Another's skill and an edited one stay; one whose procedure is gone goes; no link is followed. */
export async function syncSkills(place: Place, request: SkillsRequest = {}): Promise<SkillsReport> {
  const root = findProjectRoot(place.cwd) ?? place.cwd;
  const { folder = join(root, ".claude", "skills"), isPersonal } = request;
  const types = place.types.all().flatMap((policy) => (needsApproval(policy) ? [policy.name] : []));
  const known = await listMemories(place, { types, isScopedHere: false });
  const living = new Set(known.flatMap(({ id, status }) => (status === "superseded" ? [] : [id])));
  const collection = await openCollection(place, { thoroughness: "full" });
  const report: SkillsReport = { folder, skills: [] };
  for (const { metadata, shown } of await judgedMemories(place, collection, { types })) {
    const { id, storeId, whyData, status, flags, contentHash } = shown;
    const isShared = place.stores.some((store) => store.id === storeId && store.kind === "project");
    const isApproved = whyData === undefined && flags === undefined && status === "confirmed";
    if (!isApproved || !(isShared || isPersonal === true)) continue;
    const read = await collection.read(metadata);
    // Edited just now, it is not what was approved.
    if (read?.metadata.contentHash !== contentHash) continue;
    const { name, text } = skillOf({ ...shown, body: redactSecrets(read.body) });
    const file = join(folder, name, SKILL_FILE);
    const action = actionOn(file, id, text);
    report.skills.push({ name, action });
    if (action !== "created" && action !== "changed") continue;
    // Git is not to take up what is the user's own.
    if (!isShared) writeFileAtomic(join(folder, name, ".gitignore"), "*\n", { below: folder });
    writeFileAtomic(file, text, { below: folder });
  }
  for (const name of namesInFolder(folder)) {
    const { id, isEdited } = readSkill(readText(join(folder, name, SKILL_FILE)) ?? "");
    if (id === undefined || isEdited || living.has(id)) continue;
    for (const file of [SKILL_FILE, ".gitignore"]) removeFile(join(folder, name, file), { below: folder });
    if (namesInFolder(join(folder, name)).length === 0) rmdirSync(join(folder, name));
    report.skills.push({ name, action: "removed" });
  }
  return report;
}

function actionOn(file: string, id: string, text: string): SkillsReport["skills"][number]["action"] {
  const before = readText(file);
  if (before === text) return "unchanged";
  if (before === null) return statIfThere(file) ? "another's" : "created";
  const skill = readSkill(before);
  return skill.id !== id ? "another's" : skill.isEdited ? "edited" : "changed";
}
