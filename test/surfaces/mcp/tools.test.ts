import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { SessionWriter } from "../../past/session-writer.ts";
import { writeTranscript } from "../../../bench/past-transcripts.ts";
import { memoryFile } from "../../home/temporary-heed.ts";
import { SandboxHome } from "../sandbox-home.ts";
import { McpProcess, valueOf } from "./mcp-process.ts";

/** A fact: it needs nobody's word. */
const BOARD = { type: "reference", statement: "error budget board: https://grafana.example.com/d/budget" };

const open = (home = new SandboxHome()): Promise<McpProcess> => McpProcess.opened(home, "modern");

async function call(
  server: McpProcess,
  tool: string,
  input: Record<string, unknown>,
): Promise<Record<string, unknown>> {
  return valueOf(await server.call(tool, input));
}

describe("a model keeps a memory", () => {
  test("finds it, reads it, changes it, removes it and brings it back", async () => {
    const server = await open();
    const written = await call(server, "memory_write", BOARD);
    expect(written).toMatchObject({ outcome: "written", type: "reference", store: "user" });
    expect(written["announcement"]).toEqual(expect.stringContaining("heed:"));
    expect(readFileSync(written["path"] as string, "utf8")).toContain("type: reference");
    const handle = written["handle"] as string;

    const found = await call(server, "memory_search", { query: "error budget" });
    expect(found["hits"]).toMatchObject([{ handle, type: "reference", statement: BOARD.statement }]);

    const shown = await call(server, "memory_show", { handle });
    expect(shown).toMatchObject({ handle, body: expect.stringContaining("grafana") as string });

    const statement = "error budget board: https://grafana.example.com/d/slo";
    const changes = { handle, statement, if_hash: shown["hash"] };
    expect(await call(server, "memory_update", changes)).toMatchObject({
      outcome: "amended",
      diff: expect.stringContaining("/d/slo") as string,
    });
    const stale = await server.call("memory_update", { handle, tags: ["slo"], if_hash: shown["hash"] });
    expect(stale.isError).toBe(true);

    const removed = await call(server, "memory_remove", { handle, reason: "no longer so" });
    expect(removed).toMatchObject({ outcome: "removed" });
    expect(await call(server, "memory_search", { query: "error budget" })).toMatchObject({ hits: [] });
    expect(existsSync(written["path"] as string)).toBe(false);
    const again = await call(server, "memory_remove", { handle, restore: true });
    expect(again).toMatchObject({ outcome: "restored" });
    const listed = await call(server, "memory_search", {});
    expect(listed).toMatchObject({ hits: [{ handle, statement }], total: 1 });
  });

  test("proposes a guard, and learns what it would have stopped", async () => {
    const home = new SandboxHome();
    const turns = [{ said: "push it, please", calls: [{ command: "git push -f" }, { command: "git push" }] }];
    const session = { session: "s", cwd: home.work, startMs: Date.now() - 3_600_000, turns };
    writeTranscript(home.root, "codex", session);
    const server = await open(home);
    const guard = { command: "git push", flags: ["--force"] };
    const rule = { type: "feedback", statement: "never force-push here", guard };
    expect(await call(server, "memory_write", rule)).toMatchObject({
      outcome: "waits",
      replay: "Of 2 commands in 30 days it would have stopped 1; 1 of them had succeeded",
    });
  });

  test("asks for the end of a rule: that waits, and is no error", async () => {
    const home = new SandboxHome();
    const rule = { type: "feedback", name: "lint", statement: "run the linter" };
    home.write("store/feedback/lint.md", memoryFile(rule));
    const server = await open(home);
    const answer = await server.call("memory_remove", { handle: "lint", reason: "unwanted" });
    expect(answer.isError).not.toBe(true);
    expect(valueOf(answer)).toMatchObject({
      outcome: "waits",
      reason: expect.stringContaining("needs approval") as string,
      code: expect.stringMatching(/^[a-z0-9]{5}$/) as string,
    });
  });

  test("sees several at once, and what of them is not there", async () => {
    const home = new SandboxHome();
    for (const name of ["rb-auth", "rb-billing"]) {
      const statement = `runbook ${name}: https://wiki.example/${name}`;
      home.write(`store/reference/${name}.md`, memoryFile({ type: "reference", name, statement }));
    }
    const server = await open(home);
    const { memories, not_shown } = await call(server, "memory_show", {
      handles: ["[heed:rb-auth]", "heed:rb-billing", "heed:rb-other", "heed:rb-auth"],
    });
    expect(memories).toMatchObject([{ handle: "heed:rb-auth" }, { handle: "heed:rb-billing" }]);
    expect(not_shown).toMatchObject([{ handle: "rb-other", code: "not-found" }]);
    const none = await server.call("memory_show", {});
    expect(none.isError).toBe(true);
    expect(JSON.stringify(valueOf(none))).toContain("the name of a memory, heed:name, or its id");
  });

  test("sees counts and the map first, and the pages of a long list", async () => {
    const server = await open();
    const places = [
      ["dashboards of the service are in grafana", "https://example.com/grafana"],
      ["terraform state lies in an s3 bucket", "https://example.com/state"],
      ["who is on call stands in the pager rota", "https://example.com/rota"],
    ];
    for (const [statement, url] of places)
      await call(server, "memory_write", { type: "reference", statement, body: `See ${url}` });
    const overview = await call(server, "memory_check", { what: "overview" });
    expect(overview).toMatchObject({ total: 3, by_type: { reference: 3 }, pending: 0 });
    expect(overview["map"]).toContain("terraform state");
    expect(JSON.stringify(overview)).not.toContain("https://example.com");
    const first = await call(server, "memory_search", { limit: 2 });
    expect(first).toMatchObject({ total: 3, next_offset: 2 });
    const rest = await call(server, "memory_search", { limit: 2, offset: 2 });
    expect(rest["hits"]).toHaveLength(1);
    expect(rest).not.toHaveProperty("next_offset");
  });
});

test("a model is told which gate refused it, why, and what would pass", async () => {
  const server = await open();
  const answer = await server.call("memory_write", { type: "project", statement: "x".repeat(301) });
  expect(answer.isError).toBe(true);
  expect(valueOf(answer)).toMatchObject({
    outcome: "refused",
    refusals: [{ gate: "schema", reason: expect.stringContaining("301 characters, 300 at most") as string }],
  });
});

test("what waits is listed with its text, and the model is told not to ask", async () => {
  const server = await open();
  const statement = "prefers short answers without a summary";
  const proposed = await call(server, "memory_write", { type: "user", statement });
  expect(proposed).toMatchObject({ outcome: "waits", next: expect.stringContaining("Do not ask") as string });
  expect(await call(server, "memory_check", { what: "waiting" })).toMatchObject({
    total: 1,
    waiting: [{ handle: proposed["handle"], statement }],
  });
  expect(await call(server, "memory_check", { what: "overview" })).toMatchObject({ total: 0, pending: 1 });
  // A model's call for a stopped call allows nothing.
  expect(await call(server, "memory_allow", { code: "abcde" })).toMatchObject({
    outcome: "waits",
    next: expect.stringContaining("heed allow abcde") as string,
  });
});

test("why tells what a prompt brings up, and leaves no trace", async () => {
  const server = await open();
  const { handle } = await call(server, "memory_write", BOARD);
  const answer = await call(server, "memory_check", { what: "why", prompt: "open the error budget board" });
  expect(answer).toMatchObject({ is_rehearsal: true });
  expect(JSON.stringify(answer["decisions"])).toContain(handle);
  expect(await call(server, "memory_check", { what: "why" })).toMatchObject({ decisions: [] });
});

test("a long conversation is read on from where an answer says so, to its end", async () => {
  const home = new SandboxHome();
  execFileSync("git", ["init", "-q"], { cwd: home.work });
  execFileSync("git", ["remote", "add", "origin", "https://github.com/acme/api.git"], { cwd: home.work });
  const session = "aaaaaaaa-0000-4000-8000-000000000001";
  const file = join(home.root, ".claude/projects/p", `${session}.jsonl`);
  const writer = new SessionWriter(file, { session, cwd: home.work, now: "2026-10-01T10:00:00Z" });
  for (let i = 0; i < 7; i++) writer.user(`turn ${i} of a talk about the retry policy of the gateway`);
  const server = await open(home);
  const injected: string[] = [];
  const ends: unknown[] = [];
  for (let from: unknown = 0; from !== undefined; from = ends.at(-1)) {
    const value = await call(server, "memory_history", { session, limit: 3, from });
    const [{ passages }] = value["conversations"] as [{ passages: { text: string }[] }];
    injected.push(...passages.map(({ text }) => text.slice(0, 6)));
    ends.push(value["next_from"]);
    expect(value["passages_in_all"]).toBe(7);
  }
  expect(ends).toEqual([3, 6, undefined]);
  expect(injected).toEqual(Array.from({ length: 7 }, (_, i) => `turn ${i}`));
  const beyond = await call(server, "memory_history", { session, from: 7 });
  expect(beyond).not.toHaveProperty("next_from");
});
