import { createHash } from "node:crypto";
import { renderInline } from "../../memory/codec/encode-memory.ts";
import { asRecord } from "../../machine/read-fields.ts";
import { readSections } from "../../memory/codec/sections.ts";
import { timeOfId } from "../../memory/handle.ts";
import { LIMITS } from "../../memory/limits.ts";
import type { Memory } from "../../memory/memory.ts";
import { foldText } from "../../search/index/analysis/tokenize.ts";
import { type ImportFormat, splitFile, textOf } from "./import-format.ts";
import { statementOf } from "./read-statements.ts";

/** Bounds of the Agent Skills format (agentskills.io/specification). */
const MAX_NAME_CHARS = 64;
const MAX_DESCRIPTION_CHARS = 1024;

/** The file in a skill's folder that clients read. */
export const SKILL_FILE = "SKILL.md";

type Said = Pick<Memory, "name" | "statement" | "body">;

/** A procedure as an Agent Skill, whose name is its folder's: its front matter says when, its text is the memory's own. */
export function skillOf({ id, ...said }: Said & Pick<Memory, "id">): { name: string; text: string } {
  // Marks of other scripts are letters' own.
  const words = said.name
    .replace(/\p{Script=Latin}\p{M}*/gu, (letter) => foldText(letter))
    .normalize("NFKC")
    .toLowerCase()
    .match(/[\p{L}\p{N}\p{M}]+/gu) ?? [id.toLowerCase()];
  // A file may say any name: here it becomes a path.
  const name = words.join("-").slice(0, MAX_NAME_CHARS).replace(/-$/, "");
  const statement = `${said.statement}${whenIn(said.body)}`.slice(0, MAX_DESCRIPTION_CHARS);
  const body = said.body.trim();
  const mark = `${id} ${digestOf({ name, statement, body })}`;
  const head = `name: ${name}\ndescription: ${renderInline(statement)}\nmetadata:\n  heed: ${mark}`;
  return { name, text: `---\n${head}\n---\n${body}\n` };
}

function whenIn(body: string): string {
  const when = readSections(body).sections["how-to-apply"];
  return when === undefined ? "" : ` (${when.replace(/\s+/g, " ")})`;
}

function digestOf({ name, statement, body }: Said): string {
  return createHash("sha256").update(`${name}\n${statement}\n${body}`).digest("hex").slice(0, 12);
}

/** What a `SKILL.md` says; where heed wrote it, of which memory, and whether somebody has edited it since. */
export function readSkill(text: string): Said & { id?: string; isEdited: boolean } {
  const { fields, body } = splitFile(text);
  const said = {
    name: textOf(fields, "name"),
    statement: textOf(fields, "description"),
    body: body.trim(),
  };
  const [id = "", digest] = textOf(asRecord(fields["metadata"]) ?? {}, "heed").split(" ");
  return { ...said, ...(timeOfId(id) !== undefined && { id }), isEdited: digest !== digestOf(said) };
}

/** Agent Skills: one folder, or a folder of these. A skill's text alone is read: heed runs nothing and permits nothing. */
export const SKILL_FORMAT: ImportFormat = {
  name: "agent-skills",
  title: "Agent Skills (SKILL.md)",
  recognise: ({ files }) => files.some(isSkillFile),
  read(reading) {
    for (const file of reading.source.files.filter(isSkillFile)) {
      const read = reading.text(file);
      if (read === undefined) continue;
      const { id, name, statement: given, body } = readSkill(read);
      const statement = given.replace(/\s+/g, " ");
      if (name === "" || statement === "" || body === "") {
        reading.leave(file, file, "it lacks a name, a description or a text");
        continue;
      }
      const when = whenIn(body);
      const own = when !== "" && statement.endsWith(when) ? statement.slice(0, -when.length) : statement;
      // What is too long for a line of the map is kept whole below it.
      const isLong = own.length > LIMITS.statementChars;
      const draft = { type: "procedure", name, statement: isLong ? statementOf(own) : own };
      const text = isLong && when === "" ? `${body}\n\n**How to apply:** ${own}` : body;
      const memory = { key: name, place: file, draft: { ...draft, body: text } };
      reading.memories.push({ ...memory, ...(id !== undefined && { id }) });
    }
  },
};

function isSkillFile(file: string): boolean {
  return /^(?:[^/]+\/)?SKILL\.md$/.test(file);
}
