import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { memoryFile, TemporaryHeed } from "../../home/temporary-heed.ts";

const PERSON = { kind: "person" } as const;

const home = TemporaryHeed.forEachTest();
let folder: string;
beforeEach(() => {
  folder = home.clientMemory();
});

function clientRemembers(): void {
  home.write(join(folder, "MEMORY.md"), "- [Staging host](staging-host.md): borealis\n");
  home.write(
    join(folder, "staging-host.md"),
    memoryFile({ type: "project", name: "staging-host", statement: "the staging host is called borealis" }),
  );
}

const start = async (session: string): Promise<string> =>
  (await home.begin(session, { client: "claude-code" })).context ?? "";

test("where the client keeps a memory, it is found; nothing is said of it until the user chose", async () => {
  home.remember({ type: "project", name: "a", statement: "the queue runs on Valkey" });
  clientRemembers();
  expect(await home.heed.setup.clientMemory()).toMatchObject({
    isOn: true,
    directory: folder,
    files: 1,
    isAttached: false,
  });
  expect(await start("s1")).not.toContain(folder);
});

test("with heed as the writer the folder is read, sessions are told so, and the index is not told twice", async () => {
  home.remember({ type: "project", name: "a", statement: "the queue runs on Valkey" });
  clientRemembers();
  const report = await home.heed.setup.setWriter("heed", PERSON);
  expect(report).toMatchObject({ writer: "heed", isAttached: true });
  expect((await home.heed.memories.list()).map(({ name }) => name)).toContain("staging-host");
  const injected = await start("s1");
  expect(injected).toContain("heed writes memory here");
  expect(injected).toContain("heed reads it");
  expect(injected.match(/borealis/g)).toBeNull();
  await home.heed.setup.setWriter("client", PERSON);
  expect(await start("s2")).toContain("is where the user wants things written");
  const stores = await home.heed.setup.setWriter("heed", PERSON);
  expect(stores.isAttached).toBe(true);
});

test("nobody but a person says which; nothing is said where the client's memory is off", async () => {
  clientRemembers();
  await expect(home.heed.setup.setWriter("heed", { kind: "model" })).rejects.toMatchObject({
    code: "gate-refused",
  });
  home.write(join(home.home, ".claude", "settings.json"), JSON.stringify({ autoMemoryEnabled: false }));
  expect(await home.heed.setup.clientMemory()).toMatchObject({ isOn: false });
});

test("what the client's memory says of the user is shown as not theirs, whatever its file says, until they say so", async () => {
  home.write(
    join(folder, "terse.md"),
    memoryFile({ type: "user", name: "terse", statement: "the user prefers terse reviews" }),
  );
  await home.heed.setup.attach(folder, {}, PERSON);
  expect((await home.heed.memories.show("terse")).isUnsaid).toBe(true);
  expect(await start("s1")).not.toContain("prefers terse reviews [heed:");
  await home.heed.inbox.confirm("terse", {}, PERSON);
  expect((await home.heed.memories.show("terse")).isUnsaid).toBeUndefined();
});
