import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Heed, MemoryDraft } from "../../../src/heed.ts";
import { HeedError, openHeed } from "../../../src/heed.ts";
import type { FuzzTarget } from "../fuzz-target.ts";
import { must } from "../fuzz-target.ts";

let folder: string | undefined;
let heed: Heed | undefined;

async function opened(): Promise<Heed> {
  if (heed) return heed;
  folder = mkdtempSync(join(tmpdir(), "heed-fuzz-"));
  const work = join(folder, "work");
  mkdirSync(work);
  const env = {
    PATH: "",
    HOME: folder,
    HEED_DIR: join(folder, "store"),
    HEED_STATE_DIR: join(folder, "state"),
    HEED_CACHE_DIR: join(folder, "cache"),
    HEED_CONFIG_DIR: join(folder, "config"),
  };
  heed = openHeed({ cwd: work, env });
  await heed.setup.init("user");
  return heed;
}

const PERSON = { kind: "person" } as const;
const MODEL = { kind: "model", client: "fuzz", session: "s" } as const;

/** What a model gives the tools: an answer, or a HeedError that says what to do; and what was written can be found. */
export const toolArguments: FuzzTarget = {
  name: "arguments",
  seeds: [
    {
      do: "write",
      draft: { type: "reference", description: "where the board is", body: "https://example.org/board" },
    },
    {
      do: "write",
      draft: {
        type: "feedback",
        description: "run it",
        body: "Run.\n**Why:** x\n**How to apply:** y",
        tags: ["a"],
        trigger: ["b"],
      },
    },
    { do: "search", query: '"a phrase" type:project -not (x OR y)*' },
    { do: "show", handle: "heed:where-the-board-is" },
    { do: "update", handle: "where-the-board-is", changes: { body: "https://example.org/2", tags: ["x"] } },
    {
      do: "update",
      handle: "where-the-board-is",
      changes: { description: `r ${"- ".repeat(70)}`, body: "x" },
    },
    {
      do: "update",
      handle: "where-the-board-is",
      changes: { description: "it is", tags: [`- ${"[".repeat(70)}`] },
    },
    { do: "remove", handle: "where-the-board-is", reason: "gone" },
    { do: "why", prompt: "where is the board?" },
  ].map((call) => JSON.stringify(call)),
  words: (
    '"do":"write" "draft":{ "type":"project" "description": "body": "tags":[ "links":[{ ' +
    '"scope":{"paths":["**"]} "expires":"2026-01-01" "query": ../../etc \\u0000 \\ud800 heed:'
  ).split(" "),
  maxMs: 10_000,
  async check(input) {
    let call: Record<string, unknown>;
    try {
      const value: unknown = JSON.parse(input);
      if (typeof value !== "object" || value === null || Array.isArray(value)) return;
      call = value as Record<string, unknown>;
    } catch {
      return;
    }
    const there = await opened();
    try {
      await act(there, call);
    } catch (error) {
      if (!(error instanceof HeedError)) throw error;
      must(error.message.length > 10, `a message that says something: ${error.message}`);
    }
  },
  async close() {
    await heed?.close();
    heed = undefined;
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
    folder = undefined;
  },
};

const asText = (value: unknown): string => (typeof value === "string" ? value : "");

async function act(there: Heed, call: Record<string, unknown>): Promise<void> {
  const handle = asText(call["handle"]);
  switch (call["do"]) {
    case "write": {
      const draft = asDraft(call["draft"]);
      const result = await there.memories.write(draft, MODEL);
      if (result.outcome !== "written") return;
      const shown = await there.memories.show(result.metadata.name, { reader: PERSON });
      must(shown.metadata.id === result.metadata.id, "what was written is shown under its name");
      must(
        (await there.memories.list()).some(({ id }) => id === result.metadata.id),
        "what was written is listed",
      );
      return;
    }
    case "search":
      await there.memories.search({ query: asText(call["query"]) });
      return;
    case "show":
      await there.memories.show(handle, { reader: MODEL });
      return;
    case "update":
      await there.memories.update(handle, asDraft(call["changes"]), MODEL);
      return;
    case "remove":
      await there.memories.remove(handle, asText(call["reason"]), PERSON);
      return;
    case "why":
      await there.session.why({ prompt: asText(call["prompt"]) });
      return;
    default:
  }
}

/** The shape that the tools' schemas let through: texts where texts are, lists of texts where lists are. */
function asDraft(value: unknown): MemoryDraft {
  const raw = (typeof value === "object" && value !== null ? value : {}) as Record<string, unknown>;
  const texts = ["name", "expires"].flatMap((key) => (typeof raw[key] === "string" ? [[key, raw[key]]] : []));
  const lists = ["tags", "trigger", "aliases", "claims"].flatMap((key) => {
    const list = raw[key];
    return Array.isArray(list) ? [[key, list.filter((item) => typeof item === "string")]] : [];
  });
  return {
    type: asText(raw["type"]),
    description: asText(raw["description"]),
    body: asText(raw["body"]),
    ...(Object.fromEntries([...texts, ...lists]) as Partial<MemoryDraft>),
  };
}
