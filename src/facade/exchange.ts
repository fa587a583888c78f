import type { ExportRequest } from "../care/exchange/export-memories.ts";
import type { ImportRequest } from "../care/exchange/import-plan.ts";
import type { SkillsRequest } from "../care/exchange/sync-skills.ts";
import { callback, data, gatedWord, optional, text, described, shape } from "../here/schema.ts";
import { optionalText, optionalFlag, isApplied, actor, texts } from "./arguments.ts";
import { method } from "../here/call.ts";

const source = {
  from: text("the path of a file or folder"),
  project: described(optionalText, "the name of this repository in the records of the other tool"),
  isEverywhere: described(optionalFlag, "for every repository, whatever project it names"),
  type: described(optionalText, "what all of it is: feedback (rules), project (facts) or another type"),
  types: described(optional(data), "what each statement is, by its place; default: left"),
  store: described(
    optional(gatedWord(["user", "project", "team"] as const)),
    "the store that takes it; default: as for a write",
  ),
};
const folder = optional(text("the path of a folder"));
const FORMATS = ["files", "json"] as const;
const exported = optional(
  shape<ExportRequest>({
    format: described(optional(gatedWord(FORMATS)), "default: files"),
    types: described(texts, "only these types; default: all but episodes"),
    stores: described(texts, "user, project, attached, team; default: user and project"),
  }),
);

const importMemories = () => import("../care/exchange/import-memories.ts");
const exportMemories = () => import("../care/exchange/export-memories.ts");

export const EXCHANGE = {
  /** Names the memories that other tools keep for this directory and user, with the command that takes each over. */
  sources: method({}, () => import("../care/exchange/find-foreign-stores.ts"), "findForeignStores"),
  /**
   * Tells what it would take of another tool's file or folder, and why it would leave the rest; takes it with `isApplied`,
   * each statement through the gates. What was imported before is found again.
   *
   * @throws HeedError `invalid-input` for a path with nothing at it, a source of no known format, or a database that this
   *   Node cannot read; `no-store`.
   */
  importFrom: method(
    { request: shape<ImportRequest>({ ...source, isApplied }), actor },
    importMemories,
    "importMemories",
  ),
  /**
   * Keeps the approved procedures that hold here as Agent Skills, `NAME/SKILL.md`, in a folder that clients read.
   *
   * @throws HeedError `invalid-input` for what is no path of a folder.
   */
  syncSkills: method(
    { request: optional(shape<SkillsRequest>({ folder, isPersonal: optionalFlag })) },
    () => import("../care/exchange/sync-skills.ts"),
    "syncSkills",
  ),
  /**
   * Gives memories in a form that others read. Writes nothing. With `take` it hands over each piece as it is made, which
   * takes no more room for many memories, and its answer names no files.
   *
   * @throws HeedError `invalid-input` for an invalid form.
   */
  exportAs: method({ request: exported, take: optional(callback) }, exportMemories, "exportMemories"),
};
