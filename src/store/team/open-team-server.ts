import { Client, type QueryResult } from "pg";
import { TeamServer, type Sql } from "./team-server.ts";

export { SCHEMA_VERSION } from "./team-server.ts";

interface Login {
  /** The server's address without a password. */
  url: string;
  /** Default: what libpq would take, from PGPASSWORD or a pgpass file. */
  password?: string | undefined;
  connectMs: number;
}

/** A statement that takes longer than this many milliseconds is given up: a search over a million memories takes a tenth. */
const STATEMENT_MS = 30_000;

/** Logs in; keeps no process alive. TLS with a checked certificate for another host, unless `sslmode` says otherwise. */
export async function openTeamServer({ url, password, connectMs }: Login): Promise<TeamServer> {
  const client = new Client({
    connectionString: url,
    connectionTimeoutMillis: connectMs,
    statement_timeout: STATEMENT_MS,
    application_name: "heed",
    keepAlive: true,
    ...(password !== undefined && { password }),
    ...(!isHere(url) && { ssl: true }),
  });
  // Without a listener an error of an idle connection ends the process.
  client.on("error", () => undefined);
  await client.connect();
  (client as unknown as { unref(): void }).unref();
  return new TeamServer(sqlOf(client));
}

function sqlOf(client: Client): Sql {
  const { stream } = (client as unknown as { connection: { stream: { ref(): void; unref(): void } } })
    .connection;
  let waiting = 0;
  let last: Promise<unknown> = Promise.resolve();
  /** Whoever waits for an answer does not end before it. The driver takes one question after the other. */
  const ask = async (text: string, values?: readonly unknown[]): Promise<QueryResult> => {
    if (waiting++ === 0) stream.ref();
    const answer = last.then(() => client.query(text, values && [...values]));
    last = answer.catch(() => undefined);
    try {
      return await answer;
    } finally {
      if (--waiting === 0) stream.unref();
    }
  };
  return {
    query: async <Row>(text: string, values?: readonly unknown[]) => (await ask(text, values)).rows as Row[],
    run: async (script) => void (await ask(script)),
    listen: async (channel) => void (await ask(`listen ${client.escapeIdentifier(channel)}`)),
    onEvent: (tell) => {
      client.on("notification", () => tell("notified"));
      client.on("error", () => tell("broken"));
      client.on("end", () => tell("broken"));
    },
    close: () => {
      stream.ref();
      return client.end();
    },
  };
}

/** Whether the address is of this machine: its loopback device, or a socket. */
function isHere(url: string): boolean {
  const { hostname, searchParams } = new URL(url);
  const host = searchParams.get("host") ?? decodeURIComponent(hostname);
  return host === "" || host.startsWith("/") || /^(?:localhost|127\.\d+\.\d+\.\d+|\[?::1\]?)$/.test(host);
}
