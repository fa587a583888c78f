import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TypeTable } from "../../src/memory/memory-type.ts";
import { FileMemoryStore } from "../../src/store/file-memory-store.ts";
import { stateOfStore } from "../../src/store/config/store-config.ts";
import { TeamLog } from "../../src/store/team/team-log.ts";
import { openTeamServer } from "../../src/store/team/open-team-server.ts";
import type { TeamServer } from "../../src/store/team/team-server.ts";
import { aMemory, describeMemoryStore, NOTE } from "../store/memory-store-suite.ts";
import { temporaryFolder, temporaryPlaces } from "../store/temporary-store.ts";
import { openPglite, openPostgres, type TestServer } from "./servers.ts";
import { onTestFinished } from "vitest";

const BACKENDS: [string, (() => Promise<TestServer>) | undefined][] = [
  ["PGlite", openPglite],
  ["PostgreSQL", openPostgres],
];

let audiences = 0;

/** A machine of a person: the copy of an audience in a folder of its own. */
async function machineOf(server: TeamServer, id: string): Promise<FileMemoryStore> {
  const places = temporaryPlaces(temporaryFolder());
  const root = `${places.state}/team/${id}`;
  const ref = {
    id,
    kind: "team",
    root,
    isTrusted: true,
    isReadOnly: false,
    server: { url: "postgres://db.example/team", audience: "team:everyone" },
  } as const;
  const types = new TypeTable();
  const now = () => new Date();
  const log = new TeamLog({
    ref,
    state: stateOfStore(places, root),
    connect: () => Promise.resolve(server),
    now,
  });
  const store = new FileMemoryStore(ref, { places, types, now, shared: async () => log });
  await store.refresh();
  onTestFinished(async () => void (await store.finish()));
  return store;
}

for (const [name, open] of BACKENDS) {
  describe.skipIf(!open)(`a team store on ${name}`, () => {
    let server: TestServer;
    beforeAll(async () => {
      server = await open!();
      await (await server.as("postgres")).makeSchema();
    });
    afterAll(() => server.close());

    /** An audience with these persons; the first administers nothing either. */
    async function audienceOf(...persons: string[]): Promise<{ id: string; servers: TeamServer[] }> {
      const called = `everyone${++audiences}`;
      const admin = await server.as("postgres");
      const servers: TeamServer[] = [];
      for (const person of persons) {
        servers.push(await server.as(person));
        await admin.admit(person, `team:${called}`, !person.startsWith("reader"));
      }
      const [row] = await server.sql("postgres", "select id from heed.audience where name = $1", [called]);
      return { id: String(row?.["id"]), servers };
    }

    describeMemoryStore(name, async () => {
      const { id, servers } = await audienceOf("alice", "bob");
      return {
        store: await machineOf(servers[0]!, id),
        editOutside: async (file, text) => {
          const changed = await server.sql(
            "bob",
            "update heed.file set content = $1 where audience = $2 and path = $3 returning path",
            [text, id, file],
          );
          if (changed.length !== 1) throw new Error(`${file} is not on the server`);
        },
      };
    });

    it("shows what one machine wrote on the other, with who and why", async () => {
      const { id, servers } = await audienceOf("alice", "bob");
      const [alice, bob] = [await machineOf(servers[0]!, id), await machineOf(servers[1]!, id)];
      const made = await alice.create(aMemory(), NOTE);
      await bob.refresh();
      expect(bob.read(made.file).text).toBe(made.after);
      await bob.amend(made.file, { tags: ["git"] }, made.memory.metadata.contentHash, NOTE);
      await bob.reconcile();
      const entries = (await bob.history().entries()).map(({ actor, summary }) => [actor, summary]);
      expect(entries).toEqual([
        ["person", "amend feedback/no-verify: the user said so"],
        ["alice (person)", "write feedback/no-verify: the user said so"],
      ]);
      const log = await server.sql(
        "alice",
        "select person, why from heed.log where audience = $1 order by seq",
        [id],
      );
      expect(log).toEqual([
        { person: "alice", why: "write feedback/no-verify: the user said so" },
        { person: "bob", why: "amend feedback/no-verify: the user said so" },
      ]);
    });

    it("refuses the second of two changes of one text, and has the first one then", async () => {
      const { id, servers } = await audienceOf("alice", "bob");
      const [alice, bob] = [await machineOf(servers[0]!, id), await machineOf(servers[1]!, id)];
      const made = await alice.create(aMemory(), NOTE);
      await bob.refresh();
      const hash = made.memory.metadata.contentHash;
      const first = await alice.amend(made.file, { tags: ["first"] }, hash, NOTE);
      await expect(bob.amend(made.file, { tags: ["second"] }, hash, NOTE)).rejects.toMatchObject({
        code: "changed-outside",
        data: { file: made.file, found: first.after },
      });
      expect(bob.read(made.file).text).toBe(first.after);
    });

    it.skipIf(name === "PGlite")(
      "tells listeners of each change, and whoever was dismissed of none any more",
      async () => {
        const { id, servers } = await audienceOf("alice", "carla");
        const writer = await machineOf(servers[0]!, id);
        const heard = new Map<string, number>();
        const listeners = ["alice", "carla"].map((person) => {
          const url = `${server.url(person)}?listen=on`;
          const listener = openTeamServer({ url, connectMs: 5_000 });
          onTestFinished(() => listener.close());
          const tell = (): unknown => heard.set(person, (heard.get(person) ?? 0) + 1);
          return async () => listener.listen(await listener.audiences(), tell);
        });
        for (const listen of listeners) expect(await listen()).toBe(true);
        const made = await writer.create(aMemory(), NOTE);
        await expect.poll(() => heard.size).toBe(2);
        const [row] = await server.sql("alice", "select name from heed.audience where id = $1", [id]);
        await (await server.as("postgres")).dismiss("carla", `team:${String(row?.["name"])}`);
        await expect.poll(() => [heard.get("alice"), heard.get("carla")]).toEqual([2, 2]);
        for (const listen of listeners) await listen();
        await writer.amend(made.file, { tags: ["git"] }, made.memory.metadata.contentHash, NOTE);
        await expect.poll(() => heard.get("alice")).toBe(3);
        await listeners[1]!();
        expect(heard.get("carla")).toBe(2);
      },
    );

    it("hides an audience from who is outside of it, by SQL too", async () => {
      const { id, servers } = await audienceOf("alice");
      const store = await machineOf(servers[0]!, id);
      await store.create(aMemory(), NOTE);
      const outsider = await server.as("eve");
      await (await server.as("postgres")).admit("eve", "person:eve", true);
      expect((await outsider.audiences()).map((one) => one.name)).toEqual(["person:eve"]);
      for (const table of ["file", "log", "audience", "member"]) {
        const column = table === "audience" ? "id" : "audience";
        const rows = await server.sql("eve", `select * from heed.${table} where ${column} = $1`, [id]);
        expect({ table, rows }).toEqual({ table, rows: [] });
      }
      const refused = { code: "42501" };
      const intrusions = [
        ["insert into heed.file (audience, path, content) values ($1, 'project/x.md', 'x')", [id]],
        ["select heed.take_turn($1)", [id]],
        ["select heed.push($1, '', '{}', '', '[]')", [id]],
        ["insert into heed.log (audience, seq, path, change, why) values ($1, 9, 'x', '', '')", [id]],
        ["insert into heed.member values ($1, 'eve', true)", [id]],
        ["select heed.admit('eve', 'team', 'everyone')", []],
        ["select heed.dismiss('alice', 'team', 'everyone')", []],
        ["update heed.member set can_write = true", []],
        ["delete from heed.log", []],
        ["update heed.audience set name = 'mine'", []],
        ["truncate heed.file", []],
        ["alter table heed.file disable row level security", []],
        ["create policy mine on heed.file using (true)", []],
        ["grant heed_admin to eve", []],
        ["grant heed_member to alice", []],
        ["set role heed_admin", []],
        ["create table heed.mine (x int)", []],
      ] as const;
      for (const [text, values] of intrusions)
        await expect(server.sql("eve", text, [...values])).rejects.toMatchObject(refused);
      expect(await server.sql("eve", "update heed.file set content = 'x' returning path")).toEqual([]);
      expect(await server.sql("eve", "delete from heed.file returning path")).toEqual([]);
      await expect(machineOf(outsider, id)).rejects.toMatchObject({ code: "no-store" });
      // A function that tells what it is asked about is asked about no row that is not shown.
      await server.sql(
        "eve",
        "create function pg_temp.tells(text) returns bool language plpgsql cost 0.000001 as $$begin raise exception '%', $1; end$$",
      );
      expect(await server.sql("eve", "select 1 from heed.file where pg_temp.tells(content)")).toEqual([]);
      expect(await server.sql("eve", "select 1 from heed.log where pg_temp.tells(after)")).toEqual([]);
      expect(await server.sql("eve", "select 1 from pg_stats where schemaname = 'heed'")).toEqual([]);
    });

    it("runs no function of the schema in somebody else's, and none for a login that is in no audience", async () => {
      await server.as("mallory");
      const of = "from pg_proc where pronamespace = 'heed'::regnamespace";
      expect(await server.sql("postgres", `select 1 ${of}`)).not.toEqual([]);
      for (const wrong of [
        "proconfig is distinct from array['search_path=heed, pg_temp']",
        "has_function_privilege('mallory', oid, 'execute')",
      ])
        expect(await server.sql("postgres", `select proname ${of} and ${wrong}`)).toEqual([]);
      const outside = { code: "42501" };
      for (const text of ["select * from heed.file", "select * from heed.migration"])
        await expect(server.sql("mallory", text)).rejects.toMatchObject(outside);
    });

    it("lets a reader read and not write", async () => {
      const { id, servers } = await audienceOf("alice", "reader");
      const [alice, reader] = [await machineOf(servers[0]!, id), await machineOf(servers[1]!, id)];
      const made = await alice.create(aMemory(), NOTE);
      await reader.refresh();
      expect(reader.read(made.file).text).toBe(made.after);
      await expect(reader.create(aMemory({ name: "b" }), NOTE)).rejects.toMatchObject({ code: "read-only" });
      expect(await server.sql("reader", "delete from heed.file returning path")).toEqual([]);
      expect(reader.list().memories).toHaveLength(1);
    });

    it("keeps a log that nobody rewrites, and knows who changed a file by SQL", async () => {
      const { id, servers } = await audienceOf("alice");
      const store = await machineOf(servers[0]!, id);
      const made = await store.create(aMemory(), NOTE);
      await server.sql("alice", "update heed.file set content = content || ' ' where audience = $1", [id]);
      const log = await server.sql(
        "alice",
        "select person, why, path from heed.log where audience = $1 order by seq",
        [id],
      );
      expect(log[1]).toEqual({ person: "alice", why: "changed by SQL", path: made.file });
      for (const person of ["alice", "postgres"])
        for (const text of [
          "update heed.log set person = 'bob'",
          "delete from heed.log",
          "truncate heed.log",
        ])
          await expect(server.sql(person, text)).rejects.toMatchObject({ code: "42501" });
    });

    it("takes a secret out of files, log and copies, by an administrator alone", async () => {
      const { id, servers } = await audienceOf("alice", "bob");
      const [alice, bob] = [await machineOf(servers[0]!, id), await machineOf(servers[1]!, id)];
      const made = await alice.create(aMemory({ body: "The key is hunter2-hunter2." }), NOTE);
      await bob.refresh();
      await expect(server.sql("alice", "select heed.redact('hunter2-hunter2')")).rejects.toMatchObject({
        code: "42501",
      });
      const update = "update heed.log set after = 'x'";
      await expect(
        server.sql("alice", `set heed.redacting = 'yes'`).then(() => server.sql("alice", update)),
      ).rejects.toMatchObject({ code: "42501" });
      expect(await server.sql("postgres", "select heed.redact('hunter2-hunter2') as n")).toMatchObject([
        { n: expect.anything() as unknown },
      ]);
      for (const table of ["file", "log"])
        expect(
          await server.sql("postgres", `select 1 from heed.${table} t where t::text like '%hunter2%'`),
        ).toEqual([]);
      await bob.refresh();
      expect(bob.read(made.file).text).toContain("The key is [redacted].");
    });

    it("takes no file of another kind, from a client or out of the server", async () => {
      const { id, servers } = await audienceOf("alice");
      const store = await machineOf(servers[0]!, id);
      for (const file of [".git/hooks/post-commit", "../x.md", ".git/x.md", "MEMORY.md", "a\\b.md", "x.sh"]) {
        await expect(
          server.sql("alice", "insert into heed.file (audience, path, content) values ($1, $2, 'x')", [
            id,
            file,
          ]),
        ).rejects.toMatchObject({ code: "23514" });
        await expect(store.change([{ file, before: null, after: "x" }], NOTE)).rejects.toMatchObject({
          code: "invalid-input",
        });
      }
      // A server that is not what it should be.
      const page = [".git/hooks/post-commit", "feedback/ok.md"].map((file) => [file, "x"] as const);
      const hostile = Object.assign(await server.as("alice"), {
        files: async (_: string, last: string) => new Map(last === "" ? page : []),
      });
      const copy = await machineOf(hostile, id);
      expect(copy.read("feedback/ok.md").text).toBe("x");
      expect(copy.read(".git/hooks/post-commit").text).toBeUndefined();
    });

    it("copies page by page, and then what was changed meanwhile", async () => {
      const { id, servers } = await audienceOf("alice", "bob");
      const alice = await machineOf(servers[0]!, id);
      const made = await alice.create(aMemory(), NOTE);
      const files = servers[1]!.files.bind(servers[1]);
      let pages = 0;
      Object.assign(servers[1]!, {
        files: async (audience: string, last: string) => {
          const page = await files(audience, last, 1);
          const { contentHash } = made.memory.metadata;
          if (++pages === 1) await alice.amend(made.file, { tags: ["late"] }, contentHash, NOTE);
          return page;
        },
      });
      const bob = await machineOf(servers[1]!, id);
      expect(pages).toBe(2);
      expect(bob.read(made.file).memory?.metadata.tags).toEqual(["late"]);
    });

    it("comes up to date a part at a time where there is little time, and says of which time it is", async () => {
      const { id, servers } = await audienceOf("alice", "bob");
      const [alice, bob] = [await machineOf(servers[0]!, id), await machineOf(servers[1]!, id)];
      const made = await alice.create(aMemory(), NOTE);
      let { contentHash } = made.memory.metadata;
      for (const tag of ["a", "b"])
        ({ contentHash } = (
          await alice.amend(made.file, { tags: [tag] }, contentHash, NOTE)
        ).memory.metadata);
      const tags = (): unknown => bob.read(made.file).memory?.metadata.tags;
      const seen: unknown[] = [];
      for (let i = 0; i < 3; i++) {
        await bob.refresh(0);
        seen.push(tags());
      }
      expect(seen).toEqual([[], ["a"], ["b"]]);
      await bob.reconcile();
      expect((await bob.history().entries()).map(({ actor }) => actor)).toEqual(
        Array.from({ length: 3 }, () => "alice (person)"),
      );
    });
  });
}
