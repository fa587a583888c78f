import type { ForeignMemory, ForeignReading } from "../foreign-memory.ts";
import type { ForeignSource } from "../foreign-source.ts";
import { filesIn } from "../foreign-source.ts";
import type { ImportFormat } from "../import-format.ts";
import { splitFrontMatter } from "../plain-front-matter.ts";
import { listOf, textOf, timeOf } from "../record-fields.ts";
import { beginningOf, descriptionOf, typeOfStatement } from "../statement.ts";

/** claude-memory-compiler: an article a file, with its front matter, linked to others. */
export const COMPILER_FORMAT: ImportFormat = {
  name: "claude-memory-compiler",
  title: "knowledge of claude-memory-compiler",
  author: "tool",
  recognise: (source) => articlesOf(source).length > 0,
  read(source) {
    const reading: ForeignReading = { memories: [], leftOut: [] };
    for (const file of articlesOf(source)) addArticle(reading, source, file, () => "project");
    for (const file of source.files.filter((name) => /^(?:.*\/)?daily\/.*\.md$/.test(name)))
      reading.leftOut.push({
        place: file,
        what: file,
        reason: "a log of one day, of which the articles are made",
      });
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
        const { fields, body } = splitFrontMatter(source.read(file) ?? "");
        return "permalink" in fields || /^- \[[\w -]+\] \S/m.test(body);
      }),
  read(source) {
    const reading: ForeignReading = { memories: [], leftOut: [] };
    for (const file of filesIn(source, "", ".md")) {
      const { fields } = splitFrontMatter(source.read(file) ?? "");
      if (/session|checkpoint/i.test(textOf(fields, "type")))
        reading.leftOut.push({
          place: file,
          what: file,
          reason: "the record of one session: sessions are searched where they are kept",
        });
      else addArticle(reading, source, file, typeOfStatement);
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
    /mempalace|\bpalace\b|\bwings?\b/i.test(source.read("index.md") ?? ""),
  read(source) {
    const reading: ForeignReading = { memories: [], leftOut: [] };
    for (const file of source.files.filter((name) => /^[^/]+\/[^/]+\.md$/.test(name))) {
      const text = source.read(file) ?? "";
      const [wing = "", room = ""] = file.replace(/\.md$/, "").split("/");
      for (const [i, drawer] of drawersOf(splitFrontMatter(text).body).entries()) {
        if (drawer.length < 20) continue;
        reading.memories.push({
          key: `${file}\n${drawer}`,
          place: `${file} #${i + 1}`,
          project: wing,
          draft: {
            type: typeOfStatement(drawer),
            description: descriptionOf(drawer),
            body: drawer,
            tags: [wing, room].filter((tag) => tag !== ""),
          },
        });
      }
    }
    return reading;
  },
};

/** What was filed stands between rules or below headings of the second level on. */
function drawersOf(body: string): string[] {
  return body
    .split(/^(?:-{3,}|\*{3,})\s*$|^(?=#{2,6}\s)/m)
    .map((part) => part.replace(/^#{1,6}\s.*$/m, (heading) => heading.replace(/^#{1,6}\s+/, "")).trim())
    .filter((part) => part !== "" && !/^#\s/.test(part));
}

function articlesOf(source: ForeignSource): string[] {
  return source.files.filter((file) => /(?:^|\/)(?:concepts|connections|qa)\/[^/]+\.md$/.test(file));
}

function addArticle(
  reading: ForeignReading,
  source: ForeignSource,
  file: string,
  typeOf: (text: string) => string,
): void {
  const text = source.read(file);
  const { fields, body } = splitFrontMatter(text ?? "");
  const plain = body.trim();
  const title =
    typeof fields["title"] === "string" ? fields["title"].trim() : /^#\s+(.+)$/m.exec(plain)?.[1]?.trim();
  const said = plain.replace(/^#\s+.*\n+/, "");
  if (said === "") {
    reading.leftOut.push({ place: file, what: beginningOf(title ?? file), reason: "it has no text" });
    return;
  }
  const created = timeOf(fields["created"], fields["created_at"], fields["updated"]);
  const first = descriptionOf(said.replace(/^- \[[\w -]+\] /, "").replace(/^#{1,6}\s.*\n+/, ""));
  const description = title === undefined ? first : descriptionOf(`${title}: ${first}`);
  const memory: ForeignMemory = {
    key: file,
    place: file,
    draft: {
      type: typeOf(first),
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
  const names = [...text.matchAll(/\[\[([^\][|#\n]{1,80})/g)].map(([, name = ""]) =>
    name.trim().split("/").at(-1)!,
  );
  return [...new Set(names)].slice(0, 12).map((to) => ({ rel: "related", to }));
}
