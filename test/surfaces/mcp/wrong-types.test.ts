import { expect, test } from "vitest";
import { sandboxHome } from "../sandbox-home.ts";
import { McpProcess, valueOf } from "./mcp-process.ts";

/** What of JSON schema the tools' arguments use. */
interface Schema {
  type?: string | string[];
  anyOf?: Schema[];
  enum?: unknown[];
  items?: Schema;
  properties?: Record<string, Schema>;
}

const VALUES: readonly unknown[] = [null, true, 7, 1.5, "nothing of the kind", [], {}, { x: 1 }];
/** Words that only the schema library, a parser or the runtime would say. */
const RAW = /zod|invalid input|expected|received|undefined|\[object|unrecognized|TypeError|RangeError/i;

function fits(value: unknown, schema: Schema): boolean {
  if (Array.isArray(schema.type)) return schema.type.some((type) => fits(value, { ...schema, type }));
  if (schema.anyOf) return schema.anyOf.some((one) => fits(value, one));
  if (schema.enum && !schema.enum.includes(value)) return false;
  switch (schema.type) {
    case "integer":
      return Number.isInteger(value);
    case "array":
      return Array.isArray(value);
    case "object":
      return typeof value === "object" && value !== null && !Array.isArray(value);
    case "null":
      return value === null;
    case undefined:
      return true;
    default:
      return typeof value === schema.type;
  }
}

/** Values of each wrong type, and lists of such. */
function wrongFor(schema: Schema): unknown[] {
  const { items } = schema;
  return [
    ...VALUES.filter((value) => !fits(value, schema)),
    ...(items ? wrongFor(items).map((item) => [item]) : []),
  ];
}

/** A server, and the tools that it offers. */
async function open(): Promise<{ server: McpProcess; tools: { name: string; inputSchema: Schema }[] }> {
  const server = await McpProcess.opened(sandboxHome(), "modern");
  const { tools } = await server.ask("tools/list");
  return { server, tools: tools as { name: string; inputSchema: Schema }[] };
}

test("every argument of every tool, of every wrong type: which it is, and what to send", async () => {
  const { server, tools } = await open();
  const answers: string[] = [];
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
  expect(tried).toBeGreaterThan(250);
  expect(answers).toEqual([]);
}, 60_000);
