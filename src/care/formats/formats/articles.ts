import type { ForeignMemory, ForeignReading, ForeignSource, ImportFormat } from "../import-format.ts";
import { filesIn, IS_SESSION, leaveOut } from "../import-format.ts";
import { listOf, splitFile, textOf, timeOf } from "../foreign-fields.ts";
import { ASSUMED, descriptionOf } from "../read-statements.ts";

/** claude-memory-compiler: an article a file, with its front matter, linked to others. */
export const COMPILER_FORMAT: ImportFormat = {
  name: "claude-memory-compiler",
  title: "knowledge of claude-memory-compiler",
  author: "tool",
  recognise: (source) => articlesOf(source).length > 0,
  read(source) {
    const reading: ForeignReading = { memories: [], leftOut: [] };
    for (const file of articlesOf(source)) addArticle(reading, source, file);
    for (const file of source.files.filter((name) => /^(?:.*\/)?daily\/.*\.md$/.test(name)))
      leaveOut(reading, file, file, "a log of one day, of which the articles are made");
    return reading;
  },
};

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
      else addArticle(reading, source, file);
    }
    return reading;
  },
};

/** MemPalace's markdown export: rooms of a wing, each with what was filed there. */
export const MEMPALACE_FORMAT: ImportFormat = {
  name: "mempalace",
  title: "markdown export of MemPalace",
  author: "tool",
  recognise: (source) =>
    source.files.includes("index.md") &&
    source.files.some((file) => /^[^/]+\/[^/]+\.md$/.test(file)) &&
    /^# Palace Export\b|^\| Wing \|/m.test(source.read("index.md") ?? ""),
  read(source) {
    const reading: ForeignReading = { memories: [], leftOut: [] };
    for (const file of source.files.filter((name) => /^[^/]+\/[^/]+\.md$/.test(name))) {
      const [wing = "", room = ""] = file.replace(/\.md$/, "").split("/");
      for (const { id, said, source: from, filed } of drawersOf(source.read(file) ?? "")) {
        const place = `${file} ${id}`;
        if (said.length < 20) {
          leaveOut(reading, place, said, "too short to say something alone");
          continue;
        }
        const created = timeOf(filed);
        reading.memories.push({
          key: id,
          place: from === "" ? place : `${place} (${from})`,
          project: wing,
          draft: {
            ...ASSUMED,
            description: descriptionOf(said),
            body: said,
            tags: [wing, room].filter((tag) => tag !== ""),
          },
          ...(created !== undefined && { created }),
        });
      }
    }
    return reading;
  },
};

/** What was filed: a heading with its id, the words as a quotation, then a table of where they come from. */
function drawersOf(text: string): { id: string; said: string; source: string; filed: string }[] {
  return text
    .replace(/\r\n?/g, "\n")
    .split(/^## /m)
    .slice(1)
    .map((part) => {
      const [id = "", ...lines] = part.split("\n");
      // The words may hold anything, also what looks like a table: each of their lines is quoted.
      const said = lines.filter((line) => line.startsWith(">")).map((line) => line.replace(/^> ?/, ""));
      const field = (name: string): string =>
        lines
          .find((line) => line.startsWith(`| ${name} |`))
          ?.split("|")[2]
          ?.trim() ?? "";
      const [source, filed] = [field("Source"), field("Filed")];
      return {
        id: id.trim(),
        said: said.join("\n").trim(),
        source: source === "unknown" ? "" : source,
        filed,
      };
    });
}

function articlesOf(source: ForeignSource): string[] {
  return source.files.filter((file) => /(?:^|\/)(?:concepts|connections|qa)\/[^/]+\.md$/.test(file));
}

function addArticle(reading: ForeignReading, source: ForeignSource, file: string): void {
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
  const created = timeOf(fields["created"], fields["created_at"], fields["filed"], fields["updated"]);
  // The first thing said: a paragraph, or an observation without its category.
  const opening = said.replace(/^#{1,6}\s.*\n+/, "");
  const first = descriptionOf(
    /^[-*] /.test(opening) ? opening.split("\n", 1)[0]!.replace(/^[-*] \[[\w -]+\] /, "") : opening,
  );
  const description = title === undefined ? first : descriptionOf(`${title}: ${first}`);
  const memory: ForeignMemory = {
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
  };
  reading.memories.push(memory);
}

/** `[[wikilinks]]` to other articles. */
function linksOf(text: string): { rel: "related"; to: string }[] {
  const names = [...text.matchAll(/\[\[([^\][|#\n]{1,80})/g)]
    .map(([, name = ""]) => name.trim())
    // A log of one day is where it comes from, not what it speaks of.
    .filter((name) => !name.startsWith("daily/"))
    .map((name) => name.split("/").at(-1)!);
  return [...new Set(names)].slice(0, 12).map((to) => ({ rel: "related", to }));
}
