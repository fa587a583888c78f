import { rmSync, writeFileSync } from "node:fs";
import type { Client } from "@modelcontextprotocol/client";
import { expect, test } from "vitest";
import { sandboxHome } from "../sandbox-home.ts";
import { sdkClient } from "./sdk-client.ts";

const NOBODYS_FIELD = "nobodys_field";

/** What is wrong with an answer that should be a readable error; undefined: nothing. */
async function faultOf(
  client: Client,
  name: string,
  input: Record<string, unknown>,
): Promise<string | undefined> {
  const call = `${name} ${JSON.stringify(input)}`;
  const answer = await client.callTool({ name, arguments: input }).catch((error: unknown) => String(error));
  if (typeof answer === "string") return `${call}: thrown: ${answer}`;
  if (answer.isError !== true) return `${call}: no error`;
  // Older clients hold structured content of errors against the output schema, and show the misfit instead.
  if (answer.structuredContent !== undefined) return `${call}: structured content`;
  const [injected] = answer.content;
  const text = injected?.type === "text" ? injected.text : "";
  const { error, refusals } = JSON.parse(text) as { error?: { message?: string }; refusals?: unknown[] };
  return (error?.message ?? "") === "" && refusals === undefined ? `${call}: ${text}` : undefined;
}

test("every tool, called with what is no argument of its, answers a client of the official SDK with a readable error, which tells a wrong field beside those that there are", async () => {
  const client = await sdkClient(sandboxHome());
  const { tools } = await client.listTools();
  const faults: (string | undefined)[] = [];
  for (const { name, inputSchema } of tools) {
    faults.push(await faultOf(client, name, { [NOBODYS_FIELD]: 1 }));
    for (const field of Object.keys(inputSchema.properties ?? {}))
      faults.push(await faultOf(client, name, { [field]: { wrong: true } }));
  }
  for (const { name, inputSchema } of tools.filter((tool) => tool.name !== "memory_hook")) {
    const { content } = await client.callTool({ name, arguments: { [NOBODYS_FIELD]: 1 } });
    const fields = Object.keys(inputSchema.properties ?? {}).join(", ");
    expect(JSON.stringify(content)).toContain(`${NOBODYS_FIELD} is not known: give one of ${fields}`);
  }
  expect(tools.length).toBeGreaterThan(5);
  expect(faults.filter(Boolean)).toEqual([]);
});

test("a tool whose work fails says why", async () => {
  const home = sandboxHome();
  const client = await sdkClient(home);
  const { tools } = await client.listTools();
  // A file where the memories and the records should be: nothing can be read and nothing be written.
  rmSync(home.userStore, { recursive: true, force: true });
  writeFileSync(home.userStore, "");
  const calls: [string, Record<string, unknown>][] = [
    ["memory_show", { handle: "no-such" }],
    ["memory_write", { type: "feedback", statement: "run the linter before a commit" }],
    ["memory_update", { handle: "no-such", body: "x" }],
    ["memory_remove", { handle: "no-such", reason: "x" }],
  ];
  for (const [name, input] of calls) {
    expect(tools.map((tool) => tool.name)).toContain(name);
    expect(await faultOf(client, name, input)).toBeUndefined();
  }
});
