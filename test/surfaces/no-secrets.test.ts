import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { memoryFile } from "../home/temporary-heed.ts";
import { Machine } from "./cli/run-heed.ts";
import { McpProcess } from "./mcp/mcp-process.ts";
import { SandboxHome } from "./sandbox-home.ts";

// A file that was edited by hand passes no gate: here a secret stands in every field of it, and in another one's name.
const TOKEN = ["ghp", "016C7e3Xq9Zt4LwV2uYbN8dRfKsHjPaMoEiT"].join("_");
const FILE = `---
name: tok
description: the deploy page https://wiki.example.com/deploy with ${TOKEN}
metadata:
  type: reference
  tags: [deploy, ${TOKEN}]
  trigger: [${TOKEN}]
  aliases: ["key ${TOKEN}"]
  claims: ["path:${TOKEN}"]
  links: [{ rel: related, to: ${TOKEN} }]
  scope: { paths: ["${TOKEN}/**"] }
---
Token ${TOKEN} here.
`;
const NAMED = `---\nname: ${TOKEN}\ndescription: another page https://wiki.example.com/x\nmetadata: { type: reference }\n---\nx\n`;

function leak(store: string): void {
  mkdirSync(join(store, "reference"), { recursive: true });
  writeFileSync(join(store, "reference", "tok.md"), FILE);
  writeFileSync(join(store, "reference", `${TOKEN}.md`), NAMED);
}

describe("no command tells a secret of a file that was edited by hand", () => {
  const machine = new Machine();
  beforeAll(async () => {
    machine.variables["HEED_DIR"] = join(machine.home, "memory");
    await machine.run("init");
    leak(join(machine.home, "memory"));
  });
  afterAll(() => machine.remove());

  test.each([
    ["list"],
    ["show tok"],
    ["show tok --raw"],
    ["search deploy"],
    ["check"],
    ["check health"],
    ["doctor --quick"],
    ["undo --list"],
    ["show tok --log"],
    ["show tok --diff"],
    ["check --confirm tok"],
    ["check --fix tok"],
    ["inbox"],
    ["check --fix"],
    ["why deploy"],
  ])("heed %s", async (line) => {
    for (const more of [[], ["--json"]]) {
      const { stdout, stderr } = await machine.run([...line.split(" "), ...more]);
      expect(stdout + stderr).not.toContain(TOKEN);
    }
  });

  // A key is recognised by all of its lines: none of them may be told by itself, with a mark before it or without.
  test.each([
    ["a key of many lines", ["begin", "end"]],
    ["one whose beginning was torn off", ["end"]],
    ["one whose end was torn off", ["begin"]],
    ["one without a mark", []],
  ])("%s", async (_, kept: string[]) => {
    const bytes = Array.from(
      { length: 6 },
      (_line, i) => `MIIE${i}x9Kd02LmQ7xZp41Rt5Vb8Nc3Hj6Wy${i}Ug1Ti4So7Pa${i}Qe2ZrFd6Gk9JwLbTq`,
    );
    const file = join(machine.home, "memory", "reference", "pem.md");
    const statement = "where the key is https://wiki.example.com/key";
    const text = (lines: readonly string[]): string =>
      memoryFile({
        type: "reference",
        name: "pem",
        statement,
        body: ["Deploy with:", "", ...lines, "", "and no other."].join("\n"),
      });
    const marked = (mark: string): string[] =>
      kept.includes(mark) ? [`-----${mark.toUpperCase()} RSA PRIVATE KEY-----`] : [];
    writeFileSync(file, text([...marked("begin"), ...bytes, ...marked("end")]));
    await machine.run("check");
    const lines = "show pem¦show pem --raw¦search deploy¦show pem --diff¦show pem --log¦check".split("¦");
    for (const line of lines)
      for (const more of [[], ["--json"]]) {
        const { stdout, stderr } = await machine.run([...line.split(" "), ...more]);
        expect([line, bytes.filter((part) => (stdout + stderr).includes(part))]).toEqual([line, []]);
      }
    // Its removal tells nothing of it either.
    writeFileSync(file, text(["in the vault"]));
    for (const line of ["show pem --diff", "show pem --log"]) {
      const { stdout } = await machine.run(line.split(" "));
      expect([line, bytes.filter((part) => stdout.includes(part))]).toEqual([line, []]);
    }
  });

  test("and what is shown in its place says what it was", async () => {
    expect((await machine.run("show tok")).stdout).toContain("tags     deploy, [redacted: token]");
  });
});

test("no tool tells one either", async () => {
  const home = new SandboxHome();
  leak(home.userStore);
  const server = await McpProcess.opened(home, "modern");
  for (const [name, input] of [
    ["memory_search", {}],
    ["memory_search", { query: "deploy page" }],
    ["memory_show", { handle: "tok" }],
    ["memory_check", { what: "overview" }],
    ["memory_check", { what: "verify", handle: "tok" }],
    ["memory_check", { what: "health" }],
  ] as const) {
    const answer = JSON.stringify(await server.call(name, input));
    expect(answer).not.toContain(TOKEN);
    expect(answer.length).toBeGreaterThan(40);
  }
});
