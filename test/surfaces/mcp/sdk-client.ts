import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { onTestFinished } from "vitest";
import { HEED, type SandboxHome } from "../sandbox-home.ts";

/** The server as a client of the official SDK has it: one that holds what it is answered against the tools' schemas. */
export async function sdkClient(home: SandboxHome, env: Record<string, string> = {}): Promise<Client> {
  const client = new Client({ name: "sdk-test", version: "1.0.0" });
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [HEED, "mcp"],
    cwd: home.work,
    env: { ...home.env, ...env },
    stderr: "ignore",
  });
  await client.connect(transport);
  onTestFinished(() => client.close());
  return client;
}
