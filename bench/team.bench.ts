import { spawn, type ChildProcess } from "node:child_process";
import { createHash } from "node:crypto";
import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { accepted, openHeed, type Heed } from "../src/heed.ts";
import { newId } from "../src/memory/handle.ts";
import { TypeTable } from "../src/memory/memory-type.ts";
import { FileMemoryStore } from "../src/store/file-memory-store.ts";
import { openTeamServer } from "../src/store/team/open-team-server.ts";
import { findPlaces } from "../src/machine/places.ts";
import { syntheticQueries } from "./corpus.ts";
import { type Figure, figure, spread } from "./figure.ts";
import { idleMachines, manyWriters, network, timeWrites } from "./team-network.ts";
import { corpus, fileOf, fill, sql, textOf, withServer } from "./team-server.ts";

const WRITERS = 50;
const WRITES = 20;
const QUERIES = 100;
const STARTS = 20;
const PERSON = { kind: "person" } as const;

/**
 * A team store on a PostgreSQL server of this machine, with everything durable, beside a store of files: writes by 50
 * writers at once, searches and session starts of one client. `--sizes N,N`: memories on the server (default 10,000). `--files N`: those of the store of files (default 10,000; 0 leaves it out). `--kills N`:
 * clients, then the server, are killed during writes N times each (default 10). `--keep FOLDER`: the server of a size lies
 * there, and is filled once for several runs. `--idle N`: machines where nobody types, for a minute (default 1,000; 0 leaves
 * out what follows too): 200 writers, and a network that is slow, cut and back.
 */
export async function run(args: string[]): Promise<Figure[]> {
  const options = {
    sizes: { type: "string", default: "10000" },
    files: { type: "string", default: "10000" },
    kills: { type: "string", default: "10" },
    keep: { type: "string" },
    idle: { type: "string", default: "1000" },
  } as const;
  const { values } = parseArgs({ args, options });
  const figures: Figure[] = Number(values.files) > 0 ? await fileStore(Number(values.files)) : [];
  for (const size of values.sizes.split(",").filter(Boolean))
    figures.push(...(await teamStore(Number(size), values.keep)));
  if (Number(values.kills) > 0) figures.push(...(await killed(Number(values.kills))));
  if (Number(values.idle) > 0) {
    figures.push(...(await idleMachines(Number(values.idle), 60)), ...(await manyWriters()));
    figures.push(...(await network()));
  }
  return figures;
}

export { obey, playNetwork } from "./team-network.ts";

async function teamStore(size: number, kept?: string): Promise<Figure[]> {
  const label = `${size / 1000}k`;
  return withServer(async (server, folder) => {
    const filledS = await fill(server, size);
    const audience = String((await sql(server, "select id from heed.audience"))[0]?.["id"]);
    const writes = await timeWrites(server.url("writer"), audience, { writers: WRITERS, writes: WRITES });
    const home = mkdtempSync(join(folder, "home-"));
    const heed = heedAt(home);
    const joinedAt = performance.now();
    await heed.setup.joinTeam(server.url("writer"), PERSON);
    const joinedS = (performance.now() - joinedAt) / 1000;
    const client = await timeClient(heed, "team");
    await heed.close();
    return [
      ...(filledS === undefined ? [] : [figure(`team_fill_s_${label}`, filledS, "s", size)]),
      figure(`team_join_s_${label}`, joinedS, "s", 1),
      ...spread(`team_write_ms_${label}`, writes),
      ...client.flatMap(([name, times]) => spread(`team_${name}_ms_${label}`, times)),
    ];
  }, kept);
}

function heedAt(home: string): Heed {
  return openHeed({ cwd: home, env: { HOME: home, PATH: process.env["PATH"] }, isResident: true });
}

/** One client's own writes, searches and session starts, with the store of all. */
async function timeClient(heed: Heed, store: "team" | "user"): Promise<[name: string, times: number[]][]> {
  const own: number[] = [];
  // Other words in each run: a server that is kept has those of the last one.
  for (const [i, words] of syntheticQueries(30, 8, Date.now()).entries()) {
    const statement = `${words}: https://boards.example.com/${i}`;
    const draft = { type: "reference", statement, body: `It shows ${words}.`, store };
    own.push(await timed(async () => void accepted(await heed.memories.write(draft, PERSON))));
  }
  const searches: number[] = [];
  for (const query of syntheticQueries(QUERIES, 8))
    searches.push(await timed(() => heed.memories.search({ query })));
  const starts: number[] = [];
  for (let i = 0; i < STARTS; i++)
    starts.push(
      await timed(() =>
        heed.session.answer({
          kind: "session-start",
          source: "startup",
          session: `s${i}`,
          client: "bench",
          cwd: "",
        }),
      ),
    );
  return [
    ["client_write", own],
    ["search", searches],
    ["start", starts],
  ];
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

/** The same over a store of files: its 50 writers queue for the lock of one machine. */
async function fileStore(size: number): Promise<Figure[]> {
  const home = mkdtempSync("/tmp/heed-bench-files-");
  try {
    const heed = heedAt(home);
    const ref = await heed.setup.init("user", PERSON);
    const places = findPlaces({ HOME: home });
    const store = new FileMemoryStore(ref, {
      places,
      types: new TypeTable(),
      now: () => new Date(),
      env: { HOME: home, PATH: process.env["PATH"] },
    });
    const files = [...corpus(size)].map((document) => ({
      file: fileOf(document),
      before: null,
      after: textOf(document),
    }));
    for (let at = 0; at < files.length; at += 1000)
      await store.change(files.slice(at, at + 1000), { why: "fill", actor: PERSON });
    await store.finish();
    const writes: number[] = [];
    await Promise.all(
      Array.from({ length: WRITERS }, async (_, writer) => {
        for (let i = 0; i < WRITES; i++) {
          const name = `written-${writer}-${i}`;
          const after = `---\nname: ${name}\ndescription: a decision of writer ${writer}\nmetadata:\n  type: project\n---\nText.\n`;
          const change = [{ file: `project/${name}.md`, before: null, after }];
          writes.push(await timed(() => store.change(change, { why: "write", actor: PERSON })));
        }
      }),
    );
    await store.finish();
    const client = await timeClient(heed, "user");
    await heed.close();
    const label = `${size / 1000}k`;
    return [
      ...spread(`files_write_ms_${label}`, writes),
      ...client.flatMap(([name, times]) => spread(`files_${name}_ms_${label}`, times)),
    ];
  } finally {
    rmSync(home, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Writers of changes of two files that are killed, and whose server is: what was acknowledged must be there, whole. */
async function killed(rounds: number): Promise<Figure[]> {
  return withServer(async (server, folder) => {
    const audience = String((await sql(server, "select id from heed.audience"))[0]?.["id"]);
    const acknowledged = join(folder, "acknowledged");
    const script = `import(${JSON.stringify(pathToFileURL(join("bench", "out", "team.mjs")).href)}).then(({ writeForever }) => writeForever(...process.argv.slice(1)))`;
    for (let round = 0; round < 2 * rounds; round++) {
      const writers = Array.from({ length: 8 }, (_, i): ChildProcess =>
        spawn(
          process.execPath,
          ["-e", script, server.url("writer"), audience, acknowledged, `${round}-${i}`],
          { stdio: "ignore" },
        ),
      );
      const size = (): number => (existsSync(acknowledged) ? readFileSync(acknowledged, "utf8").length : 0);
      const before = size();
      for (let waited = 0; size() === before && waited < 60_000; waited += 50) await sleep(50);
      await sleep(Math.random() * 500);
      const isServers = round % 2 === 1;
      if (isServers) await server.kill();
      for (const writer of writers) writer.kill("SIGKILL");
      await Promise.all(
        writers.map(
          (writer) =>
            new Promise((resolve) =>
              writer.exitCode === null && writer.signalCode === null
                ? writer.once("exit", resolve)
                : resolve(0),
            ),
        ),
      );
      if (isServers) await server.start();
    }
    const rows = await sql(server, "select path, hash from heed.file");
    const there = new Map(rows.map(({ path, hash }) => [String(path), String(hash)]));
    const names = readFileSync(acknowledged, "utf8").split("\n").filter(Boolean);
    const lost = names.filter((name) =>
      ["a", "b"].some((part) => there.get(`project/${name}-${part}.md`) !== hashOf(name, part)),
    );
    const pairs = [...there.keys()].map((path) => path.replace(/-[ab]\.md$/, ""));
    const torn = [...new Set(pairs)].filter((pair) => pairs.filter((other) => other === pair).length !== 2);
    const unlogged = await sql(
      server,
      `select path from heed.file where not exists (select from heed.log where log.audience = file.audience and log.path = file.path and log.after = file.content)`,
    );
    return [
      figure("acknowledged", names.length, "changes", 2 * rounds),
      figure("acknowledged_lost", lost.length, "changes", names.length),
      figure("torn", torn.length + unlogged.length, "changes", names.length),
    ];
  });
}

const contentOf = (name: string, part: string): string =>
  `---\nname: ${name}-${part}\ndescription: half of a change\n---\n${"Text. ".repeat(500)}\n`;
const hashOf = (name: string, part: string): string =>
  createHash("sha256").update(contentOf(name, part)).digest("hex");
const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Writes changes until it is killed, and notes each that was acknowledged. */
export async function writeForever(
  url: string,
  audience: string,
  acknowledged: string,
  who: string,
): Promise<void> {
  const server = openTeamServer({ url, connectMs: 10_000 });
  for (let i = 0; ; i++) {
    const name = `${who}-${i}`;
    const files = ["a", "b"].map((part) => ({
      file: `project/${name}-${part}.md`,
      before: null,
      after: contentOf(name, part),
    }));
    await server.push(audience, { id: newId(new Date()), actor: PERSON, summary: name, files });
    appendFileSync(acknowledged, `${name}\n`);
  }
}
