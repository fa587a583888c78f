// Runs the server scenarios of the official conformance suite against `heed mcp`, over a bridge from HTTP on this machine
// to the server's pipes: the suite speaks HTTP alone. It needs Node 22.17, so npx brings Node 24; nothing is installed.
//   npm run build && node scripts/mcp-conformance.mjs
// Left out are scenarios of what heed does not offer (resources, prompts, completion, logging, sampling, elicitation) and
// those that call tools which only the suite's own example server has.
import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const SUITE = "@modelcontextprotocol/conformance@0.1.16";
const SCENARIOS = ["server-initialize", "ping", "tools-list"];
const HEED = join(dirname(fileURLToPath(import.meta.url)), "../plugin/dist/heed.cjs");
const home = mkdtempSync(join(tmpdir(), "heed-conformance-"));
const env = { PATH: process.env.PATH, HOME: home, HEED_DIR: join(home, "memory") };

/** One server for each session of the suite: what is asked goes down its pipe, what is answered comes back by its id. */
const sessions = new Map();
function open() {
  const id = randomUUID();
  const child = spawn(process.execPath, [HEED, "mcp"], {
    env,
    cwd: home,
    stdio: ["pipe", "pipe", "inherit"],
  });
  const waiting = new Map();
  createInterface({ input: child.stdout }).on("line", (line) => {
    const message = JSON.parse(line);
    waiting.get(message.id)?.(message);
    waiting.delete(message.id);
  });
  const session = { id, child, waiting };
  sessions.set(id, session);
  return session;
}

const bridge = createServer((request, response) => {
  let body = "";
  request.on("data", (chunk) => (body += chunk));
  request.on("end", () => {
    if (request.method === "POST") pass(body, request.headers["mcp-session-id"], response);
    else response.writeHead(request.method === "DELETE" ? 200 : 405).end();
  });
});

function pass(body, sessionId, response) {
  const message = JSON.parse(body);
  const session = sessions.get(sessionId) ?? open();
  session.child.stdin.write(`${body.replaceAll("\n", " ")}\n`);
  const headers = { "content-type": "application/json", "mcp-session-id": session.id };
  // A notification, and an answer to what the server asked, gets none.
  if (message.id === undefined || message.method === undefined) response.writeHead(202, headers).end();
  else
    session.waiting.set(message.id, (answer) => response.writeHead(200, headers).end(JSON.stringify(answer)));
}

await new Promise((resolve) => bridge.listen(0, "127.0.0.1", resolve));
const url = `http://127.0.0.1:${bridge.address().port}/mcp`;
let failed = 0;
for (const scenario of SCENARIOS) {
  const words = [
    "--yes",
    "-p",
    "node@24",
    "-p",
    SUITE,
    "--",
    "conformance",
    "server",
    "--url",
    url,
    "--scenario",
    scenario,
  ];
  const status = await new Promise((resolve) =>
    spawn("npx", words, { stdio: "inherit", cwd: home }).on("exit", (code) => resolve(code)),
  );
  console.log(`${status === 0 ? "ok  " : "FAIL"} ${scenario}`);
  if (status !== 0) failed += 1;
}
for (const { child } of sessions.values()) child.kill();
bridge.close();
rmSync(home, { recursive: true, force: true, maxRetries: 5 });
console.log(`${SCENARIOS.length - failed} of ${SCENARIOS.length} scenarios passed`);
process.exit(failed === 0 ? 0 : 1);
