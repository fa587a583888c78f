import { describe, expect, it } from "vitest";
import { memoryIndex } from "../../src/search/index/index-writer.ts";
import { search } from "../../src/search/search.ts";
import { type SearchQuery, phraseTest } from "../../src/search/search-query.ts";
import { sampleDocument } from "./index/sample-documents.ts";

const documents = [
  sampleDocument("dont-bypass-precommit-hooks", "Never use --no-verify when a pre-commit hook fails.", {
    type: "feedback",
    statement: "never bypass the pre-commit hooks",
    trigger: ["no-verify", "hook-failed"],
    tags: ["git", "hooks"],
    salience: "high",
    links: [{ rel: "related", to: "git-safe-commit" }],
  }),
  sampleDocument("git-safe-commit", "A wrapper that commits only the scope that is named.", {
    statement: "git-safe-commit commits a dirty worktree safely",
    tags: ["git"],
    created: "2026-05-01T00:00:00Z",
  }),
  sampleDocument(
    "migration-order",
    "Migrations run before the deploy; a migrated table is locked for a minute.",
    {
      statement: "database migrations run in the deploy job",
      scope: { repo: "github.com/acme/api", paths: [] },
      created: "2026-01-01T00:00:00Z",
    },
  ),
  sampleDocument(
    "mongo-duplicate-key",
    "E11000 duplicate key: the index on users.email in src/db/users.ts.",
    { type: "solution", statement: "duplicate key error on import", status: "superseded" },
  ),
  sampleDocument("kyoto-office", "京都オフィスの会議室は三階にあります", {
    type: "reference",
    statement: "会議室の場所",
  }),
];
const store = memoryIndex(documents);

function namesOf(query: SearchQuery): string[] {
  const isSaid = phraseTest(query.text);
  const names = search([store], query).hits.map((hit) => hit.metadata.name);
  return names.filter(
    (name) => isSaid?.(documents.find(({ metadata }) => metadata.name === name)!) !== false,
  );
}

describe("the order a person expects", () => {
  it.each([
    ["can I skip the precommit hook", "dont-bypass-precommit-hooks"],
    ["safe commit of a dirty worktree", "git-safe-commit"],
    ['"duplicate key"', "mongo-duplicate-key"],
    ["migrati*", "migration-order"],
    ["dupl*", "mongo-duplicate-key"],
  ])("%s -> %s", (text, first) => {
    expect(namesOf({ text })[0]).toBe(first);
  });

  it.each([
    ['"key duplicate"', []],
    ['"hooks pre-commit"', []],
    ["commit -wrapper", ["dont-bypass-precommit-hooks"]],
    ["zebra", []],
    ["!!!", []],
  ])("%s finds %j", (text, expected) => {
    expect(namesOf({ text })).toEqual(expected);
  });
});

describe("filters", () => {
  it.each<[string, Partial<SearchQuery>, string[]]>([
    ["type", { types: ["reference"] }, ["kyoto-office"]],
    ["status", { statuses: ["superseded"] }, ["mongo-duplicate-key"]],
    ["all tags, any case", { tags: ["GIT", "hooks"] }, ["dont-bypass-precommit-hooks"]],
    ["metadata", { admits: (metadata) => metadata.name.startsWith("k") }, ["kyoto-office"]],
  ])("by %s", (_name, filter, expected) => {
    expect(namesOf({ text: "", ...filter })).toEqual(expected);
  });

  it("narrow the hits and leave the scores alone", () => {
    const [all] = search([store], { text: "migration" }).hits;
    const [filtered] = search([store], { text: "migration", types: ["project"], admits: () => true }).hits;
    expect(filtered).toEqual(all);
  });

  it("list everything by salience, then age, then name when nothing is asked", () => {
    expect(namesOf({ text: " " })).toEqual([
      "dont-bypass-precommit-hooks",
      "git-safe-commit",
      "migration-order",
      "kyoto-office",
      "mongo-duplicate-key",
    ]);
  });

  it("look further while a filter on cards turns the best away", () => {
    const many = memoryIndex(
      Array.from({ length: 3000 }, (_, place) =>
        sampleDocument(`memory-${place}`, `alpha ${"beta ".repeat(place % 50)}`),
      ),
    );
    const admits = ({ name }: { name: string }): boolean => name === "memory-49";
    const { hits } = search([many], { text: "alpha", admits });
    expect(hits.map((hit) => hit.metadata.name)).toEqual(["memory-49"]);
  });
});

describe("BM25F", () => {
  const metals = [
    sampleDocument("one", "zinc zinc copper", { statement: "zinc" }),
    sampleDocument("two", "copper tin lead iron zinc"),
    sampleDocument("three", "tin"),
  ];

  it("agrees with the formula worked out by hand", () => {
    const [first] = search([memoryIndex(metals)], { text: "zinc", isExplained: true }).hits;
    const idf = Math.log(1 + (3 - 2 + 0.5) / (2 + 0.5));
    // Body: 3 of 3 words on average; description: 1 against an average of 1/3.
    const inBody = (0.4 * 2) / (1 - 0.75 + (0.75 * 3) / 3);
    const inDescription = (2 * 1) / (1 - 0.5 + (0.5 * 1) / (1 / 3));
    const total = inBody + inDescription;
    expect(first?.metadata.name).toBe("one");
    expect(first?.score).toBeCloseTo((idf * total) / (1.2 + total), 12);
    expect(first?.terms?.map(({ term, field, frequency }) => [term, field, frequency])).toEqual([
      ["zinc", "statement", 1],
      ["zinc", "body", 2],
    ]);
    const sum = (first?.terms ?? []).reduce((total, term) => total + term.contribution, 0);
    expect(sum).toBeCloseTo(first?.score ?? 0, 12);
  });

  it("takes rarity and lengths from all readers together", () => {
    const apart = metals.map((document) => memoryIndex([document]));
    const together = search([memoryIndex(metals)], { text: "zinc tin", isExplained: true });
    expect(search(apart, { text: "zinc tin", isExplained: true })).toEqual(together);
  });
});

describe("limits", () => {
  it("says when the deadline cut the search", () => {
    const later = performance.now() + 60_000;
    expect(search([store], { text: "git commit", deadlineAtMs: later }).isCut).toBe(false);
    expect(search([store], { text: "git commit", deadlineAtMs: 0 })).toMatchObject({
      hits: [],
      isCut: true,
    });
  });
});
