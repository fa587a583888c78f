import { DIALECTS } from "../../hooks/dialects/all-dialects.ts";
import type { Client, Launch } from "../entry/client.ts";
import type { Finding } from "./finding.ts";
import { SAMPLE_RULE, SAMPLES } from "./sample-events.ts";
import type { SampleEvent } from "./sample-events.ts";
import { ThrowawayHome } from "./throwaway-home.ts";

const REMEDY = "Run it by hand with HEED_DEBUG=1 (CONTRIBUTING.md), and report what it says.";

/** Runs heed's hook as a client does, in that client's own shape, in a home that is thrown away. */
export async function tryHook(
  { name, title }: Client,
  { command, args }: Launch,
  env: Readonly<Record<string, string | undefined>>,
): Promise<Finding[]> {
  const dialect = DIALECTS.find(({ client }) => client === name);
  const samples = SAMPLES[name];
  if (dialect === undefined || samples === undefined) return [];
  const home = new ThrowawayHome(env);
  const ask = async ({ raw, event }: SampleEvent): Promise<{ said: string; exitCode: number | null }> => {
    const words = ["hook", "--client", name, ...(event === undefined ? [] : ["--event", event])];
    const { stdout, stderr, exitCode } = await home.run(command, [...args, ...words], JSON.stringify(raw));
    return { said: stdout + stderr, exitCode };
  };
  const found = (what: string, isRight: boolean, detail: string, said: string): Finding =>
    isRight
      ? { about: name, what, state: "ok", detail }
      : { about: name, what, state: "wrong", detail: `it answered ${shown(said)}`, remedy: REMEDY };
  try {
    const findings: Finding[] = [];
    if (samples.opening) {
      const { said } = await ask(samples.opening(home.work));
      const detail = `a fresh context in ${title}'s shape holds the rules`;
      findings.push(found("hook", said.includes(SAMPLE_RULE), detail, said));
    }
    const { said, exitCode } = await ask(samples.tool(home.work));
    const isStopped = exitCode === 2 || /"(?:deny|block)"/.test(said) || /"deny":/.test(said);
    const isRight = dialect.decides === "none" ? said.includes("heed:sesame") : isStopped;
    const detail =
      dialect.decides === "none" ? "told, as a refusal ends the run there" : "a forbidden call is refused";
    return [...findings, found("guard", isRight, detail, said)];
  } finally {
    home.remove();
  }
}

const MESSAGES = [
  {
    jsonrpc: "2.0",
    id: 1,
    method: "initialize",
    params: {
      protocolVersion: "2025-06-18",
      capabilities: {},
      clientInfo: { name: "heed-doctor", version: "1" },
    },
  },
  { jsonrpc: "2.0", method: "notifications/initialized" },
  { jsonrpc: "2.0", id: 2, method: "tools/list", params: {} },
];

/** Starts heed's server, shakes hands and asks for its tools. */
export async function tryServer(
  { command, args }: Launch,
  env: Readonly<Record<string, string | undefined>>,
): Promise<Finding> {
  const home = new ThrowawayHome(env);
  try {
    const input = MESSAGES.map((message) => `${JSON.stringify(message)}\n`).join("");
    const { stdout, stderr } = await home.run(command, [...args, "mcp"], input);
    const tools = [...stdout.matchAll(/"name":"(memory_\w+)"/g)].map(([, name]) => name);
    return tools.includes("memory_search")
      ? { about: "machine", what: "server", state: "ok", detail: `it lists ${new Set(tools).size} tools` }
      : {
          about: "machine",
          what: "server",
          state: "wrong",
          detail: `it lists no tools: ${shown(stdout + stderr)}`,
          remedy: "Try heed mcp in a terminal; heed.log says more.",
        };
  } finally {
    home.remove();
  }
}

function shown(text: string): string {
  const line = text.trim().replace(/\s+/g, " ");
  return line === "" ? "nothing" : `“${line.slice(0, 200)}”`;
}
