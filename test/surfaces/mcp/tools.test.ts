import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { SessionWriter } from "../../app/learning/session-writer.ts";
import { sandboxHome, type SandboxHome } from "../sandbox-home.ts";
import { McpProcess, type ToolAnswer } from "./mcp-process.ts";

const RULE = {
  type: "feedback",
  statement: "run the tests of a package before committing to it",
  body: "Run the tests of a package before committing to it.\n**Why:** a broken main cost an afternoon.\n**How to apply:** npm test in the package's folder.",
};
const ABOUT_USER = {
  type: "user",
  statement: "prefers short answers without a summary",
  body: "Prefers short answers without a summary at the end.",
  source: "inferred",
};

async function open(home: SandboxHome, env: Record<string, string> = {}): Promise<McpProcess> {
  const server = new McpProcess(home, "modern", env);
  await server.open();
  return server;
}

const valueOf = (answer: ToolAnswer): Record<string, unknown> => answer.structuredContent ?? {};

async function write(server: McpProcess, input: Record<string, unknown>): Promise<Record<string, unknown>> {
  return valueOf(await server.call("memory_write", input));
}

describe("a model keeps a memory", () => {
  test("finds it, reads it, changes it, removes it and brings it back", async () => {
    const server = await open(sandboxHome());
    const written = await write(server, RULE);
    expect(written).toMatchObject({ outcome: "written", type: "feedback", store: "user" });
    expect(written["announcement"]).toEqual(expect.stringContaining("heed:"));
    expect(readFileSync(written["path"] as string, "utf8")).toContain("type: feedback");
    const handle = written["handle"] as string;

    const found = valueOf(await server.call("memory_search", { query: "tests before commit" }));
    expect(found["hits"]).toMatchObject([{ handle, type: "feedback", description: RULE.statement }]);

    const shown = valueOf(await server.call("memory_show", { handle }));
    expect(shown).toMatchObject({ handle, body: expect.stringContaining("broken main") as string });

    const changes = { handle, description: "run all tests before committing", if_hash: shown["hash"] };
    expect(valueOf(await server.call("memory_update", changes))).toMatchObject({
      outcome: "amended",
      diff: expect.stringContaining("run all tests before committing") as string,
    });
    const stale = await server.call("memory_update", { handle, body: RULE.body, if_hash: shown["hash"] });
    expect(stale.isError).toBe(true);

    await server.call("memory_remove", { handle, reason: "no longer so" });
    expect(valueOf(await server.call("memory_search", { query: "tests" }))["hits"]).toEqual([]);
    expect(existsSync(written["path"] as string)).toBe(false);
    await server.call("memory_restore", { handle });
    const restored = valueOf(await server.call("memory_list", {}));
    expect(restored["memories"]).toMatchObject([{ handle, description: "run all tests before committing" }]);
  });

  test("a rule in four fields keeps the user's words and reason, and lacks none that nobody gave", async () => {
    const server = await open(sandboxHome());
    const statement = "never deploy on Fridays without asking the on-call person first";
    const quote = "pls never deploy on fridays w/o asking oncall first";
    const written = await write(server, { type: "feedback", statement, quote });
    expect(written).toMatchObject({
      outcome: "written",
      handle: "heed:never-deploy-fridays-without-asking",
      announcement: expect.stringContaining("no reason was given") as string,
      next: expect.stringContaining("memory_update") as string,
    });
    const shown = valueOf(await server.call("memory_show", { handle: written["handle"] }));
    const day = new Date().toISOString().slice(0, 4);
    expect(shown["body"]).toMatch(
      new RegExp(`^${statement}\\n\\n> "${quote}" \\(the user, ${day}-\\d\\d-\\d\\d\\)$`),
    );
    const reasoned = valueOf(
      await server.call("memory_update", {
        handle: written["handle"],
        reason: "nobody is there to roll it back",
      }),
    );
    expect(reasoned["diff"]).toContain("+**Why:** nobody is there to roll it back");
  });

  test("is told which gate refused it, why, and what would pass", async () => {
    const server = await open(sandboxHome());
    const answer = await server.call("memory_write", { ...RULE, body: "Run the tests." });
    expect(answer.isError).toBe(true);
    expect(valueOf(answer)).toMatchObject({
      outcome: "refused",
      refusals: [{ gate: expect.any(String) as string, remedy: expect.any(String) as string }],
    });
  });

  test("sees several at once, as a line of the map names them, and what of them is not there", async () => {
    const server = await open(sandboxHome());
    for (const [name, statement] of [
      ["rb-auth", "what to do when nobody can log in: https://wiki.acme.example/login"],
      ["rb-billing", "invoices console https://billing.example"],
    ])
      await write(server, { type: "reference", name, statement });
    const { memories, not_shown } = valueOf(
      await server.call("memory_show", {
        handles: ["[heed:rb-{auth,billing}]", "heed:rb-other", "heed:rb-auth"],
      }),
    );
    expect(memories).toMatchObject([{ handle: "heed:rb-auth" }, { handle: "heed:rb-billing" }]);
    expect(not_shown).toMatchObject([{ handle: "rb-other", code: "not-found" }]);
    const one = valueOf(await server.call("memory_show", { handle: "heed:rb-{billing,auth}" }));
    expect(one["memories"]).toHaveLength(2);
    const none = await server.call("memory_show", {});
    expect(none.isError).toBe(true);
    expect(JSON.stringify(valueOf(none))).toContain("the name of a memory, heed:name, or its id");
  });

  test("gets names that are near to a mistyped one", async () => {
    const server = await open(sandboxHome());
    const handle = (await write(server, RULE))["handle"] as string;
    const answer = await server.call("memory_show", { handle: handle.slice(0, -1) + "x" });
    expect(answer.isError).toBe(true);
    const { error } = valueOf(answer) as { error: Record<string, unknown> };
    expect(error["code"]).toBe("not-found");
    expect(JSON.stringify(error["suggestions"])).toContain(handle.replace("heed:", ""));
  });

  test("sees counts first, and the pages of a long list", async () => {
    const server = await open(sandboxHome());
    const places = [
      ["dashboards of the service are in grafana", "https://example.com/grafana"],
      ["terraform state lies in an s3 bucket", "https://example.com/state"],
      ["who is on call stands in the pager rota", "https://example.com/rota"],
    ];
    for (const [statement, url] of places) {
      await write(server, { type: "reference", statement, body: `See ${url}` });
    }
    const overview = valueOf(await server.call("memory_overview", {}));
    expect(overview).toMatchObject({ total: 3, by_type: { reference: 3 }, pending: 0 });
    expect(JSON.stringify(overview)).not.toContain("https://example.com");
    const first = valueOf(await server.call("memory_list", { limit: 2 }));
    expect(first).toMatchObject({ total: 3, next_offset: 2 });
    const rest = valueOf(await server.call("memory_list", { limit: 2, offset: 2 }));
    expect(rest["memories"]).toHaveLength(1);
    expect(rest).not.toHaveProperty("next_offset");
  });
});

describe("arguments that are none", () => {
  test.each<[string, Record<string, unknown>, string]>([
    [
      "memory_confirm",
      {},
      "name is missing: give a text: The pending memory; quote is missing: give a text: The user's words, verbatim",
    ],
    [
      "memory_reject",
      { handle: "go-expert", reason: "wrong" },
      'name is missing: give a text: The pending memory; there is no "handle" here: this tool takes name, reason',
    ],
    ["memory_search", { query: "" }, "query is empty: give a text: Words to look for"],
    ["memory_search", { query: " " }, 'query is " ": give a text: Words to look for'],
    ["memory_search", { query: "x", limit: 500 }, "limit is 500: give 50 at most: Default 8"],
    ["memory_show", { handle: 7 }, "handle is 7: give a text: Handle of a memory: its name, heed:name or id"],
    [
      "memory_record_use",
      { handle: "x", outcome: "liked" },
      'outcome is "liked": give one of applied, ignored, contradicted, corrected: What came of it',
    ],
  ])("%s %j: which, what it is, and what to send", async (tool, input, message) => {
    const answer = await (await open(sandboxHome())).call(tool, input);
    expect(answer.isError).toBe(true);
    expect(valueOf(answer)).toMatchObject({ error: { code: "invalid-input", message } });
  });

  test.each<[string, Record<string, unknown>, string]>([
    ["a statement that is too long", { statement: "x".repeat(201) }, "200 at most"],
    ["too many tags", { tags: Array.from({ length: 13 }, (_, i) => `t${i}`) }, "12 at most"],
    ["a name that is too long", { name: "x".repeat(81) }, "80 at most"],
  ])("%s is the gate's to refuse, which says what would pass", async (_, fields, reason) => {
    const answer = await (await open(sandboxHome())).call("memory_write", { ...RULE, ...fields });
    expect(valueOf(answer)).toMatchObject({
      outcome: "refused",
      refusals: [{ gate: "schema", reason: expect.stringContaining(reason) as string }],
    });
  });

  test("a memory without a body says what its statement says", async () => {
    const server = await open(sandboxHome());
    const statement = "error budget board: https://grafana.example.com/d/budget";
    const written = await write(server, { type: "reference", statement });
    expect(written).toMatchObject({ outcome: "written" });
    const shown = valueOf(await server.call("memory_show", { handle: written["handle"] }));
    expect(shown["body"]).toBe(statement);
  });
});

describe("a statement about the user", () => {
  test("waits, and a model's own word does not confirm it", async () => {
    const home = sandboxHome();
    const server = await open(home);
    const proposed = await write(server, ABOUT_USER);
    expect(proposed).toMatchObject({
      outcome: "pending",
      next: expect.stringContaining("memory_confirm") as string,
    });
    const name = proposed["name"] as string;
    expect(valueOf(await server.call("memory_list", { pending: true }))).toMatchObject({ total: 1 });
    const made = await server.call("memory_confirm", { name, quote: "yes, short answers please" });
    expect(made.isError).toBe(true);
    expect(valueOf(await server.call("memory_overview", {}))).toMatchObject({ total: 0, pending: 1 });
  });

  test("is kept once the user said so after the proposal", async () => {
    const home = sandboxHome();
    const server = await open(home);
    const session = { session_id: "s1", cwd: home.work };
    const prompt = (text: string) =>
      server.call("memory_hook", { hook_event_name: "UserPromptSubmit", ...session, prompt: text });
    await prompt("please look at the build");
    const name = (await write(server, ABOUT_USER))["name"] as string;
    await prompt("yes, short answers without a summary please");
    const confirmed = valueOf(
      await server.call("memory_confirm", { name, quote: "yes, short answers without a summary please" }),
    );
    expect(confirmed).toMatchObject({ type: "user", handle: expect.any(String) as string });
    expect(valueOf(await server.call("memory_overview", {}))).toMatchObject({ total: 1, pending: 0 });
  });

  test("is dropped when the user declined", async () => {
    const server = await open(sandboxHome());
    const name = (await write(server, ABOUT_USER))["name"] as string;
    const answer = await server.call("memory_reject", { name, reason: "the user said no" });
    expect(valueOf(answer)).toEqual({ outcome: "rejected", name });
    expect(valueOf(await server.call("memory_overview", {}))).toMatchObject({ total: 0, pending: 0 });
  });
});

describe("several servers", () => {
  test("share one store", async () => {
    const home = sandboxHome();
    const servers = await Promise.all([open(home), open(home), open(home)]);
    const topics = ["grafana", "sentry", "vault", "jenkins", "nexus", "sonar"];
    const outcomes = await Promise.all(
      topics.map((topic, i) =>
        write(servers[i % servers.length] as McpProcess, {
          type: "reference",
          statement: `the address of ${topic}`,
          body: `${topic} is at https://${topic}.example.com`,
        }),
      ),
    );
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(topics.map(() => "written"));
    for (const server of servers) {
      expect(valueOf(await server.call("memory_overview", {}))).toMatchObject({ total: topics.length });
    }
  });
});

test("why tells what a prompt brings up, and leaves no trace", async () => {
  const server = await open(sandboxHome());
  const written = await write(server, {
    type: "reference",
    statement: "dashboards of the billing service are in grafana",
    body: "Billing dashboards: https://grafana.example.com/d/billing",
  });
  const answer = valueOf(
    await server.call("memory_why", { prompt: "open the grafana dashboards of billing" }),
  );
  expect(answer).toMatchObject({ is_rehearsal: true });
  expect(JSON.stringify(answer["decisions"])).toContain(written["handle"]);
  expect(valueOf(await server.call("memory_why", {}))).toMatchObject({ decisions: [] });
});

test("a long conversation is read on from where an answer says so, to its end", async () => {
  const home = sandboxHome();
  execFileSync("git", ["init", "-q"], { cwd: home.work });
  execFileSync("git", ["remote", "add", "origin", "https://github.com/acme/api.git"], { cwd: home.work });
  const session = "aaaaaaaa-0000-4000-8000-000000000001";
  const file = join(home.root, ".claude/projects/p", `${session}.jsonl`);
  const writer = new SessionWriter(file, { session, cwd: home.work, now: "2026-10-01T10:00:00Z" });
  for (let i = 0; i < 7; i++) writer.user(`turn ${i} of a talk about the retry policy of the gateway`);
  const server = await open(home);
  const told: string[] = [];
  const ends: unknown[] = [];
  for (let from: unknown = 0; from !== undefined; from = ends.at(-1)) {
    const value = valueOf(await server.call("memory_history", { session, limit: 3, from }));
    const [{ passages }] = value["conversations"] as [{ passages: { text: string }[] }];
    told.push(...passages.map(({ text }) => text.slice(0, 6)));
    ends.push(value["next_from"]);
    expect(value["passages_in_all"]).toBe(7);
  }
  expect(ends).toEqual([3, 6, undefined]);
  expect(told).toEqual(Array.from({ length: 7 }, (_, i) => `turn ${i}`));
  const beyond = valueOf(await server.call("memory_history", { session, from: 7 }));
  expect(beyond).not.toHaveProperty("next_from");
});
