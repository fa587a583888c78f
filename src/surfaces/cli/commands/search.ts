import type { SearchHit } from "../../../heed.ts";
import type { Command } from "../arguments/command.ts";
import { plural } from "../output/counted.ts";
import { FILTER_OPTIONS, readFilter } from "../arguments/filter-options.ts";
import type { Text } from "../output/styled-text.ts";
import { oneLine, styled } from "../output/styled-text.ts";
import { verdictWords } from "../output/verdict-lines.ts";

/** `heed search` */
export const command: Command = {
  name: "search",
  summary: "find memories by words",
  arguments: [{ name: "QUERY", isRest: true }],
  options: {
    ...FILTER_OPTIONS,
    limit: { value: "N", short: "n", help: "at most this many hits (1 to 100, default 10)" },
    related: { help: "add the memories that hits are linked with" },
    explain: { help: "list the score terms of each hit" },
  },
  details: [
    'Words, "phrases" and prefixes*. Scores compare within one answer only.',
    "In a pipe: one hit a line, score, type, name and description separated by tabs, and last what is not fresh about it.",
  ],
  examples: ["heed search pre-commit hook", "heed search 'deploy* \"release branch\"' --explain"],
  async run({ args, out, open }) {
    const limit = args.count("limit", { min: 1, max: 100 });
    const answer = await open().memories.search({
      query: args.positionals.join(" "),
      ...readFilter(args, open()),
      ...(limit !== undefined && { limit }),
      ...(args.has("related") && { withRelated: true }),
      ...(args.has("explain") && { isExplained: true }),
    });
    out.answer(answer, () => {
      if (!out.isTerminal)
        return answer.hits.flatMap((hit) => [...out.rows([], [pipedRow(hit)]), ...termLines(hit)]);
      return [
        ...answer.hits.flatMap(hitLines),
        styled(
          "dim",
          `${plural(answer.hits.length, "hit", "hits")} among ${plural(answer.collectionSize, "memory", "memories")}` +
            (answer.source === "scan" ? ", by scanning the files (heed reindex builds the index)" : ""),
        ),
      ];
    });
    if (answer.hits.length === 0) {
      const filter = readFilter(args, open());
      const others =
        filter.isScopedHere === false
          ? 0
          : (
              await open().memories.search({
                query: args.positionals.join(" "),
                ...filter,
                isScopedHere: false,
                limit: 100,
              })
            ).hits.length;
      if (others > 0)
        out.note(`nothing that holds here; ${plural(others, "hit", "hits")} elsewhere: --all shows them`);
      else if (!out.isTerminal) out.note("no hits");
    }
    if (answer.isCut) out.note(styled("yellow", "The search was cut by its deadline: hits may be missing."));
  },
};

/** Four columns, and a fifth where something speaks against the memory. */
function pipedRow(hit: SearchHit): string[] {
  const { score, card, verdict } = hit;
  const row = [score.toFixed(2), card.type, card.name, card.description];
  return verdict.standing === "fresh" || !isTelling(hit) ? row : [...row, verdict.words];
}

/** What is never verified and claims nothing is most of what there is: its date says enough. */
function isTelling({ card, verdict }: SearchHit): boolean {
  return verdict.standing !== "check" || card.claims.length > 0;
}

function hitLines(hit: SearchHit): Text[] {
  const { card, score, snippet, relatedTo, verdict } = hit;
  return [
    [
      styled("bold", card.name),
      "  ",
      styled("cyan", card.type),
      styled("dim", `  ${score.toFixed(2)}`),
      relatedTo ? styled("dim", `  (${relatedTo.rel} ${relatedTo.name})`) : "",
    ],
    `  ${oneLine(card.description)}`,
    ...(isTelling(hit) ? [["  ", verdictWords(verdict)]] : []),
    ...(snippet === "" ? [] : [styled("dim", `  ${oneLine(snippet)}`)]),
    ...termLines(hit),
    "",
  ];
}

function termLines({ terms = [] }: SearchHit): Text[] {
  return terms.map(({ term, field, frequency, idf, contribution }) =>
    styled(
      "dim",
      `    ${contribution.toFixed(2)}  ${term} in ${field}: ${frequency} ×, idf ${idf.toFixed(2)}`,
    ),
  );
}
