import { execFileSync, spawn } from "node:child_process";
import { type AddressInfo, connect, createServer } from "node:net";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";
import { hasPgbouncer, startPgbouncer, type ThrowawayServer } from "../scripts/postgres.mjs";
import type { openHeed as Opener } from "../src/heed.ts";
import { Place, openWorkspace } from "../src/here/place.ts";
import { refreshTeams } from "../src/here/team-stores.ts";
import { newId } from "../src/memory/handle.ts";
import { openTeamServer } from "../src/store/team/open-team-server.ts";
import { changeStoreRegistry } from "../src/store/consent.ts";
import { type Figure, figure, spread } from "./figure.ts";
import { sql, withServer } from "./team-server.ts";

const PERSON = { kind: "person" } as const;
const sleep = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));

/** Machines on which a session is open and nobody types: what they ask of a server, and how many connections they hold. */
export async function idleMachines(machines: number, seconds: number): Promise<Figure[]> {
  const settings = { shared_preload_libraries: "pg_stat_statements" };
  return withServer(
    async (server, folder) => {
      await sql(server, "create extension pg_stat_statements");
      const audiences = (await sql(server, "select id, kind || ':' || name as name from heed.audience")).map(
        ({ id, name }) => ({ id: String(id), name: String(name), canWrite: true }),
      );
      const places: Place[] = [];
      for (let i = 0; i < machines; i++) {
        const workspace = openWorkspace({ env: { HOME: join(folder, `home-${i}`) }, isResident: true });
        const servers = [{ url: server.url("writer"), audiences }];
        await changeStoreRegistry(workspace.places, (registry) => ({ ...registry, servers }));
        places.push(new Place(workspace));
        await refreshTeams(places.at(-1) as Place, 10_000);
      }
      await sql(server, "select pg_stat_statements_reset()");
      const held: number[] = [];
      const by = "where usename = 'writer'";
      for (const until = Date.now() + seconds * 1000; Date.now() < until; await sleep(250))
        held.push(Number((await sql(server, `select count(*) as n from pg_stat_activity ${by}`))[0]?.["n"]));
      const of = "pg_stat_statements join pg_roles on userid = pg_roles.oid where rolname = 'writer'";
      const asked = Number((await sql(server, `select sum(calls) as n from ${of}`))[0]?.["n"]);
      for (const { workspace } of places) for (const { next } of workspace.teams.values()) clearTimeout(next);
      return [
        figure("idle_queries_per_second", asked / seconds, "", machines),
        figure("idle_connections_most", Math.max(...held), "", held.length),
        figure("idle_connections_mean", held.reduce((sum, n) => sum + n, 0) / held.length, "", held.length),
      ];
    },
    undefined,
    settings,
  );
}

/** Logins that each write one memory after another: the time until the server has acknowledged each. */
export async function timeWrites(
  url: string,
  audience: string,
  { writers, writes }: { writers: number; writes: number },
): Promise<number[]> {
  const times: number[] = [];
  const first = Date.now().toString(36);
  const write = async (_: unknown, writer: number): Promise<void> => {
    const one = openTeamServer({ url, connectMs: 30_000 });
    for (let i = 0; i < writes; i++) {
      const name = `written-${first}-${writer}-${i}`;
      const after = `---\nname: ${name}\ndescription: a decision of writer ${writer}\nmetadata:\n  type: project\n---\nText.\n`;
      const startedAt = performance.now();
      const files = [{ file: `project/${name}.md`, before: null, after }];
      const record = { id: newId(new Date()), actor: PERSON, summary: `write ${name}`, files };
      await one.push(audience, record);
      times.push(performance.now() - startedAt);
    }
    one.close();
  };
  await Promise.all(Array.from({ length: writers }, write));
  return times;
}

/** Two hundred writers, through a pooler that shares twenty connections by transaction where there is one. */
export function manyWriters(): Promise<Figure[]> {
  return withServer(async (server) => {
    const audience = String((await sql(server, "select id from heed.audience"))[0]?.["id"]);
    const pooler = hasPgbouncer ? await startPgbouncer(server, { poolSize: 20 }) : undefined;
    const times = await timeWrites((pooler ?? server).url("writer"), audience, { writers: 200, writes: 3 });
    await pooler?.stop();
    const there = Number((await sql(server, "select count(*) as n from heed.file"))[0]?.["n"]);
    const name = pooler ? "pooled_write_ms_200" : "write_ms_200";
    return [
      ...spread(name, times),
      figure("writers_200_lost", times.length - there, "changes", times.length),
    ];
  });
}

const HOST = "10.99.7.1";
const [SERVER, CLIENT] = ["heed-bench-s", "heed-bench-c"];
const ip = (words: string): unknown => execFileSync("ip", words.split(" "), { stdio: "ignore" });
const quietly = (words: string): void => {
  try {
    ip(words);
  } catch {
    // It was not there.
  }
};

/** A server and a machine in network namespaces of their own, with a cable between them; none where that may not be. */
export async function network(): Promise<Figure[]> {
  const remove = (): void => [SERVER, CLIENT].forEach((name) => quietly(`netns del ${name}`));
  remove();
  try {
    for (const name of [SERVER, CLIENT]) ip(`netns add ${name}`);
    ip(`link add heed-s netns ${SERVER} type veth peer name heed-c netns ${CLIENT}`);
    const ends: [string, string, string][] = [
      [SERVER, "heed-s", `${HOST}/24`],
      [CLIENT, "heed-c", "10.99.7.2/24"],
    ];
    for (const [name, end, address] of ends) {
      ip(`-n ${name} addr add ${address} dev ${end}`);
      for (const device of ["lo", end]) ip(`-n ${name} link set ${device} up`);
    }
  } catch {
    remove();
    return [];
  }
  try {
    const script = `import(${JSON.stringify(pathToFileURL(join("bench", "out", "team.mjs")).href)}).then(async ({ playNetwork }) => console.log(JSON.stringify(await playNetwork())))`;
    const words = ["netns", "exec", SERVER, process.execPath, "-e", script];
    const child = spawn("ip", words, { stdio: ["ignore", "pipe", "inherit"] });
    let said = "";
    child.stdout.on("data", (chunk) => (said += String(chunk)));
    await new Promise((done) => child.once("close", done));
    return JSON.parse(said) as Figure[];
  } finally {
    remove();
  }
}

/** In the server's namespace: a slow way to it, a way that is cut, a server that is killed. */
export function playNetwork(): Promise<Figure[]> {
  return withServer(playWith);
}

async function playWith(server: ThrowawayServer, folder: string): Promise<Figure[]> {
  let delayMs = 0;
  const port = Number(new URL(server.url()).port);
  const relay = createServer((near) => {
    const far = connect(port, "127.0.0.1");
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const)
      from
        .on("data", (chunk) => void setTimeout(() => to.writable && to.write(chunk), delayMs))
        .on("error", () => to.destroy())
        .on("close", () => void setTimeout(() => to.destroy(), delayMs));
  });
  await new Promise<void>((done) => relay.listen(0, HOST, done));
  const urlOf = (role: string): string =>
    `postgres://${role}@${HOST}:${(relay.address() as AddressInfo).port}/postgres?sslmode=disable`;
  const here = machineAt(join(folder, "here"), resolve("dist/heed.js"));
  const figures: Figure[] = [];
  const note = (name: string, { ms, said }: Answer, isAsWanted: boolean): unknown =>
    figures.push(figure(`${name}_ms`, ms, "ms", 1), figure(`${name}_as_wanted`, Number(isAsWanted), said, 1));
  try {
    note("net_join", await here("join", urlOf("writer")), true);
    const written = await here("write", "one");
    note("net_write", written, written.said === "written");
    delayMs = 300;
    const slow = await here("prompt");
    note("slow_prompt", slow, slow.said === "stale" && slow.ms < 1_500);
    const slowly = await here("write", "two");
    note("slow_write", slowly, slowly.said === "written");
    delayMs = 0;
    ip(`-n ${CLIENT} link set heed-c down`);
    const cut = await here("prompt");
    note("cut_prompt", cut, cut.said === "stale" && cut.ms < 1_500);
    const refused = await here("write", "three");
    note("cut_write", refused, refused.said === "unreachable" && refused.ms < 5_000);
    ip(`-n ${CLIENT} link set heed-c up`);
    const back = await here("write", "four");
    note("back_write", back, back.said === "written");
    await sleep(16_000);
    const fresh = await here("prompt");
    note("back_prompt", fresh, fresh.said === "fresh");
    await server.kill();
    await server.start();
    const after = await here("write", "five");
    note("restarted_write", after, after.said === "written");
    await here("close");
  } finally {
    relay.close();
  }
  return figures;
}

interface Answer {
  ms: number;
  said: string;
}

/** A process that stays in the machine's namespace, with a library and a home of its own: does what it is told, one after another. */
function machineAt(home: string, library: string): (what: string, argument?: string) => Promise<Answer> {
  const script = `import(${JSON.stringify(pathToFileURL(join("bench", "out", "team.mjs")).href)}).then(({ obey }) => obey(process.argv[1]))`;
  const words = ["netns", "exec", CLIENT, process.execPath, "-e", script, library];
  const env = { PATH: process.env["PATH"], HOME: home };
  const child = spawn("ip", words, { env, stdio: ["pipe", "pipe", "inherit"] });
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  return async (what, argument = "") => {
    child.stdin.write(`${JSON.stringify([what, argument])}\n`);
    return JSON.parse((await lines.next()).value as string) as Answer;
  };
}

/** What a machine of the scenario does. */
export async function obey(library: string): Promise<void> {
  const { openHeed } = (await import(pathToFileURL(library).href)) as { openHeed: typeof Opener };
  let isStale = false;
  const heed = openHeed({ cwd: "/tmp", isResident: true, onStale: (lines) => (isStale = lines.length > 0) });
  const event = { session: "s", client: "bench", cwd: "" } as const;
  const does: Record<string, (argument: string) => Promise<string>> = {
    join: async (url) => (await heed.setup.joinTeam(url, PERSON)).person ?? "",
    write: async (word) => {
      const statement = `The board of ${word}: https://boards.example.com/${word}`;
      const draft = {
        type: "reference",
        name: word,
        statement,
        body: `It shows ${word}.`,
        store: "team",
      } as const;
      return (await heed.memories.write(draft, PERSON)).outcome;
    },
    prompt: async () => {
      const prompt = { ...event, kind: "prompt", prompt: "which board shows one?" } as const;
      await heed.session.answer(prompt, { deadlineMs: 3_000 });
      return isStale ? "stale" : "fresh";
    },
    close: async () => heed.close().then(() => "closed"),
  };
  for await (const line of createInterface(process.stdin)) {
    const [what = "", argument = ""] = JSON.parse(line) as string[];
    const startedMs = performance.now();
    const said = await (does[what] as (argument: string) => Promise<string>)(argument).catch(
      (error: unknown) => (error as { code?: string }).code ?? String(error),
    );
    console.log(JSON.stringify({ ms: Math.round(performance.now() - startedMs), said }));
    if (what === "close") process.exit(0);
  }
}
