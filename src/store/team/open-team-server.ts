import { Client, DatabaseError } from "pg";
import type { Socket } from "node:net";
import { TeamServer } from "./team-server.ts";

export { SCHEMA_VERSION } from "./schema.ts";

interface Login {
  /** Without a password. `?listen=on`: the connection is kept. */
  url: string;
  /** Asked at each connection. Default: PGPASSWORD or a pgpass file. */
  password?: () => string | undefined;
  connectMs?: number;
}

/** A longer answer is given up, in milliseconds: a write that waits for 200 others took 2.3 s. */
const ANSWER_MS = 5_000;
/** An unused connection is closed after this many milliseconds: a thousand machines share a hundred. */
const IDLE_MS = 200;

interface Connection {
  client: Client & { connection: { stream: Socket } };
  opening: Promise<unknown>;
  heard: Set<string>;
}

/** A server as one login sees it: connected while it is asked, and no reason for a process to stay. */
export function openTeamServer({ url, password, connectMs = 3_000 }: Login): TeamServer {
  const isKept = new URL(url).searchParams.get("listen") === "on";
  let current: Connection | undefined;
  let idle: NodeJS.Timeout | undefined;
  let last: Promise<unknown> = Promise.resolve();
  // TLS with a checked certificate for another host, unless `sslmode` says otherwise. Poolers refuse other parameters.
  const connect = (): Connection => {
    const secret = password?.();
    const client = new Client({
      connectionString: url,
      connectionTimeoutMillis: connectMs,
      application_name: "heed",
      keepAlive: true,
      ...(secret !== undefined && { password: secret }),
      ...(!isHere(url) && { ssl: true }),
    }) as Connection["client"];
    const made = { client, opening: client.connect(), heard: new Set<string>() };
    const forget = (): void => void (current === made && (current = undefined));
    // Without a listener an error of an idle connection ends the process.
    client.on("error", forget).on("end", forget);
    return made;
  };
  const end = (isIdle: boolean): void => {
    if (isIdle) void current?.client.end().catch(() => undefined);
    else current?.client.connection.stream.destroy();
    current = undefined;
  };
  /** One question after the other, as the driver wants; a process waits for its answers. */
  const inTurn = <T>(work: (open: Connection) => Promise<T>): Promise<T> => {
    const done = last.then(async () => {
      clearTimeout(idle);
      const open = (current ??= connect());
      const { stream } = open.client.connection;
      let isOpen = false;
      try {
        await open.opening;
        isOpen = true;
        stream.ref();
        return await work(open);
      } catch (error) {
        // What the server refuses leaves the connection as it was.
        if (current === open && !(isOpen && error instanceof DatabaseError)) end(false);
        throw error;
      } finally {
        stream.unref();
        if (!isKept) idle = setTimeout(end, IDLE_MS, true).unref();
      }
    });
    last = done.catch(() => undefined);
    return done;
  };
  return new TeamServer({
    query: <Row>(text: string, values?: readonly unknown[], answerMs = ANSWER_MS) =>
      inTurn(async ({ client }) => {
        const asked = { text, ...(values && { values: [...values] }), query_timeout: answerMs };
        return (await client.query(asked)).rows as Row[];
      }),
    listen: async (channels, tell) =>
      isKept &&
      inTurn(async ({ client, heard }) => {
        const others = channels.filter((channel) => !heard.has(channel));
        if (heard.size === 0) client.on("notification", tell);
        for (const channel of others) {
          await client.query(`listen ${client.escapeIdentifier(channel)}`);
          heard.add(channel);
        }
        return others.length > 0;
      }),
    close: () => end(false),
  });
}

/** Whether the address is of this machine: its loopback device, or a socket. */
function isHere(url: string): boolean {
  const { hostname, searchParams } = new URL(url);
  const host = searchParams.get("host") ?? decodeURIComponent(hostname);
  return host === "" || host.startsWith("/") || /^(?:localhost|127\.\d+\.\d+\.\d+|\[?::1\]?)$/.test(host);
}
