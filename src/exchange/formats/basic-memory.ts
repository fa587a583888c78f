import {
  type ForeignReading,
  type ForeignSource,
  type ImportFormat,
  filesIn,
  IS_SESSION,
  leaveOut,
} from "../import-format.ts";
import { listOf, splitFile, textOf, timeOf } from "../foreign-fields.ts";
import { ASSUMED, descriptionOf } from "../read-statements.ts";

/** basic-memory: a note a file; its observations are statements, its relations links. */
export const BASIC_MEMORY_FORMAT: ImportFormat = {
  name: "basic-memory",
  title: "notes of basic-memory",
  author: "model",
  recognise: (source) =>
    filesIn(source, "", ".md")
      .slice(0, 20)
      .some((file) => {
        const { fields, body } = splitFile(source.read(file) ?? "");
        return "permalink" in fields || /^- \[[\w -]+\] \S/m.test(body);
      }),
  read(source) {
    const reading: ForeignReading = { memories: [], leftOut: [] };
    for (const file of filesIn(source, "", ".md")) {
      const { fields } = splitFile(source.read(file) ?? "");
      if (/session|checkpoint/i.test(textOf(fields, "type"))) leaveOut(reading, file, file, IS_SESSION);
      else addNote(reading, source, file);
    }
    return reading;
  },
};

function addNote(reading: ForeignReading, source: ForeignSource, file: string): void {
  const text = source.read(file);
  const { fields, body } = splitFile(text ?? "");
  const plain = body.trim();
  const title =
    typeof fields["title"] === "string" ? fields["title"].trim() : /^#\s+(.+)$/m.exec(plain)?.[1]?.trim();
  const said = plain.replace(/^#\s+.*\n+/, "");
  if (said === "") {
    leaveOut(reading, file, title ?? file, "it has no text");
    return;
  }
  const created = timeOf(fields["created"], fields["created_at"], fields["updated"]);
  // The first thing said: a paragraph, or an observation without its category.
  const opening = said.replace(/^#{1,6}\s.*\n+/, "");
  const first = descriptionOf(
    /^[-*] /.test(opening) ? opening.split("\n", 1)[0]!.replace(/^[-*] \[[\w -]+\] /, "") : opening,
  );
  const description = title === undefined ? first : descriptionOf(`${title}: ${first}`);
  reading.memories.push({
    key: file,
    place: file,
    draft: {
      ...ASSUMED,
      ...(title !== undefined && { name: title }),
      description,
      body: said,
      tags: listOf(fields["tags"]).slice(0, 12),
      aliases: listOf(fields["aliases"]).slice(0, 12),
      links: linksOf(said),
    },
    ...(created !== undefined && { created }),
  });
}

/** `[[wikilinks]]` to other notes. */
function linksOf(text: string): { rel: "related"; to: string }[] {
  const names = [...text.matchAll(/\[\[([^\][|#\n]{1,80})/g)].map(([, name = ""]) =>
    name.trim().split("/").at(-1)!,
  );
  return [...new Set(names)].slice(0, 12).map((to) => ({ rel: "related", to }));
}
