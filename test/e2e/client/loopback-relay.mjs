// Runs a command whose Messages API is a Unix socket: node loopback-relay.mjs SOCKET COMMAND [ARGUMENT ...]
// A network namespace has a loopback device of its own, but Unix sockets are files: this relay, inside the namespace,
// gives the client a port of 127.0.0.1 and passes every byte on to the socket. Plain JavaScript: it runs by itself.
import { spawn } from "node:child_process";
import { connect, createServer } from "node:net";

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
  child.on("exit", (code) => process.exit(code ?? 128));
});
