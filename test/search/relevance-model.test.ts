import { assert, integer, property, string as anyString } from "fast-check";
import { describe, expect, it } from "vitest";
import type { IndexReader } from "../../src/search/index/index-reader.ts";
import { memoryIndex } from "../../src/search/index/index-writer.ts";
import { bestPassages, CUT_MARK } from "../../src/search/best-passages.ts";
import { termOf } from "../../src/search/index/analysis/normalize-word.ts";
import {
  UNSEEN_SHARE,
  BACKGROUND_BANDS,
  assessRelevance,
  backgroundShare,
  BODY_EVIDENCE,
  POINTER_EVIDENCE,
  tellsWhole,
  relevanceSignals,
} from "../../src/search/relevance-signals.ts";
import { type SearchResult, search } from "../../src/search/search.ts";
import { sampleDocument } from "./index/sample-documents.ts";

const filler = Array.from({ length: 30 }, (_, place) =>
  sampleDocument(`note-${place}`, `Notes on subject${place} and its files.`, {
    statement: `subject${place}`,
  }),
);
const stagingDatabase = sampleDocument(
  "staging-database-host",
  "The staging database runs on pg-staging-2, port 6432, behind PgBouncer.",
  { statement: "staging database host and port behind PgBouncer", trigger: ["pg-staging-2"] },
);
const store = memoryIndex([...filler, stagingDatabase]);

function ask(reader: IndexReader, text: string): SearchResult {
  return search([reader], { text, syntax: "prompt", isExplained: true });
}

describe("the relevance model", () => {
  it("adds up: the terms give the probability", () => {
    const prompt = "pg-staging-2 port";
    const [signals] = relevanceSignals(prompt, ask(store, prompt));
    const decision = signals && assessRelevance(signals, "related");
    const sum = Object.values(decision?.terms ?? {}).reduce((total, term) => total + term, 0);
    expect(1 / (1 + Math.exp(-sum))).toBeCloseTo(decision?.probability ?? 0, 12);
    expect(signals?.isCued).toBe(true);
    expect(POINTER_EVIDENCE).toBeLessThan(BODY_EVIDENCE);
  });

  it.each([
    ["one word, however rare", "pgbouncer", true, "pointer"],
    ["a word with another", "pgbouncer port", false, "body"],
  ])("tells nothing whole by one word: %s", (_what, prompt, isOneWord, form) => {
    const [signals] = relevanceSignals(prompt, ask(store, prompt));
    expect(signals).toMatchObject({ isOneWord });
    expect(signals && assessRelevance(signals, "related").form).toBe(form);
  });

  it("takes a cue of one word for enough, where the word is rare", () => {
    const reader = memoryIndex([
      sampleDocument("stale-lock", "EWEDGED means that a lock was left behind: remove .wedge.", {
        statement: "EWEDGED: a lock was left behind",
        trigger: ["ewedged"],
      }),
    ]);
    const [signals] = relevanceSignals("ewedged!", ask(reader, "ewedged!"));
    expect(signals).toMatchObject({ isOneWord: true, isCued: true });
    expect(signals && assessRelevance(signals, "symptom").form).toBe("body");
  });

  it("takes a path for more than a word", () => {
    const freeze = sampleDocument("importer-freeze", "The importer in src/importers/invoice is frozen.");
    const prompt = "move src/importers/invoice elsewhere";
    const [signals] = relevanceSignals(prompt, ask(memoryIndex([freeze]), prompt));
    expect(signals).toMatchObject({ isOneWord: false });
    expect(
      tellsWhole({ likelihood: 9, headCoverage: 0.9, isOneWord: true, isCued: undefined, hasAliases: false }),
    ).toBe(false);
  });

  it("asks more of what has other words, which a prompt meets by chance", () => {
    const signals = { likelihood: 1, headCoverage: 0.8, isOneWord: false, isCued: undefined };
    expect(tellsWhole({ ...signals, hasAliases: false })).toBe(true);
    expect(tellsWhole({ ...signals, hasAliases: true })).toBe(false);
  });

  it("says the same of a memory whatever else the store holds", () => {
    const prompt = "which port does the staging database listen on";
    const [inStore] = relevanceSignals(prompt, ask(store, prompt));
    const [byItself] = relevanceSignals(prompt, ask(memoryIndex([stagingDatabase]), prompt));
    expect(inStore?.likelihood).toBeCloseTo(byItself?.likelihood ?? Number.NaN, 9);
    expect(inStore?.headCoverage).toBeCloseTo(byItself?.headCoverage ?? Number.NaN, 9);
  });
});

describe("the background", () => {
  it.each([
    ["file", 0.14],
    ["branch", 0.035],
    ["pgbouncer", UNSEEN_SHARE],
  ])("knows how common %s is", (term, share) => {
    expect(backgroundShare(term)).toBe(share);
  });

  it("holds each stem once, as the tokenizer leaves it", () => {
    const stems = BACKGROUND_BANDS.flatMap(([, terms]) => terms.split(" "));
    expect(new Set(stems).size).toBe(stems.length);
    const words = ["migrations", "branches", "database", "commits", "deployed", "component"];
    expect(words.map((word) => backgroundShare(termOf(word)) > UNSEEN_SHARE)).toEqual(words.map(() => true));
  });
});

describe("bestPassages", () => {
  const weights = new Map([
    ["pgbouncer", 3],
    ["port", 1],
  ]);
  const body = [
    "The first paragraph is about nothing in particular and goes on for a while.",
    "PgBouncer listens on port 6432.",
    "```sh\npsql --host pgbouncer\n```",
    "The last paragraph is about something else altogether, and is long as well.",
  ].join("\n\n");

  it.each([
    [40, ["PgBouncer listens on port 6432."]],
    [75, ["PgBouncer listens on port 6432.\n```sh\npsql --host pgbouncer\n```"]],
    [1000, [body]],
    [0, []],
  ])("within %i characters", (room, expected) => {
    expect(bestPassages(body, weights, room)).toEqual(expected);
  });

  it("gives the beginning when nothing matches, and marks what it left out between passages", () => {
    expect(bestPassages(body, new Map([["zebra", 1]]), 30)).toEqual(["The first paragraph is about"]);
    const apart = `Port 1 here.\n${"Filler that says nothing. ".repeat(20)}\nPgBouncer there.`;
    expect(bestPassages(apart, weights, 60).join(CUT_MARK)).toBe("Port 1 here. […] PgBouncer there.");
  });

  it("stays within its room on any text", () => {
    assert(
      property(
        anyString({ unit: "grapheme", maxLength: 600 }),
        integer({ min: 0, max: 200 }),
        (text, room) => {
          const cut = bestPassages(`port ${text}\nport ${text}. pgbouncer`, weights, room).join(CUT_MARK);
          expect(cut.length).toBeLessThanOrEqual(room);
        },
      ),
    );
  });
});
