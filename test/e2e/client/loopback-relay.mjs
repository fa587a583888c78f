// Runs a command whose Messages API is a Unix socket: node loopback-relay.mjs SOCKET COMMAND [ARGUMENT ...]
// A network namespace has a loopback device of its own, but Unix sockets are files: this relay, inside the namespace,
// gives the client a port of 127.0.0.1 and passes every byte on to the socket. Plain JavaScript: it runs by itself.
import { spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { connect, createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

const [socketPath, command, ...args] = process.argv.slice(2);

const server = createServer((inside) => {
  const outside = connect(socketPath);
  for (const [from, to] of [
    [inside, outside],
    [outside, inside],
  ]) {
    from.setNoDelay?.(true);
    from.on("error", () => to.destroy());
    from.pipe(to);
  }
});

// A scenario that writes the address into a file has to know the port beforehand.
server.listen(Number(process.env.HEED_E2E_API_PORT ?? 0), "127.0.0.1", () => {
  const env = { ...process.env, ANTHROPIC_BASE_URL: `http://127.0.0.1:${server.address().port}` };
  const child = spawn(command, args, { stdio: "inherit", env });
  child.on("error", (error) => {
    console.error(`cannot run ${command}: ${error.message}`);
    process.exit(127);
  });
  child.on("exit", (code) => {
    void (process.pid === 1 ? outlast(code) : Promise.resolve()).then(() => process.exit(code ?? 128));
  });
});

/**
 * With the first process of a namespace all others end, and a client may leave some behind that have work to do: says to the
 * terminal, by a sequence that shows nothing, how the client ended, and stays until they have.
 */
async function outlast(code) {
  process.stdout.write(`\u001b]7777;${code ?? 128}\u0007`);
  while (hasOthers()) await sleep(100);
}

/** Whether any other process runs in this namespace; one that has ended and was never asked for has no command line. */
function hasOthers() {
  return readdirSync("/proc").some((pid) => {
    if (!/^\d+$/.test(pid) || pid === "1") return false;
    try {
      return readFileSync(`/proc/${pid}/cmdline`, "latin1") !== "";
    } catch {
      return false;
    }
  });
}
