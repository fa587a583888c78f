import { asRecord } from "../../../machine/read-fields.ts";
import type { ForeignMemory, ForeignSource, ImportFormat } from "../import-format.ts";
import { type Fields, listOf, textOf } from "../foreign-fields.ts";
import { ASSUMED, descriptionOf } from "../read-statements.ts";

/** server-memory of the MCP project: entities with observations, and relations between them, a JSON record a line. */
export const SERVER_MEMORY_FORMAT: ImportFormat = {
  name: "server-memory",
  title: "knowledge graph of server-memory (JSON lines)",
  author: "model",
  recognise: (source) =>
    source.isFile && /\.jsonl?$/i.test(source.name) && linesOf(source).some((line) => isGraphLine(line)),
  read(source) {
    const lines = linesOf(source);
    const relations = new Map<string, Fields[]>();
    for (const line of lines) {
      if (line["type"] !== "relation") continue;
      const from = textOf(line, "from");
      relations.set(from, [...(relations.get(from) ?? []), line]);
    }
    const memories = lines
      .filter((line) => line["type"] === "entity")
      .flatMap((entity): ForeignMemory[] => {
        const name = textOf(entity, "name");
        const said = listOf(entity["observations"]);
        const related = relations.get(name) ?? [];
        const lines = [
          ...said,
          ...related.map(
            (relation) => `${name} ${textOf(relation, "relationType")} ${textOf(relation, "to")}`,
          ),
        ];
        if (lines.length === 0) return [];
        const kind = textOf(entity, "entityType");
        const description = descriptionOf(`${name}: ${lines[0]}`);
        return [
          {
            key: name,
            place: `entity ${name}`,
            draft: {
              ...(/^(?:user|person|me)$/i.test(kind) ? { type: "user" } : ASSUMED),
              name,
              description,
              body:
                lines.length === 1
                  ? `${name}: ${lines[0]}`
                  : `${name}:\n${lines.map((line) => `- ${line}`).join("\n")}`,
              source: "observed",
              ...(kind !== "" && { tags: [kind] }),
              links: related.slice(0, 12).map((relation) => ({ rel: "related", to: textOf(relation, "to") })),
            },
          },
        ];
      });
    const empty = lines.filter((line) => line["type"] === "entity").length - memories.length;
    return {
      memories,
      leftOut:
        empty === 0
          ? []
          : [{ place: source.name, what: `${empty} entities`, reason: "nothing is said of them" }],
    };
  },
};

function isGraphLine(line: Fields): boolean {
  return (
    (line["type"] === "entity" && Array.isArray(line["observations"])) ||
    (line["type"] === "relation" && "relationType" in line)
  );
}

function linesOf(source: ForeignSource): Fields[] {
  const lines = (source.read(source.name) ?? "").split("\n");
  return lines.map(recordOfLine).filter((record) => record !== undefined);
}

function recordOfLine(line: string): Fields | undefined {
  if (line.trim() === "") return undefined;
  try {
    return asRecord(JSON.parse(line));
  } catch {
    return undefined;
  }
}
