import type { SearchHit, SearchRequest } from "../../../heed.ts";
import { type CommandSpec, fieldsOf, limitTo, optionsFor } from "../arguments/command.ts";
import { FILTER_OPTIONS, readFilter } from "../arguments/memory-options.ts";
import { type Text, bold, cyan, dim, oneLine, plural, yellow } from "../output/output.ts";
import { verdictWords } from "../terminal/answers.ts";

const search: CommandSpec = {
  arguments: [{ name: "QUERY", isRest: true }],
  options: {
    ...FILTER_OPTIONS,
    limit: limitTo(100, 10, "at most this many hits"),
    ...optionsFor(fieldsOf("memories.search", "request"), { explain: { sets: "isExplained" } }),
  },
  details: [
    'Words, "phrases" and prefixes*. Scores compare within one answer only.',
    "In a pipe: one hit a line, score, type, name and statement separated by tabs, then any warning that it may be out of date.",
  ],
  examples: ["heed search pre-commit hook", "heed search 'deploy* \"release branch\"' --explain"],
  json: '{"hits": [{"metadata", "score", "snippet", "verdict", ...}], "collectionSize", "isCut"}',
  async run({ args, out, open, actor: reader }) {
    const { memories } = open();
    const request: SearchRequest = { query: args.positionals.join(" "), reader, ...readFilter(args, open()) };
    const answer = await memories.search(request);
    const { hits, collectionSize } = answer;
    out.answer(answer, () => {
      if (!out.isTerminal)
        return hits.flatMap((hit) => [...out.rows([], [pipedRow(hit)]), ...termLines(hit)]);
      const among = plural(collectionSize, "memory", "memories");
      return [...hits.flatMap(hitLines), dim(`${plural(hits.length, "hit")} among ${among}`)];
    });
    if (hits.length === 0) {
      const elsewhere = { ...request, isScopedHere: false, limit: 100 };
      const others = args.has("all") ? 0 : (await memories.search(elsewhere)).hits.length;
      if (others > 0) out.note(`no hits here; ${plural(others, "hit")} elsewhere: --all shows them`);
      else if (!out.isTerminal) out.note("no hits");
    }
    if (answer.isCut) out.note(yellow("The search was cut off by its deadline: hits may be missing."));
  },
};

function pipedRow(hit: SearchHit): string[] {
  const { score, metadata, verdict } = hit;
  const row = [score.toFixed(2), metadata.type, metadata.name, metadata.statement];
  return verdict.standing === "fresh" || !isInformative(hit) ? row : [...row, verdict.words];
}

/** Most memories were never verified and have no claims: for those the date says enough. */
function isInformative({ metadata, verdict }: SearchHit): boolean {
  return verdict.standing !== "check" || metadata.claims.length > 0 || verdict.mark !== "";
}

function hitLines(hit: SearchHit): Text[] {
  const { metadata, score, snippet, verdict } = hit;
  return [
    [
      bold(metadata.name),
      "  ",
      cyan(metadata.type),
      dim(`  ${score.toFixed(2)}`),
      metadata.supersededBy === undefined ? "" : yellow(`  superseded by ${metadata.supersededBy}`),
    ],
    `  ${oneLine(metadata.statement)}`,
    ...(isInformative(hit) ? [["  ", verdictWords(verdict)]] : []),
    ...(snippet === "" ? [] : [dim(`  ${oneLine(snippet)}`)]),
    ...termLines(hit),
    "",
  ];
}

function termLines({ terms = [] }: SearchHit): Text[] {
  const parts = terms.map(
    ({ term, field, contribution }) => `${contribution.toFixed(2)} ${term} in ${field}`,
  );
  return parts.length === 0 ? [] : [dim(`    ${parts.join(", ")}`)];
}

export const commands: Readonly<Record<string, CommandSpec>> = { search };
