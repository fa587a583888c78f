import { join } from "node:path";
import { MessagesApi } from "../api/messages-api.ts";
import { startClient, type ClientExit } from "./run-client.ts";
import type { Sandbox } from "./sandbox.ts";

/** Installing copies a folder and starts nothing: anything slower than this waits for the network in vain. */
const COMMAND_TIMEOUT_MS = 30_000;

/** Runs a subcommand of the client, for example `plugin install heed@heed`, offline. */
export async function runClientCommand(
  sandbox: Sandbox,
  client: string,
  args: readonly string[],
): Promise<ClientExit> {
  const apiSocket = join(sandbox.root, "command.sock");
  const api = await new MessagesApi({}).listen(apiSocket);
  try {
    const { cwd, env } = { cwd: sandbox.project, env: sandbox.env };
    const running = startClient({ client, args, cwd, env, apiSocket, timeoutMs: COMMAND_TIMEOUT_MS });
    running.stdin.end();
    return await running.exit;
  } finally {
    await api.close();
  }
}
