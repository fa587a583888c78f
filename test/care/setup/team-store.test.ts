import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { initRepository, memoryFile, rule, TemporaryHeed } from "../../home/temporary-heed.ts";
import { MODEL, PERSON } from "../../write/write-desk.ts";

const place = TemporaryHeed.withUserStore();
const FOR = { repositories: ["github.com/acme/*"] };
const GUARDED = rule("no-verify", "never use --no-verify", ["guard: { command: npm test }"]);
const BOARD = { type: "project", name: "board", statement: "The board is at https://board.acme.example" };
let rules: string;

beforeEach(() => {
  rules = join(place.folder, "rules");
  initRepository(rules);
  place.addOrigin("git@github.com:acme/api.git");
  commit({ "feedback/no-verify.md": memoryFile(GUARDED), "project/board.md": memoryFile(BOARD) });
});

function commit(files: Record<string, string>): void {
  for (const [file, text] of Object.entries(files)) place.write(join(rules, ".heed", file), text);
  git("add", "-A");
  git("commit", "-qm", "rules");
}
const git = (...args: string[]): string => place.git("-C", rules, ...args);
const decision = async (session: string) => (await place.shell("npm test", { session })).decision?.action;
const names = async (): Promise<string[]> => (await place.heed.memories.list()).map(({ name }) => name);

test("nothing of a shared store counts before a person has seen it; then its rules do, and say where they come from", async () => {
  const store = await place.heed.setup.attach(rules, FOR, PERSON);
  expect(store).toMatchObject({ kind: "team", isTrusted: false, isReadOnly: true });
  expect(await names()).toEqual([]);
  const start = await place.begin();
  expect(start.notice).toContain("The shared store");
  expect(start.context ?? "").not.toContain("no-verify");
  const review = await place.heed.setup.reviewTrust();
  expect(review.entries.map(({ name, change, guards }) => [name, change, guards.length])).toEqual([
    ["no-verify", "new", 1],
    ["board", "new", 0],
  ]);
  await place.heed.setup.trust({ token: review.token });
  const source = `${rules}@${git("rev-parse", "HEAD").slice(0, 7)}`;
  expect(await place.start("s2")).toContain(`[heed:no-verify] (from ${source})`);
  expect((await place.shell("npm test", { session: "s2" })).decision).toMatchObject({
    action: "deny",
    reason: expect.stringContaining(source) as string,
  });
  expect((await place.heed.memories.show("board")).notes).toContain(`from the shared store ${source}`);
});

test("the question after a session's start puts exactly what it showed into force", async () => {
  await place.heed.setup.attach(rules, FOR, PERSON);
  const [question] = await place.heed.consent.questions();
  expect(question?.text).toContain("Approve 1 rule and 1 fact of the shared store");
  const by = { ...PERSON, door: "formula" } as const;
  expect((await place.heed.consent.answer(question?.code ?? "", "yes", by)).isDone).toBe(true);
  expect(await decision("s1")).toBe("deny");
});

test("what its repository has later is fetched by a person alone, and shown against what is in force", async () => {
  await place.heed.setup.attach(rules, FOR, PERSON);
  await place.heed.setup.trust();
  const before = git("rev-parse", "HEAD").slice(0, 7);
  git("rm", "-q", ".heed/project/board.md");
  commit({ "feedback/no-verify.md": memoryFile(rule("no-verify", "skip the hooks")) });
  expect(await place.start()).toContain("never use --no-verify");
  expect((await place.heed.setup.reviewTrust()).entries).toEqual([]);
  await expect(place.heed.setup.attach(rules, {}, MODEL)).rejects.toMatchObject({ code: "gate-refused" });
  await place.heed.setup.attach(rules, {}, PERSON);
  expect(await place.start("s2")).toContain(
    `never use --no-verify [heed:no-verify] (from ${rules}@${before})`,
  );
  expect(await decision("s2")).toBe("deny");
  const { entries, token } = await place.heed.setup.reviewTrust();
  expect(entries.map(({ name, change }) => [name, change])).toEqual([
    ["no-verify", "changed"],
    ["board", "removed"],
  ]);
  expect(entries[0]?.diff).toContain('-description: "never use --no-verify"');
  commit({ "feedback/late.md": memoryFile(rule("late", "always push at once")) });
  await place.heed.setup.attach(rules, {}, PERSON);
  // Another commit than the one that was shown.
  await expect(place.heed.setup.trust({ token })).rejects.toMatchObject({ code: "changed-outside" });
  await place.heed.setup.trust({ token: (await place.heed.setup.reviewTrust()).token });
  expect(await place.start("s3")).toContain("skip the hooks");
  expect(await decision("s3")).toBeUndefined();
  expect((await names()).sort()).toEqual(["late", "no-verify"]);
});

test.each([
  ["github.com/acme/*", undefined, true],
  ["github.com/acme/api", undefined, true],
  ["github.com/other/*", undefined, false],
  ["*", "github.com/acme/*", true],
  ["*", "github.com/acme/web", false],
])("mounted for %s, a rule with the scope %s: %s", async (pattern, scope, isHere) => {
  const scoped = rule("scoped", "use tabs", scope === undefined ? [] : [`scope: { repo: "${scope}" }`]);
  commit({ "feedback/scoped.md": memoryFile(scoped) });
  await place.heed.setup.attach(rules, { repositories: [pattern] }, PERSON);
  await place.heed.setup.trust().catch(() => undefined);
  expect((await place.start()).includes("use tabs")).toBe(isHere);
});

test("it is read only, and goes with its files", async () => {
  const { root } = await place.heed.setup.attach(rules, FOR, PERSON);
  await place.heed.setup.trust();
  for (const by of [MODEL, PERSON])
    await expect(place.heed.memories.remove("board", "old", by)).rejects.toMatchObject({
      code: "read-only",
      message: expect.stringContaining("change it in its own repository") as string,
    });
  expect(await place.heed.inbox.list()).toEqual([]);
  for (const actor of [MODEL, PERSON])
    await expect(
      place.heed.memories.update("board", { statement: "The board is elsewhere" }, actor),
    ).rejects.toMatchObject({
      code: "read-only",
      message: expect.stringContaining("its own repository") as string,
    });
  expect(existsSync(root)).toBe(true);
  await place.heed.setup.detach(rules);
  expect(existsSync(root)).toBe(false);
  expect(await place.start()).not.toContain("no-verify");
});

test.each([
  "ext::sh -c touch% PWNED",
  "--upload-pack=touch PWNED",
  "-oProxyCommand=touch PWNED",
  "ssh://-oProxyCommand=touch%20PWNED/x",
  "foo://host/path",
  "https://user\nhost/x",
  "",
])("git is not given the address %j", async (address) => {
  const given = address.replaceAll("PWNED", join(place.folder, "pwned"));
  await expect(place.heed.setup.attach(given, FOR, PERSON)).rejects.toMatchObject({
    code: expect.stringMatching(/invalid-input|git-failed/) as string,
  });
  expect(existsSync(join(place.folder, "pwned"))).toBe(false);
  expect(place.heed.setup.stores().map(({ kind }) => kind)).toEqual(["user"]);
});

test("links, submodules, filters and hooks of it come to nothing", async () => {
  const canary = join(place.folder, "ran");
  writeFileSync(join(place.folder, "secret.md"), memoryFile({ ...BOARD, name: "secret" }));
  mkdirSync(join(rules, ".heed/reference"), { recursive: true });
  symlinkSync(join(place.folder, "secret.md"), join(rules, ".heed/reference/secret.md"));
  place.write(join(rules, ".gitattributes"), "*.md filter=evil\n");
  git("config", "filter.evil.smudge", `touch ${canary}`);
  place.write(join(rules, ".git/hooks/post-checkout"), `#!/bin/sh\ntouch ${canary}\n`);
  execFileSync("chmod", ["+x", join(rules, ".git/hooks/post-checkout")]);
  git("update-index", "--add", "--cacheinfo", `160000,${git("rev-parse", "HEAD").trim()},.heed/sub`);
  place.write(join(rules, ".gitmodules"), '[submodule "sub"]\n\tpath = .heed/sub\n\turl = ext::touch\n');
  git("-c", "filter.evil.clean=cat", "add", "-A");
  git("commit", "-qm", "evil");
  await place.heed.setup.attach(rules, FOR, PERSON);
  await place.heed.setup.trust();
  expect(await names()).not.toContain("secret");
  expect(await decision("s1")).toBe("deny");
  expect(existsSync(canary)).toBe(false);
});
