import { plainHandle } from "../../memory/handle.ts";
import { cutShown } from "../../screening/cut-shown.ts";
import type { MemoryCard } from "../../memory/memory-card.ts";
import type { Problem } from "../../errors/problem.ts";

/** The names and ids that links may point to. */
export interface KnownHandles {
  names: ReadonlySet<string>;
  ids: ReadonlySet<string>;
}

/** What is wrong between the memories of one store: names and ids given twice, links to nothing. */
export function checkSiblings(
  cards: readonly MemoryCard[],
  known: KnownHandles,
  lineOf: (card: MemoryCard, key: string) => number,
): Problem[] {
  return [
    ...findTwins(cards, "name", lineOf),
    ...findTwins(cards, "id", lineOf),
    ...cards.flatMap((card) => findBrokenLinks(card, known, lineOf)),
  ];
}

/** Each memory that has the name or id of one before it, in the order of files. */
function findTwins(
  cards: readonly MemoryCard[],
  key: "name" | "id",
  lineOf: (card: MemoryCard, key: string) => number,
): Problem[] {
  const first = new Map<string, MemoryCard>();
  return cards.flatMap((card): Problem[] => {
    const twin = first.get(card[key]);
    if (!twin) {
      first.set(card[key], card);
      return [];
    }
    return [
      {
        file: card.file,
        line: lineOf(card, key),
        severity: "error",
        code: `duplicate-${key}`,
        message: `${key} "${card[key].slice(0, 80)}" is that of ${twin.file} as well`,
        remedy:
          key === "name"
            ? "rename one of the two, or merge them"
            : "delete the `id` of the copy: it gets one of its own",
      },
    ];
  });
}

function findBrokenLinks(
  card: MemoryCard,
  { names, ids }: KnownHandles,
  lineOf: (card: MemoryCard, key: string) => number,
): Problem[] {
  return card.links
    .filter(({ to }) => !ids.has(to) && !names.has(plainHandle(to)))
    .map(({ rel, to }) => ({
      file: card.file,
      line: lineOf(card, "links"),
      severity: "warning",
      code: "broken-link",
      message: `it ${rel === "related" ? "is related to" : rel} "${cutShown(to, 80)}", which is in no store here`,
      remedy: "mend the name or id, or remove the link",
    }));
}
