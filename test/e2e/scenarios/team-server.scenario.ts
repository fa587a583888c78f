import { mkdtempSync, rmSync } from "node:fs";
import { Client } from "pg";
import { afterAll, beforeAll, expect } from "vitest";
import { findPostgres, startPostgres, type ThrowawayServer } from "../../../scripts/postgres.mjs";
import { Sandbox } from "../client/sandbox.ts";
import { contextSince, occurrences, readByModel, requestFor } from "../expectations.ts";
import { test as base } from "../scenario.ts";

/** Two clients on one PostgreSQL server of this machine, which the client's namespace reaches by its socket. */
const test = base.skipIf(findPostgres() === undefined);
const OLD = "Never deploy the payment service on a Friday";
const NEW = "Never deploy the payment service on a Friday or before a holiday";

let server: ThrowawayServer;
let folder: string;
beforeAll(async () => {
  if (findPostgres() === undefined) return;
  folder = mkdtempSync("/tmp/heed-postgres-");
  server = await startPostgres(folder);
  for (const person of ["bob", "eve"]) await sql("postgres", `create role ${person} login`);
});
afterAll(async () => {
  if (findPostgres() === undefined) return;
  await server.stop();
  rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
});

async function sql(person: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: server.url(person) });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(text)).rows;
  } finally {
    await client.end();
  }
}

test("a rule that one client changes arrives in the running session of another", async ({
  sandbox,
  session,
  client,
}) => {
  const alice = new Sandbox(client);
  try {
    await alice.heed("init", "--team", server.socketUrl());
    await alice.heed("team", "admit", "bob", "team:everyone");
    await alice.heed(`write --store team --type feedback --name friday '${OLD}' --reason 'an outage'`);
    await sandbox.heed("init", "--team", server.socketUrl("bob"));
    await sandbox.heed("inbox", "trust", "--yes");
    const record = await session({
      prompts: [
        "first things first",
        {
          text: "second things second",
          before: async () => void (await alice.heed("edit", "friday", "--statement", NEW)),
        },
        {
          text: "third things third",
          before: async () => void (await sandbox.heed("inbox", "trust", "--yes")),
        },
      ],
      turns: [{ text: "done" }, { text: "done" }, { text: "done" }],
    });
    expect(occurrences(OLD, readByModel(requestFor("first things first", record)))).toBeGreaterThan(0);
    const second = contextSince("second things second", requestFor("second things second", record));
    expect(second).toContain("not in force as they are now until the user reviews them");
    expect(second).toContain("heed:friday");
    expect(second).not.toContain(NEW);
    expect(contextSince("third things third", requestFor("third things third", record))).toContain(NEW);
  } finally {
    alice.remove();
  }
});

test("an outsider sees nothing, by heed or by SQL", async ({ sandbox, client }) => {
  const alice = new Sandbox(client);
  try {
    await alice.heed("init", "--team", server.socketUrl());
    await alice.heed(
      "write --store team --type reference --name vault 'the vault of the team: https://vault.example.com'",
    );
    const refused = await sandbox.tryHeed("init", "--team", server.socketUrl("eve"));
    expect(refused.exitCode).toBe(1);
    expect(refused.stderr).toContain("heed team admit eve team:everyone");
    await expect(sql("eve", "select * from heed.file")).rejects.toMatchObject({ code: "42501" });
    await alice.heed("team", "admit", "eve", "person:eve");
    await sandbox.heed("init", "--team", server.socketUrl("eve"));
    expect((await sandbox.heed("list")).stdout).not.toContain("vault");
    for (const table of ["file", "log"]) expect(await sql("eve", `select * from heed.${table}`)).toEqual([]);
    expect(await sql("eve", "select name from heed.audience")).toEqual([{ name: "eve" }]);
  } finally {
    alice.remove();
  }
});

test("without its server a session goes on with the last state, and says so", async ({
  sandbox,
  session,
}) => {
  await sandbox.heed("init", "--team", server.socketUrl());
  await sandbox.heed(
    "write --store team --type feedback --name lint 'Run the linter before each commit' --reason 'red builds'",
  );
  await server.kill();
  try {
    const record = await session({ prompts: ["go on"], turns: [{ text: "done" }] });
    const read = readByModel(requestFor("go on", record));
    expect(read).toContain("Run the linter before each commit");
    expect(read).toMatch(
      /the team store team:everyone is as of \d{4}-\d\d-\d\dT\d\d:\d\dZ, and may have changed since/,
    );
    const refused = await sandbox.tryHeed(
      "write --store team --type reference --name x 'the wiki: https://wiki.example.com'",
    );
    expect(refused.exitCode).toBe(5);
    expect(refused.stderr).toContain("nothing can be written");
  } finally {
    await server.start();
  }
});
