// Runs the server scenarios of the official conformance suite against `heed mcp`, over a bridge from HTTP on this machine
// to the server's pipes: the suite speaks HTTP alone. It needs Node 22.17, so npx brings Node 24; nothing is installed.
//   npm run build && node scripts/mcp-conformance.mjs
// Every server scenario of the suite stands below: it is run, or it says why it does not are relevant to a server that offers tools
// of its own over pipes. A scenario of a newer suite that stands nowhere fails the run.
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
/** Scenarios that are not run, by what they need. */
const LEFT_OUT = {
  "calls a tool that only the suite's example server has":
    "tools-call-simple-text tools-call-image tools-call-audio tools-call-embedded-resource tools-call-mixed-content tools-call-with-logging tools-call-error tools-call-with-progress tools-call-sampling tools-call-elicitation json-schema-2020-12 elicitation-sep1034-defaults elicitation-sep1330-enums",
  "asks for what heed does not offer, and does not declare":
    "logging-set-level completion-complete resources-list resources-read-text resources-read-binary resources-templates-read resources-subscribe resources-unsubscribe prompts-list prompts-get-simple prompts-get-with-args prompts-get-embedded-resource prompts-get-with-image",
  "tries HTTP itself, which here is the bridge's":
    "server-sse-polling server-sse-multiple-streams dns-rebinding-protection",
};
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
/** Runs the suite, and gives its exit code and, where it is asked for, what it printed. */
async function suite(words, isRead = false) {
  const args = ["--yes", "-p", "node@24.9.0", "-p", SUITE, "--", "conformance", ...words];
  const child = spawn("npx", args, { stdio: ["ignore", isRead ? "pipe" : "inherit", "inherit"], cwd: home });
  let text = "";
  child.stdout?.on("data", (data) => (text += data));
  const status = await new Promise((resolve) => child.on("close", resolve));
  return { status, text };
}

let failed = 0;
const { text } = await suite(["list", "--server"], true);
const offered = [...text.matchAll(/^ +- ([\w-]+)/gm)].map(([, name]) => name);
const known = new Set([...SCENARIOS, ...Object.values(LEFT_OUT).flatMap((names) => names.split(" "))]);
const strange = offered.filter((name) => !known.has(name));
if (offered.length === 0 || strange.length > 0) {
  console.error(
    `FAIL the suite has scenarios that stand nowhere here: ${strange.join(", ") || "none at all"}`,
  );
  failed += 1;
}
for (const [why, names] of Object.entries(LEFT_OUT))
  console.log(`left out, ${why}: ${names.split(" ").join(", ")}`);
for (const scenario of SCENARIOS) {
  const { status } = await suite(["server", "--url", url, "--scenario", scenario]);
  console.log(`${status === 0 ? "ok  " : "FAIL"} ${scenario}`);
  if (status !== 0) failed += 1;
}
for (const { child } of sessions.values()) child.kill();
bridge.close();
rmSync(home, { recursive: true, force: true, maxRetries: 5 });
console.log(`${SCENARIOS.length} of ${offered.length} scenarios are relevant to heed; ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
