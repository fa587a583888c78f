import { createHash } from "node:crypto";
import { readSections } from "../../memory/codec/sections.ts";
import { renderInline } from "../../memory/codec/encode-memory.ts";
import { asRecord } from "../../memory/codec/read-fields.ts";
import { timeOfId } from "../../memory/handle.ts";
import { LIMITS } from "../../memory/limits.ts";
import type { Memory } from "../../memory/memory.ts";
import { type Fields, splitFile, textOf } from "../foreign-fields.ts";
import { type ForeignMemory, type ForeignReading, type ImportFormat, leaveOut } from "../import-format.ts";

/** Bounds of the Agent Skills format (agentskills.io/specification). */
const MAX_NAME_CHARS = 64;
const MAX_DESCRIPTION_CHARS = 1024;

/** The file in a skill's folder that clients read. */
export const SKILL_FILE = "SKILL.md";

/** A procedure as an Agent Skill. */
interface Skill {
  /** Its folder, which is its name. */
  name: string;
  /** The text of its `SKILL.md`. */
  text: string;
}

/** A procedure as the file that clients load by themselves: the front matter says when, the text is the memory's own. */
export function skillOf({
  id,
  name,
  description,
  body,
}: Pick<Memory, "id" | "name" | "description" | "body">): Skill {
  // A file may say any name: here it becomes a path.
  const plain = name
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-");
  const folder = plain.slice(0, MAX_NAME_CHARS).replace(/^-+|-+$/g, "") || id.toLowerCase();
  const when = readSections(body).sections["how-to-apply"]?.replace(/\s+/g, " ") ?? "";
  const whole = when === "" ? description : `${description.replace(/[.!?]?$/, ".")} ${when}`;
  const said =
    whole.length <= MAX_DESCRIPTION_CHARS ? whole : `${whole.slice(0, MAX_DESCRIPTION_CHARS - 1)}…`;
  const text = body.trim();
  const lines = [
    "---",
    `name: ${folder}`,
    `description: ${renderInline(said)}`,
    "metadata:",
    `  heed: ${id} ${digestOf(folder, said, text)}`,
    "---",
    text,
    "",
  ];
  return { name: folder, text: lines.join("\n") };
}

function digestOf(name: string, description: string, body: string): string {
  return createHash("sha256").update([name, description, body].join("\n")).digest("hex").slice(0, 12);
}

/** Whether heed wrote a `SKILL.md`: of which memory, and whether somebody has edited it since; undefined for another's. */
export function markOfSkill(text: string): { id: string; isEdited: boolean } | undefined {
  const { fields, body } = splitFile(text);
  const [id = "", digest] = textOf(asRecord(fields["metadata"]) ?? {}, "heed").split(" ");
  if (timeOfId(id) === undefined) return undefined;
  return {
    id,
    isEdited: digest !== digestOf(textOf(fields, "name"), textOf(fields, "description"), body.trim()),
  };
}

/** Agent Skills: one folder a skill, or a folder of these. */
export const SKILL_FORMAT: ImportFormat = {
  name: "agent-skills",
  title: "Agent Skills (SKILL.md)",
  author: "model",
  recognise: ({ files }) => files.some((file) => isSkillFile(file)),
  read(source) {
    const reading: ForeignReading = { memories: [], leftOut: [] };
    for (const file of source.files.filter(isSkillFile)) {
      const text = source.read(file);
      const { fields, body } = splitFile(text ?? "");
      const [name, description] = [
        textOf(fields, "name"),
        textOf(fields, "description").replace(/\s+/g, " "),
      ];
      if (name === "" || description === "" || body.trim() === "") {
        leaveOut(reading, file, text ?? file, "it lacks a name, a description or a text");
        continue;
      }
      reading.memories.push(
        foreignOf(file, { name, description, body: body.trim() }, markOfSkill(text ?? "")?.id),
      );
      leaveOutRest(reading, file, fields, source.files);
    }
    return reading;
  },
};

function isSkillFile(file: string): boolean {
  return /^(?:[^/]+\/)?SKILL\.md$/.test(file);
}

function foreignOf(
  file: string,
  skill: Pick<Memory, "name" | "description" | "body">,
  id: string | undefined,
): ForeignMemory {
  const { name, description, body } = skill;
  const when = readSections(body).sections["how-to-apply"]?.replace(/\s+/g, " ");
  const isTail = when !== undefined && description.endsWith(` ${when}`);
  const own = isTail ? description.slice(0, -when.length - 1) : description;
  const isLong = own.length > LIMITS.descriptionChars;
  // What is too long for a line of the map is kept whole below it.
  const line = isLong ? `${own.slice(0, LIMITS.descriptionChars - 1).replace(/\s+\S*$/, "")}…` : own;
  const text = isLong && when === undefined ? `${body}\n\n**How to apply:** ${own}` : body;
  return {
    key: name,
    place: file,
    draft: { type: "procedure", name, description: line, body: text },
    ...(id !== undefined && { id }),
  };
}

/** What a skill has besides its text: heed runs nothing and gives no permissions. */
function leaveOutRest(reading: ForeignReading, file: string, fields: Fields, files: readonly string[]): void {
  const folder = file.slice(0, -SKILL_FILE.length);
  const others = files.filter((other) => other !== file && folder !== "" && other.startsWith(folder));
  if (others.length > 0)
    leaveOut(
      reading,
      folder,
      others.join(", "),
      "files beside SKILL.md stay where they are: heed keeps text alone",
    );
  if (fields["allowed-tools"] !== undefined)
    leaveOut(reading, file, "allowed-tools", "heed gives a skill no permissions");
}
