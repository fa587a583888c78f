import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, readdirSync, statSync } from "node:fs";
import { type AddressInfo, type Socket, connect, createServer } from "node:net";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { openHeed, type Heed } from "../../src/heed.ts";
import { temporaryFolder } from "../store/temporary-store.ts";
import { hasPgbouncer, startPgbouncer } from "../../scripts/postgres.mjs";
import { openPostgres, type TestServer } from "./servers.ts";

const PERSON = { kind: "person" } as const;
const RULE = {
  type: "feedback",
  name: "friday",
  statement: "Never deploy the payment service on a Friday",
  body: "Never deploy the payment service on a Friday.\n**Why:** an outage.",
  scope: "everywhere",
  store: "team",
} as const;

/** A machine of a person: a home of their own. */
function machine(): { home: string; heed: Heed; open(): Heed } {
  const home = temporaryFolder();
  const cwd = join(home, "work");
  mkdirSync(cwd);
  const open = (): Heed => {
    const heed = openHeed({ cwd, env: { HOME: home, PATH: process.env["PATH"] }, isResident: true });
    onTestFinished(() => heed.close());
    return heed;
  };
  return { home, heed: open(), open };
}

/** The way to a server, on which from some moment on nobody answers. */
async function wayTo(url: string): Promise<{ url: string; hang(): void; made(): number; open(): number }> {
  const to = new URL(url);
  const port = Number(to.port);
  const sockets: Socket[] = [];
  let isHung = false;
  const way = createServer((near) => {
    sockets.push(near.on("error", () => undefined));
    if (isHung) return;
    const far = connect(port, to.hostname).on("error", () => undefined);
    near.pipe(far).pipe(near);
  });
  await new Promise<void>((resolve) => way.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    way.close();
  });
  to.port = String((way.address() as AddressInfo).port);
  return {
    url: to.href,
    hang: () => void (isHung = true),
    made: () => sockets.length,
    open: () => sockets.filter(({ readyState }) => readyState === "open").length,
  };
}

/** Facts that are on the server and passed no gate. */
const FACTS = `insert into heed.file (audience, path, content)
  select $1, 'reference/fact-' || n || '.md', E'---\\nname: fact-' || n || E'\\ndescription: the walrus of pool ' || n || E'\\nmetadata:\\n  type: reference\\n---\\nText.\\n'
  from generate_series(1, 2000) as n`;

describe.skipIf(!openPostgres)("a machine that joins a team's server", () => {
  let server: TestServer;
  let session = 0;
  beforeAll(async () => {
    server = await openPostgres!();
    await server.as("alice");
    await server.as("bob");
  });
  afterAll(() => server.close());
  // The schema as a first client makes it.
  beforeEach(async () => {
    const { heed } = machine();
    await heed.setup.joinTeam(server.url("postgres"), PERSON);
    for (const person of ["alice", "bob"])
      await heed.setup.changeTeam({ kind: "admit", person, audience: "team:everyone" }, PERSON);
    return () => server.sql("postgres", "drop schema heed cascade").then(() => heed.close());
  });

  const joined = async (person: string): Promise<ReturnType<typeof machine>> => {
    const there = machine();
    await there.heed.setup.joinTeam(server.url(person), PERSON);
    return there;
  };
  const start = (heed: Heed, id: string) =>
    heed.session.answer(
      { kind: "session-start", source: "startup", session: id, client: "claude-code", cwd: "" },
      { deadlineMs: 15_000 },
    );
  const prompt = (heed: Heed, id: string, text: string) =>
    heed.session.answer(
      { kind: "prompt", prompt: text, session: id, client: "claude-code", cwd: "" },
      { deadlineMs: 15_000 },
    );

  it("has a running session learn of a rule that another changed, and takes it over once it is reviewed", async () => {
    const [{ heed: alice }, { heed: bob }] = [await joined("alice"), await joined("bob")];
    expect((await alice.memories.write(RULE, PERSON)).outcome).toBe("written");
    const id = `s${++session}`;
    expect((await start(bob, id)).context ?? "").not.toContain(`- ${RULE.statement}`);
    await bob.setup.trust();
    expect((await prompt(bob, id, "go on with the work of today")).context).toContain(RULE.statement);
    const changed = `${RULE.statement} or before a holiday`;
    await alice.memories.update(RULE.name, { statement: changed, body: `${changed}.` }, PERSON);
    const answer = (await prompt(bob, id, "go on with the next thing")).context ?? "";
    expect(answer).not.toContain(changed);
    await bob.setup.trust();
    expect((await prompt(bob, id, "and now to the last thing")).context).toContain(changed);
    // Somebody who has written nothing has the history too.
    const root = (await bob.setup.teams())[0]!.audiences[0]!.root;
    const commits = execFileSync("git", ["-C", root, "log", "--format=%s"], { encoding: "utf8" });
    expect(commits).toMatch(/^amend feedback\/friday: .*\nwrite feedback\/friday: /);
  });

  it("leaves a server with a newer schema alone, and says so", async () => {
    await server.sql("postgres", "insert into heed.migration (version) values (99)");
    await expect(machine().heed.setup.joinTeam(server.url("bob"), PERSON)).rejects.toThrow(
      "a newer schema (99): update heed",
    );
  });

  it("holds no connection where nobody types, and one process of a machine asks for all", async () => {
    const { heed: alice } = await joined("alice");
    const way = await wayTo(server.url("bob"));
    const bob = machine();
    const { audiences } = await bob.heed.setup.joinTeam(`${way.url}?poll=1`, PERSON);
    const sessions = [bob.heed, bob.open(), bob.open()];
    for (const heed of sessions) await start(heed, `s${++session}`);
    await expect.poll(() => way.open()).toBe(0);
    const before = way.made();
    expect((await alice.memories.write(RULE, PERSON)).outcome).toBe("written");
    await new Promise((resolve) => setTimeout(resolve, 5_000));
    expect(way.made() - before).toBeGreaterThanOrEqual(3);
    expect(way.made() - before).toBeLessThanOrEqual(8);
    await expect.poll(() => way.open()).toBe(0);
    expect(existsSync(join(audiences[0]!.root, "feedback", "friday.md"))).toBe(true);
  });

  it("keeps one connection, and hears of changes at once, where the address says so", async () => {
    const { heed: alice } = await joined("alice");
    const way = await wayTo(server.url("bob"));
    const { heed: bob } = machine();
    const { audiences } = await bob.setup.joinTeam(`${way.url}?listen=on`, PERSON);
    await start(bob, `s${++session}`);
    await alice.memories.write(RULE, PERSON);
    await expect.poll(() => existsSync(join(audiences[0]!.root, "feedback", "friday.md"))).toBe(true);
    expect(way.open()).toBe(1);
  });

  if (!hasPgbouncer) console.warn("skipped: a pooler; pgbouncer is not installed");
  it.skipIf(!hasPgbouncer)("works behind a pooler that shares two connections by transaction", async () => {
    const pooled = await startPgbouncer(server);
    onTestFinished(pooled.stop);
    const machines = await Promise.all(
      ["alice", "bob", "alice", "bob"].map(async (person) => {
        const there = machine();
        await there.heed.setup.joinTeam(pooled.url(person), PERSON);
        return there.heed;
      }),
    );
    await server.sql("postgres", "select heed.admit('alice', 'person', 'alice', true)");
    await Promise.all(
      machines.map((heed, i) =>
        heed.memories.write({ ...RULE, name: `rule-${i}`, statement: `Never ship on day ${i}` }, PERSON),
      ),
    );
    for (const [i, heed] of machines.entries()) {
      const names = (await heed.memories.list()).map(({ name }) => name);
      for (const rule of [0, 1, 2, 3]) expect(names).toContain(`rule-${rule}`);
      const stores = heed.setup.stores().flatMap((store) => store.server?.audience ?? []);
      expect(stores.includes("person:alice")).toBe(i % 2 === 0);
    }
  });

  it("keeps a password in one private file alone", async () => {
    const { heed, home } = machine();
    const url = new URL(server.url("alice"));
    url.password = "correct-horse-battery";
    const team = await heed.setup.joinTeam(url.href, PERSON);
    expect(team).toMatchObject({ person: "alice", audiences: [{ name: "team:everyone", canWrite: true }] });
    await heed.memories.write(RULE, PERSON);
    await heed.close();
    const holding = readdirSync(home, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((file) => readFileSync(file, "latin1").includes("correct-horse"));
    expect(holding).toEqual([join(home, ".config", "heed", "team-passwords.json")]);
    expect(statSync(holding[0]!).mode & 0o077).toBe(0);
    await heed.setup.changeTeam({ kind: "leave" }, PERSON);
    expect(readFileSync(holding[0]!, "utf8")).not.toContain("correct-horse");
    expect(existsSync(join(home, ".local/state/heed/team", team.audiences[0]!.id))).toBe(false);
  });

  it("is a person's decision, and asks for an address without guessing one", async () => {
    const { heed } = machine();
    const model = { kind: "model", client: "claude-code" } as const;
    await expect(heed.setup.joinTeam(server.url("alice"), model)).rejects.toMatchObject({
      code: "gate-refused",
    });
    for (const url of ["", "db.example", "https://db.example/x", "postgres://db.example/x"])
      await expect(heed.setup.joinTeam(url, PERSON)).rejects.toMatchObject({ code: "invalid-input" });
    await server.as("nobody");
    await expect(heed.setup.joinTeam(server.url("nobody"), PERSON)).rejects.toThrow(/heed team admit nobody/);
    expect(heed.setup.stores()).toEqual([]);
  });

  it("goes on with the last state while the server is away, says of which time, and writes nothing", async () => {
    const { heed: alice } = await joined("alice");
    const bob = await joined("bob");
    await alice.memories.write(RULE, PERSON);
    await bob.heed.setup.trust();
    await bob.heed.close();
    // A login that may not log in is as far away as a server that is down.
    await server.sql("postgres", "alter role bob nologin");
    onTestFinished(async () => void (await server.sql("postgres", "alter role bob login")));
    const heed = bob.open();
    const { context } = await start(heed, `s${++session}`);
    expect(context).toContain(RULE.statement);
    expect(context).toMatch(
      /team store team:everyone is as of \d{4}-\d\d-\d\dT\d\d:\d\dZ, and may have changed since/,
    );
    expect((await heed.setup.status()).problems.join("\n")).toContain("team:everyone is as of");
    await expect(
      heed.memories.write({ ...RULE, name: "other", statement: "Always lint" }, PERSON),
    ).rejects.toMatchObject({ code: "unreachable" });
  });

  it("reads the last state soon and says so where the server hangs", async () => {
    const way = await wayTo(server.url("alice"));
    const { home, heed } = machine();
    await heed.setup.joinTeam(way.url, PERSON);
    await heed.memories.write(RULE, PERSON);
    await heed.close();
    way.hang();
    const stale: string[] = [];
    const env = { HOME: home, PATH: process.env["PATH"] };
    const startedMs = performance.now();
    const command = openHeed({ cwd: home, env, onStale: (lines) => stale.push(...lines) });
    expect((await command.memories.list()).map(({ name }) => name)).toEqual([RULE.name]);
    expect((await command.memories.search({ query: "payment service" })).hits).toHaveLength(1);
    await command.close();
    // It waited once, and for no connection at its end. Alone it takes 0.8 s.
    expect(performance.now() - startedMs).toBeLessThan(2_500);
    expect(stale.join("\n")).toMatch(/team:everyone is as of 20.*may have changed since/);
  });

  it("completes a copy that was killed while it was made", async () => {
    const alice = await joined("alice");
    const { id, root } = (await alice.heed.setup.teams())[0]!.audiences[0]!;
    await server.sql("alice", FACTS, [id]);
    const there = machine();
    const folder = join(there.home, root.slice(alice.home.length), "reference");
    const made = (): number => (existsSync(folder) ? readdirSync(folder).length : 0);
    const library = pathToFileURL(join("dist", "heed.js")).href;
    const script = `import("${library}").then(({ openHeed }) => openHeed().setup.joinTeam("${server.url("bob")}", { kind: "person" }))`;
    const joining = spawn(process.execPath, ["-e", script], {
      cwd: there.home,
      env: { HOME: there.home, PATH: process.env["PATH"] },
      stdio: ["ignore", "ignore", "inherit"],
    });
    const ended = new Promise((resolve) => joining.once("exit", (_, signal) => resolve(signal)));
    await expect.poll(made, { interval: 10 }).toBeGreaterThan(100);
    joining.kill("SIGKILL");
    expect(await ended).toBe("SIGKILL");
    expect(made()).toBeLessThan(2000);
    const bob = there.open();
    await expect.poll(async () => (await bob.memories.list()).length).toBe(2000);
    expect((await bob.setup.teams())[0]!.trouble).toEqual([]);
  });
});
