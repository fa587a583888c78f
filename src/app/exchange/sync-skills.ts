import { rmdirSync } from "node:fs";
import { join } from "node:path";
import { markOfSkill, SKILL_FILE, skillOf } from "../../exchange/formats/agent-skills.ts";
import { needsApproval } from "../../memory/memory-type.ts";
import { readText, removeFile, writeFileAtomic } from "../../platform/atomic-file.ts";
import { namesInFolder, statIfThere } from "../../platform/regular-file.ts";
import type { SkillsReport, SkillsRequest, SyncedSkill } from "../api/exchange-reports.ts";
import type { Place } from "../place/place.ts";
import { listMemories } from "../reading/find-memories.ts";
import { showMemory } from "../reading/show-memory.ts";

/** Keeps git from taking up what is the user's own. */
const IGNORE_FILE = ".gitignore";

/**
 * Keeps the procedures that hold here as Agent Skills in a folder that clients read: what the user has approved, as they
 * approved it. A skill of somebody else's, and one that was edited by hand, stays as it is; one whose procedure is gone
 * goes. No link below the folder is followed: a repository may have laid one there.
 */
export async function syncSkills(place: Place, { folder, isPersonal }: SkillsRequest): Promise<SkillsReport> {
  const types = place.types.all().flatMap((policy) => (needsApproval(policy) ? [policy.name] : []));
  const known = await listMemories(place, { types, isScopedHere: false });
  const living = new Set(known.flatMap(({ id, status }) => (status === "superseded" ? [] : [id])));
  const skills: SyncedSkill[] = [];
  for (const { id, storeId, whyData, status, flags } of await listMemories(place, { types })) {
    const isShared = place.stores.some((store) => store.id === storeId && store.kind === "project");
    const isApproved = whyData === undefined && flags === undefined && status === "confirmed";
    if (!isApproved || !(isShared || isPersonal === true)) continue;
    const { metadata, body } = await showMemory(place, id, { store: storeId });
    const { name, text } = skillOf({ ...metadata, body });
    const done = keepSkill(join(folder, name, SKILL_FILE), id, text);
    if (!isShared && (done.action === "created" || done.action === "changed"))
      writeFileAtomic(join(folder, name, IGNORE_FILE), "*\n", { below: folder });
    if (done.action === "created" || done.action === "changed")
      writeFileAtomic(join(folder, name, SKILL_FILE), text, { below: folder });
    skills.push({ name, ...done });
  }
  for (const name of namesInFolder(folder)) {
    const mark = markOfSkill(readText(join(folder, name, SKILL_FILE)) ?? "");
    if (!mark || mark.isEdited || living.has(mark.id)) continue;
    for (const file of [SKILL_FILE, IGNORE_FILE]) removeFile(join(folder, name, file), { below: folder });
    if (namesInFolder(join(folder, name)).length === 0) rmdirSync(join(folder, name));
    skills.push({ name, action: "removed" });
  }
  return { folder, skills };
}

function keepSkill(file: string, id: string, text: string): Omit<SyncedSkill, "name"> {
  const before = readText(file);
  if (before === text) return { action: "unchanged" };
  if (before === null)
    return statIfThere(file) ? { action: "left", why: "it is a link or no file" } : { action: "created" };
  const mark = markOfSkill(before);
  if (mark?.id !== id) return { action: "left", why: "another skill has its name" };
  if (mark.isEdited) return { action: "left", why: "it was edited by hand; heed edit changes the procedure" };
  return { action: "changed" };
}
