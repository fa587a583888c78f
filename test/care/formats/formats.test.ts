import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { ImportReport } from "../../../src/heed.ts";
import { TemporaryHeed } from "../../home/temporary-heed.ts";

/** A small source as the tool writes it, and what is read of it: `type: description`; and the reasons of what is not. */
interface Sample {
  format: string;
  source: Source;
  memories: string[];
  leftOut?: string[];
}

/** Files by path in a folder, or one; `/home/u` is the home, `/home/u/api` the repository. */
interface Source {
  path: string;
  files: Readonly<Record<string, string>>;
}

const folder = (path: string, files: Source["files"]): Source => ({ path, files });
const file = (path: string, text: string): Source => ({ path, files: { "": text } });

/** One of each tool, in the form that its own code writes. */
const SAMPLES: readonly Sample[] = [
  {
    format: "claude-code-memory",
    source: folder("/home/u/.claude/projects/-home-u-api/memory", {
      "MEMORY.md": "- [board](board.md)\n",
      "board.md":
        "---\nname: board\ndescription: the board is https://board.example/1\nmetadata:\n  type: reference\n---\nhttps://board.example/1\n",
    }),
    memories: ["reference: the board is https://board.example/1"],
    leftOut: ["an index of the other files: heed writes its own"],
  },
  {
    format: "bettermemory",
    source: folder("/home/u/.claude-memory", {
      "terse.md":
        "---\nid: a1\nscopes: [review]\ncategory: user-inference\ncreated: 2026-01-02\n---\nThe user prefers terse code review feedback.\n",
      ".tombstones/vpn.md":
        "---\nid: a2\nscopes: [net]\ncreated: 2026-01-02\nremoved: 2026-02-01\nremoved_reason: wrong\n---\nThe VPN is slow.\n",
      "staging.md":
        "---\nid: a3\nscopes: [net]\nremoved: 2026-02-01T10:00:00Z\n---\nStaging lies in Frankfurt.\n",
    }),
    memories: ["user: The user prefers terse code review feedback."],
    leftOut: ["it was removed there", "it was removed there"],
  },
  {
    format: "claude-memory",
    source: folder("/home/u/layers", {
      "procedural/feedback.md":
        "---\ntype: procedural\ntrigger: [windows]\n---\n## Ask before DDL\nAsk before any DDL.\n**Why:** a lock.\n**How to apply:** always.\n\n## Solution: pip tool not found\n**Symptom:** command not found\n**Failed:** pip install again\n**Solution:** add Scripts to PATH\n**Why:** it is not on PATH\n**How to apply:** on Windows\n",
      "episodic/2026-01-01-x.md":
        "---\ntype: episodic\ndescription: a day\ndecay-after: 2026-04-01\n---\nWe did things.\n",
    }),
    memories: ["episode: a day", "feedback: Ask before any DDL.", "solution: pip tool not found"],
  },
  {
    format: "codex-memories",
    source: folder("/home/u/.codex/memories", {
      "MEMORY.md": "# Memory\n\n## Build\n- The api needs Postgres 16 on port 5433\n",
      "memory_summary.md": "A summary.\n",
      "rollout_summaries/1.md": "A session.\n",
    }),
    memories: ["project: Build: The api needs Postgres 16 on port 5433"],
    leftOut: [
      "a summary of MEMORY.md",
      "the summary of one session: sessions are searched where they are kept",
    ],
  },
  {
    format: "hermes",
    source: folder("/home/u/.hermes", {
      "memories/MEMORY.md":
        "The deploy key lies in the vault Acme.\n§\nThe linter is slow;\n\n# run it on changed files\n- only those\n§\n",
      "profiles/work/memories/USER.md": "Prefers short answers.\n",
      "skills/release/SKILL.md": "---\nname: release\n---\nTag, then push.\n",
    }),
    memories: [
      "project: The deploy key lies in the vault Acme.",
      "project: The linter is slow;",
      "project: only those",
      "user: Prefers short answers.",
    ],
    leftOut: ["not read as memories of Hermes"],
  },
  {
    format: "openclaw",
    source: folder("/home/u/.openclaw/workspace", {
      "MEMORY.md": "- Jonas owns the warehouse schema\n",
      "USER.md": "# About Your Human\n\n- **Name:** Ines\n- **Pronouns:** _(optional)_\n",
      "memory/2026-03-01.md": "Did things.\n",
      "SOUL.md": "Be kind.\n",
    }),
    memories: ["episode: 2026 03 01: Did things.", "project: Jonas owns the warehouse schema"],
    leftOut: ["not read as workspace of OpenClaw", "not read as workspace of OpenClaw"],
  },
  {
    format: "claude-memory-compiler",
    source: folder("/home/u/knowledge-base", {
      "knowledge/concepts/retries.md":
        '---\ntitle: "Retries"\naliases: [backoff]\ntags: [http]\ncreated: 2026-02-01\n---\n# Retries\n\nThe gateway retries three times. See [[concepts/gateway]].\n\n## Key Points\n\n- It waits twice as long each time\n\n## Sources\n\n- [[daily/2026-02-01.md]] - seen in an outage\n',
      "knowledge/qa/why.md":
        '---\ntitle: "Q: Why three?"\nquestion: "Why three?"\nconsulted:\n  - "concepts/retries"\nfiled: 2026-04-05\n---\n\n# Q: Why three?\n\n## Answer\n\nThe bank blocks at the fourth.\n',
      "knowledge/index.md": "# Index\n",
      "daily/2026-02-01.md": "log\n",
    }),
    memories: [
      "project: Q: Why three?: The bank blocks at the fourth.",
      "project: Retries: The gateway retries three times. See [[concepts/gateway]].",
    ],
    leftOut: [
      "not read as knowledge of claude-memory-compiler",
      "not read as knowledge of claude-memory-compiler",
    ],
  },
  {
    format: "basic-memory",
    source: folder("/home/u/basic-memory", {
      "notes/coffee.md":
        "---\ntitle: Coffee API\ntype: note\npermalink: notes/coffee\ntags: [api]\n---\n# Coffee API\n\n## Observations\n- [fact] The limit is 30 requests a minute #limits (measured)\n- [gotcha] It counts retries\n\n## Relations\n- relates_to [[Tea API]]\n",
      "notes/session.md": "---\ntitle: s\ntype: session\npermalink: notes/s\n---\nwork\n",
    }),
    memories: ["project: Coffee API: The limit is 30 requests a minute #limits (measured)"],
    leftOut: ["the record of one session: sessions are searched where they are kept"],
  },
  {
    format: "server-memory",
    source: file(
      "/home/u/memory.jsonl",
      '{"type":"entity","name":"Jonas","entityType":"person","observations":["owns the warehouse schema"]}\n{"type":"entity","name":"warehouse","entityType":"system","observations":["runs on Postgres 16"]}\n{"type":"entity","name":"export","entityType":"feature","observations":["is off for guests"]}\n{"type":"relation","from":"Jonas","to":"warehouse","relationType":"owns"}\nbroken\n{"type":"entity","name":"empty","entityType":"x","observations":[]}\n',
    ),
    memories: [
      "project: export: is off for guests",
      "project: warehouse: runs on Postgres 16",
      "user: Jonas: owns the warehouse schema",
    ],
    leftOut: ["a damaged line: it is no JSON by itself", 'it has no "observations"', "it has no text"],
  },
  {
    format: "mem0",
    source: file(
      "/home/u/mem0.json",
      '{"results":[{"id":"m1","memory":"The invoice job runs at 02:00 UTC","created_at":"2026-01-01T00:00:00Z","categories":["ops"]},{"id":"m2","memory":""},{"id":"m3","memory":"Prefers dark mode","user_id":"u"}]}',
    ),
    memories: ["project: The invoice job runs at 02:00 UTC", "user: Prefers dark mode"],
    leftOut: ["it has no text"],
  },
  {
    format: "mcp-memory-service",
    source: file(
      "/home/u/export.json",
      '{"export_metadata":{"total_memories":1},"memories":[{"content":"Releases are cut on Tuesdays","content_hash":"h1","tags":["release"],"created_at":1767225600,"memory_type":"decision","metadata":{}}]}',
    ),
    memories: ["project: Releases are cut on Tuesdays"],
  },
  {
    format: "claude-mem",
    source: file(
      "/home/u/claude-mem-export.json",
      '{"exportedAt":"x","observations":[{"id":1,"project":"api","type":"decision","title":"Row locks decide the database","narrative":"Postgres was taken.","facts":"[\\"MySQL had gap locks\\"]","concepts":"[\\"trade-off\\"]","created_at":"2026-01-01T00:00:00Z"},{"id":2,"project":"api","type":"change","title":"Renamed a file","narrative":"x"}],"sessions":[],"summaries":[{"id":1}],"prompts":[]}',
    ),
    memories: ["project: Row locks decide the database"],
    leftOut: ["a change: what was done, not what was learned", 'it has no "narrative"'],
  },
  {
    format: "qwen-memory",
    source: folder("/home/u/.qwen/projects/-home-u-api/memory", {
      "MEMORY.md": "- [reset](project/reset.md) — staging\n",
      "project/reset.md":
        "---\nname: Staging: reset\ndescription: staging is reset: every Monday at 06:00\ntype: project\n---\n\nStaging is reset every Monday.\n\nWhy: tests\n",
    }),
    memories: ["project: staging is reset: every Monday at 06:00"],
    leftOut: ["an index of the other files: heed writes its own"],
  },
];

const place = TemporaryHeed.forEachTest();

async function take({ path, files }: Source, type?: string): Promise<ImportReport> {
  const from = path
    .replace("-home-u-api", place.project.replace(/[^A-Za-z0-9]/g, "-"))
    .replace("/home/u/api", place.project)
    .replace("/home/u", place.home);
  if (!("" in files)) mkdirSync(from, { recursive: true });
  for (const [name, text] of Object.entries(files)) place.write(join(from, name), text);
  const request = { from, project: "api", ...(type !== undefined && { type, isApplied: true }) };
  return place.heed.exchange.importFrom(request, { kind: "person" });
}

describe("formats of other tools", () => {
  test.each(SAMPLES)("$format: $source.path", async ({ format, source, memories, leftOut = [] }) => {
    const report = await take(source);
    expect(report.format).toBe(format);
    expect(report.memories.map(({ type, statement }) => `${type || "open"}: ${statement}`).sort()).toEqual(
      memories,
    );
    expect(report.leftOut.map(({ reason }) => reason).sort()).toEqual(leftOut);
  });

  test.each(
    Object.entries({
      "claude-md": "CLAUDE.md",
      "claude-rules": ".claude/rules/a.md",
      "agents-md": "AGENTS.md",
      "cursor-rules": ".cursor/rules/a.mdc",
      "copilot-instructions": ".github/copilot-instructions.md",
      "windsurf-rules": ".windsurf/rules/a.md",
      "cline-rules": ".clinerules/a.md",
      "roo-rules": ".roo/rules-code/a.md",
      "continue-rules": ".continue/rules/a.md",
      "junie-guidelines": ".junie/guidelines.md",
      "kiro-steering": ".kiro/steering/a.md",
      "memory-bank": "memory-bank/a.md",
      "gemini-md": "GEMINI.md",
      "qwen-md": "QWEN.md",
    }),
  )("%s: %s, without what heed keeps in it and links alone", async (format, path) => {
    const text =
      "# Api\n\n## Style\n- Use tabs in Makefiles\n- [docs](https://x.example)\n<!-- heed:start -->\n- Use npm\n<!-- heed:end -->\n";
    const report = await take(file(`/home/u/api/${path}`, text));
    expect([report.format, report.memories.map(({ statement }) => statement)]).toEqual([
      format,
      ["Style: Use tabs in Makefiles"],
    ]);
    expect(report.leftOut.map(({ reason }) => reason)).toEqual(["a link alone"]);
  });

  test("a statement keeps its author's words, the code below it, and the globs of its file", async () => {
    const text =
      "---\nglobs: *.sql\n---\n## Migrations\n- Add one with:\n\n  ```sh\n  npm run db:new\n  ```\n";
    const { memories } = await take(file("/home/u/api/.cursor/rules/a.mdc", text), "feedback");
    const { body, metadata } = await place.heed.memories.show(memories[0]!.name);
    expect([body, metadata.scope.paths]).toEqual([
      "Migrations: Add one with:\n\n```sh\nnpm run db:new\n```",
      ["*.sql"],
    ]);
  });

  test.each([
    [
      folder("/home/u/photos", { "a.png": "", "b.png": "", "c.txt": "" }),
      "a folder without a file that looks like a memory: ask your agent to read it and to write what matters",
    ],
    [folder("/home/u/empty", {}), "an empty folder"],
    [
      folder("/home/u/deep", { "1/2/3/4/5/6/7/8/9/a.md": "x" }),
      "a folder that heed cannot read (1/2/3/4/5/6/7/8/9: a folder more than 8 levels down)",
    ],
    [file("/home/u/notes.json", "{}"), "a file named notes.json that has no known form"],
    [file("/home/u/mem.json", '{"memories": [},'), "a file named mem.json that is no JSON, or damaged"],
    [file("/home/u/m.jsonl", '{"type":"ent\n{"type"'), "a file named m.jsonl that is no JSON, or damaged"],
    // Markdown of any kind is no memory store.
    [
      folder("/home/u/docs", { "guide.md": "# Guide\n\nText.\n" }),
      "a folder without a file that looks like a memory",
    ],
  ])("%# is no known format, and is described", async (source, message) => {
    await expect(take(source)).rejects.toMatchObject({
      code: "invalid-input",
      message: expect.stringContaining(message),
    });
  });
});
