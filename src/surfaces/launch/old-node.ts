import { appendFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { findPlaces } from "../../machine/places.ts";
import { type Input, readInput } from "../standard-streams.ts";
import { clientIn } from "../hooks/adapters/all-adapters.ts";
import { replyUnanswered } from "../hooks/render-answer.ts";
import { whyNoNode } from "./node-version.ts";

// What heed is on a Node that is too old: it says so, wherever somebody listens.

const why = whyNoNode() ?? "";
const said = `${why}. No rule or guard is in force here until then.`;
const { argv, env } = process;

if (argv[2] === "hook" && argv[3] !== "--start") void hook();
else if (argv[2] === "mcp") serve();
else {
  process.stderr.write(`${why}\n`);
  process.exitCode = 1;
}

async function hook(): Promise<void> {
  const input = await readInput();
  process.stdout.write(reply(input), () => process.exit(0));
}

function reply(input: Input): string {
  try {
    const { state } = findPlaces(env);
    mkdirSync(state, { recursive: true, mode: 0o700 });
    appendFileSync(
      join(state, "heed.log"),
      `${new Date().toISOString()} ${process.pid} unanswered: ${why}\n`,
    );
  } catch {
    // Then the client alone hears of it.
  }
  return replyUnanswered(said, input, { client: clientIn(argv), env });
}

function serve(): void {
  let unread = "";
  process.stdin.setEncoding("utf8").on("data", (chunk: string) => {
    const lines = (unread + chunk).split("\n");
    unread = lines.pop() ?? "";
    for (const line of lines) {
      const answer = answerTo(line);
      if (answer) process.stdout.write(`${JSON.stringify(answer)}\n`);
    }
  });
}

interface Request {
  id?: unknown;
  method?: string;
  params?: { name?: string; protocolVersion?: string; arguments?: object };
}

function answerTo(line: string): object | undefined {
  let request: Request;
  try {
    request = JSON.parse(line) as Request;
  } catch {
    return undefined;
  }
  const { id, method, params = {} } = request;
  if (id === undefined) return undefined;
  const tool = { name: "memory_search", description: said, inputSchema: { type: "object" } };
  const isHook = params.name === "memory_hook";
  const results: Record<string, object> = {
    initialize: {
      protocolVersion: params.protocolVersion,
      capabilities: { tools: {} },
      serverInfo: { name: "heed", version: "0" },
      instructions: said,
    },
    ping: {},
    "tools/list": { tools: [tool] },
    "tools/call": {
      content: [{ type: "text", text: isHook ? reply({ value: params.arguments ?? {} }) : said }],
      isError: !isHook,
    },
  };
  const result = results[method ?? ""];
  return { jsonrpc: "2.0", id, ...(result ? { result } : { error: { code: -32601, message: said } }) };
}
