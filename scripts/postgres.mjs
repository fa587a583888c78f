// A throwaway PostgreSQL server on this machine, for the tests, benches and scenarios of team stores. It needs PostgreSQL's
// programs (Debian: apt-get install postgresql-15); `node scripts/postgres.mjs FOLDER` runs one until it is interrupted.
import { spawn, spawnSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { connect, createServer } from "node:net";
import { join } from "node:path";

const SYSTEM = "/usr/lib/postgresql";

/** The folder of PostgreSQL's programs: `HEED_POSTGRES_BIN`, or Debian's newest; undefined where there is none. */
export function findPostgres() {
  const given = process.env["HEED_POSTGRES_BIN"];
  if (given) return given;
  const versions = existsSync(SYSTEM) ? readdirSync(SYSTEM).sort((a, b) => Number(b) - Number(a)) : [];
  return versions
    .map((version) => join(SYSTEM, version, "bin"))
    .find((bin) => existsSync(join(bin, "initdb")));
}

/**
 * Makes a cluster in a folder, where there is none, and starts its server on a free port of the loopback device.
 *
 * @returns {Promise<{url: (role?: string) => string, socketUrl: (role?: string) => string, kill: () => Promise<void>, start: () => Promise<void>, stop: () => Promise<void>}>}
 *   `kill`: as a crash would, the server and all its processes at once; `start`: again, on the same port.
 */
export async function startPostgres(folder, settings = {}) {
  const bin = findPostgres();
  if (bin === undefined) throw new Error("PostgreSQL is not installed: apt-get install postgresql-15");
  // PostgreSQL refuses to run as root.
  const owner = process.getuid?.() === 0 ? idOf("postgres") : undefined;
  const as = owner === undefined ? {} : { uid: owner.uid, gid: owner.gid };
  const data = join(folder, "data");
  if (!existsSync(data)) {
    mkdirSync(data, { recursive: true });
    chmodSync(data, 0o700);
    // The server puts its socket here.
    if (owner) chmodSync(folder, 0o777);
    if (owner) chownSync(data, owner.uid, owner.gid);
    // Without a password on the loopback device: each test logs in as whom it wants.
    const args = ["-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8"];
    const { status, stderr } = spawnSync(join(bin, "initdb"), args, { ...as, encoding: "utf8", cwd: "/" });
    if (status !== 0) throw new Error(`initdb failed: ${stderr}`);
  }
  const port = await freePort();
  let server;
  const start = async () => {
    const options = { listen_addresses: "127.0.0.1", unix_socket_directories: folder, port, ...settings };
    const args = Object.entries(options).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
    server = spawn(join(bin, "postgres"), ["-D", data, ...args], {
      ...as,
      cwd: "/",
      stdio: "ignore",
      detached: true,
    });
    server.unref();
    for (let attempt = 0; ; attempt++) {
      const { status } = spawnSync(
        join(bin, "pg_isready"),
        ["-q", "-h", "127.0.0.1", "-p", String(port)],
        as,
      );
      if (status === 0) return;
      if (attempt > 300 || server.exitCode !== null) throw new Error("the server does not start");
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  };
  const end = (signal) =>
    new Promise((resolve) => {
      if (!server || server.exitCode !== null || server.signalCode !== null) return resolve();
      // Whoever waits for its end does not end before it.
      server.ref();
      server.once("exit", () => resolve());
      if (signal === "SIGKILL") killAll(server.pid);
      else server.kill(signal);
    });
  await start();
  return {
    url: (role = "postgres", database = "postgres") => `postgres://${role}@127.0.0.1:${port}/${database}`,
    socketUrl: (role = "postgres", database = "postgres") =>
      `postgres://${role}@localhost:${port}/${database}?host=${encodeURIComponent(folder)}`,
    start,
    kill: () => end("SIGKILL"),
    stop: () => end("SIGINT"),
  };
}

/** The server's own processes are children of it, each in a group of its own. */
function killAll(pid) {
  const { stdout } = spawnSync("ps", ["-o", "pid=", "--ppid", String(pid)], { encoding: "utf8" });
  process.kill(pid, "SIGKILL");
  for (const child of stdout.split(/\s+/).filter(Boolean)) {
    try {
      process.kill(Number(child), "SIGKILL");
    } catch {
      // It ended by itself.
    }
  }
}

const PGBOUNCER = "/usr/sbin/pgbouncer";
/** Whether there is a pooler to try (Debian: apt-get install pgbouncer). */
export const hasPgbouncer = existsSync(PGBOUNCER);

/**
 * Puts a pooler before a server: two connections a login and database, shared by transaction.
 *
 * @param {{url: (role: string) => string}} server
 * @returns {Promise<{url: (role?: string) => string, stop: () => Promise<void>}>}
 */
export async function startPgbouncer(server, { poolSize = 2 } = {}) {
  const { hostname, port } = new URL(server.url("postgres"));
  const folder = mkdtempSync("/tmp/heed-pgbouncer-");
  const owner = process.getuid?.() === 0 ? idOf("postgres") : undefined;
  const own = await freePort();
  const users = join(folder, "users");
  writeFileSync(users, ["postgres", "alice", "bob", "writer"].map((name) => `"${name}" ""\n`).join(""));
  const settings = {
    listen_addr: "127.0.0.1",
    listen_port: own,
    unix_socket_dir: "",
    auth_type: "trust",
    auth_file: users,
    pool_mode: "transaction",
    default_pool_size: poolSize,
    max_client_conn: 2000,
    logfile: join(folder, "log"),
  };
  const lines = Object.entries(settings).map(([key, value]) => `${key} = ${value}\n`);
  writeFileSync(
    join(folder, "ini"),
    `[databases]\n* = host=${hostname} port=${port}\n[pgbouncer]\n${lines.join("")}`,
  );
  if (owner) chownSync(folder, owner.uid, owner.gid);
  const pooler = spawn(PGBOUNCER, ["-q", join(folder, "ini")], {
    ...(owner && { uid: owner.uid, gid: owner.gid }),
    stdio: "ignore",
  });
  const url = (role = "postgres") => {
    const to = new URL(server.url(role));
    to.port = String(own);
    return to.href;
  };
  for (let attempt = 0; !(await isOpen(own)); attempt++) {
    if (attempt > 100 || pooler.exitCode !== null) throw new Error("pgbouncer does not start");
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  const stop = async () => {
    const ended = new Promise((resolve) => pooler.once("exit", resolve));
    pooler.kill("SIGKILL");
    await ended;
    rmSync(folder, { recursive: true, force: true });
  };
  return { url, stop };
}

function isOpen(port) {
  return new Promise((resolve) => {
    const probe = connect(port, "127.0.0.1", () => resolve(true)).on("error", () => resolve(false));
    setTimeout(() => probe.destroy(), 100);
  });
}

function idOf(user) {
  const [uid, gid] = ["-u", "-g"].map((flag) =>
    Number(spawnSync("id", [flag, user], { encoding: "utf8" }).stdout),
  );
  return { uid, gid };
}

function freePort() {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, "127.0.0.1", () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });
}

if (import.meta.filename === process.argv[1]) {
  const [folder] = process.argv.slice(2);
  if (!folder) {
    console.error("usage: node scripts/postgres.mjs FOLDER");
    process.exit(2);
  }
  const server = await startPostgres(folder);
  console.log(server.url());
  process.once("SIGINT", () => void server.stop().then(() => process.exit(0)));
  process.once("SIGTERM", () => void server.stop().then(() => process.exit(0)));
  setInterval(() => undefined, 1 << 30);
}
