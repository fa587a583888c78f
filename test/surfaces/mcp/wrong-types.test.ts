import { rmSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { RULE, SandboxHome } from "../sandbox-home.ts";
import { McpProcess, valueOf } from "./mcp-process.ts";

/** What of JSON schema the tools' arguments use. */
interface Schema {
  type?: string | string[];
  anyOf?: Schema[];
  enum?: unknown[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
}

const VALUES = { boolean: true, number: 1.5, string: "nothing of the kind", array: [], object: { x: 1 } };
/** Words that only the schema library, a parser or the runtime would say. */
const RAW = /zod|invalid input|expected|received|undefined|\[object|unrecognized|TypeError|RangeError/i;

/** Values of each wrong type, and lists of such. */
function wrongFor(schema: Schema): unknown[] {
  const { items, anyOf = [], enum: words } = schema;
  const types = [schema, ...anyOf].flatMap(({ type }) => type ?? []);
  const isTaken = (type: string): boolean => types.includes(type) && !(type === "string" && words);
  const wrong = Object.entries(VALUES).flatMap(([type, value]) => (isTaken(type) ? [] : [value]));
  return [...wrong, ...(items ? wrongFor(items).map((item) => [item]) : [])];
}

/** A server, and the tools that it offers. */
async function open(): Promise<{ server: McpProcess; tools: { name: string; inputSchema: Schema }[] }> {
  const server = await McpProcess.opened(new SandboxHome(), "modern");
  const { tools } = await server.ask("tools/list");
  return { server, tools: tools as { name: string; inputSchema: Schema }[] };
}

test("every argument of every tool, of every wrong type: which it is, and what to send", async () => {
  const { server, tools } = await open();
  const answers: string[] = [];
  for (const { name, inputSchema } of tools) {
    const { content } = await server.call(name, { nobodys_field: 1 });
    const fields = Object.keys(inputSchema.properties ?? {}).join(", ");
    expect(content[0]?.text).toContain(`nobodys_field is not known: give one of ${fields}`);
  }
  let tried = 0;
  for (const { name, inputSchema } of tools)
    for (const [field, schema] of Object.entries(inputSchema.properties ?? {}))
      for (const value of wrongFor(schema)) {
        tried += 1;
        const answer = await server.call(name, { [field]: value });
        const { code, message = "" } = (valueOf(answer)["error"] ?? {}) as Record<string, string>;
        const injected = message.split("; ").find((part) => new RegExp(`^${field}[.[ ]`).test(part)) ?? "";
        const isPlain = answer.isError === true && code === "invalid-input" && !RAW.test(message);
        if (!isPlain || !/: give \S/.test(injected))
          answers.push(
            `${name} ${field}=${JSON.stringify(value)?.slice(0, 40)}: ${JSON.stringify(answer).slice(0, 300)}`,
          );
      }
  expect(tools).toHaveLength(8);
  expect(tried).toBeGreaterThan(180);
  expect(answers).toEqual([]);
});

/** A value that a schema takes. */
function rightFor({ type, anyOf, enum: words, items, properties }: Schema): unknown {
  if (anyOf) return rightFor(anyOf.at(-1) ?? {});
  if (words) return words[0];
  if (type === "array") return [rightFor(items ?? {})];
  const values = {
    integer: 1,
    number: 1,
    boolean: true,
    object: Object.fromEntries(Object.entries(properties ?? {}).map(([name, one]) => [name, rightFor(one)])),
  };
  return values[type as keyof typeof values] ?? "x";
}

test("every argument of every tool as JSON text, or null: taken as what its schema asks for", async () => {
  const { server, tools } = await open();
  const faults: string[] = [];
  let tried = 0;
  for (const { name, inputSchema } of tools)
    for (const [field, schema] of Object.entries(inputSchema.properties ?? {})) {
      const right = rightFor(schema);
      const isNeeded = inputSchema.required?.includes(field) === true;
      const sent = [
        ...(typeof right === "string" ? [] : [JSON.stringify(right)]),
        ...(isNeeded ? [] : [null]),
        ...(Array.isArray(right) ? [[...(right as unknown[]), null]] : []),
        ...(Array.isArray(right) && right[0] === "x" ? ["x"] : []),
      ];
      for (const value of sent) {
        tried += 1;
        const { error } = valueOf(await server.call(name, { [field]: value, nobodys_field: 1 }));
        const { message = "" } = (error ?? {}) as { message?: string };
        // Complained about is what else is missing, and the field that nobody knows.
        if (!message.includes("nobodys_field") || new RegExp(`(?:^|; )${field}[.[ ]`).test(message))
          faults.push(`${name} ${field}=${JSON.stringify(value)}: ${message}`);
      }
    }
  expect(tried).toBeGreaterThan(60);
  expect(faults).toEqual([]);
});

test.each([[[{ command: "npm publish" }]], ['[{"command":"npm publish"}]'], ['{"command":"npm publish"}']])(
  "a guard is proposed as a list or as JSON text, too: %j",
  async (guard) => {
    const { server } = await open();
    const statement = "never publish from a laptop";
    const rule = { type: "feedback", statement, reason: "a wrong build went out", guard };
    expect(valueOf(await server.call("memory_write", rule))).toMatchObject({ outcome: "waits" });
  },
);

test("arguments as text do what they would do as values", async () => {
  const home = new SandboxHome();
  home.write("store/feedback/keep-the-lockfile.md", RULE);
  const server = await McpProcess.opened(home, "modern");
  const call = async (name: string, input: object) =>
    JSON.stringify(valueOf(await server.call(name, { ...input })));
  expect(await call("memory_show", { handles: '["keep-the-lockfile"]' })).toContain("a hand edit broke");
  const found = await call("memory_search", { query: "lockfile", types: '["feedback"]', limit: "5" });
  expect(found).toContain("never edit package-lock.json");
  const whole = { name: "memory_search", arguments: JSON.stringify({ query: "lockfile" }) };
  expect(JSON.stringify(await server.ask("tools/call", whole))).toContain("never edit package-lock.json");
  expect(JSON.stringify(await server.ask("tools/call", { ...whole, arguments: null }))).toContain(
    "never edit package-lock.json",
  );
  // A text stays one, whatever it looks like.
  expect(await call("memory_search", { query: '["lockfile"]', limit: null })).toContain(
    "never edit package-lock.json",
  );
});

test("a tool whose work fails says why", async () => {
  const home = new SandboxHome();
  const server = await McpProcess.opened(home, "modern");
  // A file where the memories should be: nothing can be read and nothing be written.
  rmSync(home.userStore, { recursive: true, force: true, maxRetries: 10 });
  writeFileSync(home.userStore, "");
  for (const [name, input] of [
    ["memory_show", { handle: "no-such" }],
    ["memory_write", { type: "feedback", statement: "run the linter before a commit" }],
    ["memory_update", { handle: "no-such", body: "x" }],
    ["memory_remove", { handle: "no-such", reason: "x" }],
  ] as const) {
    const answer = await server.call(name, input);
    const { error, refusals } = valueOf(answer);
    expect([name, answer.isError]).toEqual([name, true]);
    expect([name, (error as Error | undefined)?.message ?? refusals]).not.toEqual([name, undefined]);
  }
});
