import { connect } from "node:net";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { Actor } from "../../../src/heed.ts";
import type { RunningServer } from "../../../src/surfaces/web/server/start-server.ts";
import { startServer } from "../../../src/surfaces/web/server/start-server.ts";
import { TemporaryHeed } from "../../home/temporary-heed.ts";

/** A page that is served over a heed of its own. */
interface ServedPage {
  memory: TemporaryHeed;
  server: RunningServer;
  origin: string;
  key: string;
  /** A ticket for the key, as an address of the page has it. */
  newTicket: () => string;
  /** Sends a request as the page does; its key may be another. */
  post: (path: string, body?: string, key?: string) => Promise<Response>;
  call: (name: string, ...args: unknown[]) => Promise<{ status: number; answer?: unknown; error?: object }>;
  /** Asks for a path with these headers, as they are, after the right Host; resolves to the status and all that comes back. */
  get: (path: string, headers?: readonly string[]) => Promise<[status: number, answer: string]>;
}

/** Serves a page, until the test ends. */
export async function servedPage(options: { actor?: Actor; idleMs?: number } = {}): Promise<ServedPage> {
  const memory = new TemporaryHeed();
  const directory = join(memory.folder, "web");
  mkdirSync(directory);
  for (const name of ["index.html", "page.js", "style.css", "icon.svg"])
    writeFileSync(join(directory, name), `the file ${name}`);
  const heed = memory.open();
  await heed.setup.init("user");
  const server = await startServer({
    heed,
    actor: options.actor ?? { kind: "person" },
    env: memory.env,
    directory,
    idleMs: options.idleMs ?? 60_000,
  });
  const origin = `http://127.0.0.1:${server.port}`;
  onTestFinished(async () => {
    server.close();
    await heed.close();
    await memory.remove();
  });
  const newTicket = (): string => server.newAddress().split("#ticket=")[1] ?? "";
  let key = newTicket();
  const post = (path: string, body = "[]", withKey = key): Promise<Response> =>
    fetch(`${origin}/api/${path}`, {
      method: "POST",
      headers: { "content-type": "application/json", origin, "x-heed-key": withKey },
      body,
    });
  ({ answer: key } = (await (await post("enter")).json()) as { answer: string });
  return {
    memory,
    server,
    origin,
    key,
    newTicket,
    post,
    call: async (name, ...args) => {
      const response = await post(name, JSON.stringify(args));
      const isJson = response.headers.get("content-type") === "application/json";
      return { status: response.status, ...(isJson && ((await response.json()) as object)) };
    },
    get: (path, headers = [`Host: 127.0.0.1:${server.port}`]) =>
      new Promise((resolve, reject) => {
        const lines = [`GET ${path} HTTP/1.1`, ...headers, "Connection: close", "", ""];
        let answer = "";
        const socket = connect(server.port, "127.0.0.1", () => socket.write(lines.join("\r\n")));
        socket.setTimeout(5_000, () => socket.destroy());
        socket.on("data", (data) => (answer += data.toString("utf8")));
        socket.on("close", () => resolve([Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1] ?? 0), answer]));
        socket.on("error", reject);
      }),
  };
}
