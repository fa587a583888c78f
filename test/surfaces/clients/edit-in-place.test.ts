import { assert, constantFrom, dictionary, jsonValue, property, record, string } from "fast-check";
import { parse as parseJsonc } from "jsonc-parser";
import { parse as parseToml } from "smol-toml";
import { describe, expect, test } from "vitest";
import type { Piece } from "../../../src/surfaces/clients/entry/client.ts";
import { withPieces, withoutPieces } from "../../../src/surfaces/clients/edit/edit-file.ts";

const SERVER = { command: "node", args: ["/opt/heed.cjs", "mcp"] };
const HOOK = { hooks: [{ type: "command", command: "node /opt/heed.cjs hook --client x", timeout: 10 }] };
const RULES: readonly Piece[] = [
  { kind: "item", path: ["permissions", "deny"], value: "Edit(~/heed/**)" },
  { kind: "key", path: ["permission", "edit", "*heed/*"], value: "deny", rest: "*" },
];
const PIECES: readonly Piece[] = [
  { kind: "key", path: ["mcpServers", "heed"], value: SERVER },
  { kind: "item", path: ["hooks", "Stop"], value: HOOK },
  ...RULES,
];
const TABLE: Piece = {
  kind: "toml",
  table: ["mcp_servers", "heed"],
  text: '[mcp_servers.heed]\ncommand = "node"',
};
const add = (text: string, pieces: readonly Piece[] = PIECES): string => withPieces(pieces, text);
const remove = (text: string, file = "x.json", rules = RULES): string =>
  withoutPieces(file, text, rules) ?? "";
const read = (text: string): unknown =>
  text.trim() === "" ? {} : parseJsonc(text.replace(/^\uFEFF/, ""), [], { allowTrailingComma: true });
const commentsOf = (text: string): string[] => text.match(/\/\/ \w+|\/\* \w+ \*\//g) ?? [];

describe("JSON with comments", () => {
  test.each([
    ["nothing", ""],
    ["an empty object", "{}"],
    [
      "comments and trailing commas",
      '{\n  // mine\n  "a": 1, // why\n  "mcpServers": {\n    "o": { "x": 1 }, /* tail */\n  },\n}\n',
    ],
    ["a comment behind the last entry", '{\n  "a": 1 // why\n}\n'],
    ["comments around commas", '{\n  "a": 1 /* one */, /* two */\n  "b": {} // three\n}\n'],
    ["a comment where a server was", '{\n  "mcpServers": {\n    // "o": { "x": 1 }\n  }\n}\n'],
    ["tabs and CRLF", '{\r\n\t"a": [\r\n\t\t1\r\n\t]\r\n}\r\n'],
    ["one line", '{"a":{"b":[1,2]},"mcpServers":{"o":{}}}'],
    ["a byte order mark alone", "\uFEFF"],
    ["a byte order mark", '\uFEFF{\n    "a": 1\n}'],
    ["other hooks", '{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"beep"}]}]}}'],
    ["a comment alone", "{\n  // nothing\n}\n"],
    ["brackets in texts and comments", '{\n  "a": "}],", // brace }\n  "b": "\\"{"\n}\n'],
    ["objects on one line", '{\n  "mcpServers": {\n    "o": { "x": [1, 2] }\n  },\n  "e": { "A": "1" }\n}\n'],
    ["a comma on the next line", '{\n  "e": 1 /* one */\n  , "f": [ 1 ]\n}\n'],
  ])("%s: heed's part comes to it and goes again; values, comments and layout stay", (_what, text) => {
    const added = add(text);
    expect(read(added)).toMatchObject({
      ...(read(text) as object),
      mcpServers: { heed: SERVER },
      hooks: { Stop: expect.arrayContaining([HOOK]) as unknown },
      permissions: { deny: ["Edit(~/heed/**)"] },
      permission: { edit: { "*heed/*": "deny" } },
    });
    expect(add(added)).toBe(added);
    const rest = remove(added);
    expect(read(rest)).toEqual(read(text));
    for (const one of [added, rest]) expect(commentsOf(one)).toEqual(commentsOf(text));
    expect(added.includes("\r\n")).toBe(text.includes("\r\n"));
    expect(added.startsWith("\uFEFF")).toBe(text.startsWith("\uFEFF"));
    // Nothing of theirs was laid out anew.
    const plain = (json: string): string => json.replace("\uFEFF", "").replaceAll(/\s+\}/g, "}");
    expect(plain(rest)).toBe(plain(text.replace(/^\uFEFF?$/, "{}\n")));
  });

  test("comments between a key, its colon and its value stay, and so does what holds one", () => {
    const text =
      '{"a":1,"hooks" // one\n: /* two */ { // three\n} // four\n,"permissions":{"deny":[ // five\n]}}';
    const added = add(text);
    expect(add(added)).toBe(added);
    expect([read(remove(added)), commentsOf(remove(added))]).toEqual([read(text), commentsOf(text)]);
  });

  test("an entry of an older version is replaced where it stands; the user's own keys in it stay", () => {
    const old = `{
  "mcpServers": {
    "heed": { "command": "old", "args": ["mcp"], "env": { "HEED_DIR": "/m" }, "disabled": true },
    "z": {}
  }
}`;
    const { mcpServers } = read(add(old)) as { mcpServers: Record<string, unknown> };
    expect(Object.keys(mcpServers)).toEqual(["heed", "z"]);
    expect(mcpServers["heed"]).toEqual({ ...SERVER, disabled: true, env: { HEED_DIR: "/m" } });
  });

  const OTHERS = [
    { command: "beep" },
    { command: "heedless hook" },
    { command: "heed status" },
    { type: "mcp_tool", server: "heed", tool: "memory_search" },
    "heed hook",
  ];
  const BEEP = { hooks: [{ type: "command", command: "beep" }] };
  test.each([
    ["in its place", [{ hooks: [{ command: "/old/heed.cjs hook" }] }, BEEP], [HOOK, BEEP]],
    [
      "once, where an older version left it twice",
      [
        BEEP,
        { hooks: [{ command: "heed hook", timeout: 1 }] },
        { hooks: [{ type: "mcp_tool", tool: "memory_hook" }] },
        { hooks: [{ command: "node", args: ["/a/heed.cjs", "hook"] }] },
        { hooks: [{ command: '/usr/bin/node "/a b/heed.cjs" hook --client x' }] },
      ],
      [BEEP, HOOK],
    ],
    [
      "out of a group with others",
      [{ hooks: [...OTHERS, { command: "heed hook" }] }],
      [{ hooks: OTHERS }, HOOK],
    ],
  ])("a hook of an older version is replaced, %s", (_how, before, after) => {
    const added = add(JSON.stringify({ hooks: { Stop: before } }, null, 2));
    expect(read(added)).toMatchObject({ hooks: { Stop: after } });
    expect(read(remove(added))).toEqual({ hooks: { Stop: after.filter((one) => one !== HOOK) } });
  });

  test.each([
    ["broken", '{ "a": ', /line 1/],
    ["a list", "[]", /no JSON object/],
    ["servers that are a list", '{"mcpServers": []}', /"mcpServers" is no object/],
    ["hooks that are a text", '{"hooks": "x"}', /"hooks" is no object/],
    ["an event that is no list", '{"hooks": {"Stop": {}}}', /"hooks.Stop" is no list/],
    ["a key twice", '{"mcpServers": {}, "mcpServers": {}}', /twice/],
  ])("%s is refused", (_what, text, why) => {
    expect(() => add(text)).toThrow(why);
  });

  test("of any object, in any layout, nothing else changes, and all of it comes back", () => {
    const layout = record({
      value: dictionary(string({ maxLength: 8 }), jsonValue({ maxDepth: 3 }), { maxKeys: 5 }).filter(
        (value) =>
          !["__proto__", "mcpServers", "hooks", "permissions", "permission"].some((key) => key in value),
      ),
      indent: constantFrom("", "  ", "    ", "\t"),
      eol: constantFrom("\n", "\r\n"),
      comment: constantFrom("", "// say }", "/* x, */"),
    });
    assert(
      property(layout, ({ value, indent, eol, comment }) => {
        const plain = JSON.stringify(value, null, indent).replaceAll("\n", eol);
        const text = comment === "" ? plain : `${comment}${eol}${plain}${eol}`;
        const added = add(text);
        const { mcpServers, hooks, permissions, permission, ...rest } = read(added) as Record<
          string,
          unknown
        >;
        expect([mcpServers, hooks, permissions, permission]).not.toContain(undefined);
        expect(rest).toEqual(read(text));
        expect(add(added)).toBe(added);
        expect(read(remove(added))).toEqual(read(text));
      }),
      { numRuns: 100 },
    );
  });
});

describe("TOML", () => {
  const without = (text: string): string => remove(text, "x.toml");

  test.each([
    "",
    'a = 1 # mine\n\n[mcp_servers.other]\ncommand = "y"\n',
    'a = 1\r\n[b]\r\nc = "# heed"\r\n',
    "a = 1",
    "# only a comment\n\n\n",
  ])("%j: heed's block at the end, everything before as it was, and out again", (text) => {
    const added = add(text, [TABLE]);
    expect(added.startsWith(text)).toBe(true);
    expect(parseToml(added)["mcp_servers"]).toHaveProperty("heed", { command: "node" });
    expect(add(added, [TABLE])).toBe(added);
    expect(without(added).trimEnd()).toBe(text.trimEnd());
    expect(parseToml(without(`${added}\n[later]\nb = 2\n`))).toEqual({ ...parseToml(text), later: { b: 2 } });
  });

  test("a table that a program put before the block's last comment stays", () => {
    const text = 'model = "m"\n';
    const theirs = '[projects."/work/heed"]\ntrust_level = "trusted"\n';
    const added = add(text, [TABLE]).replace("# heed: end", `\n${theirs}# heed: end`);
    expect(without(added)).toBe(`${text}\n${theirs}`);
    const { mcp_servers, projects } = parseToml(add(added.replace('"node"', '"old"'), [TABLE]));
    expect(mcp_servers).toEqual({ heed: { command: "node" } });
    expect(projects).toEqual({ "/work/heed": { trust_level: "trusted" } });
  });

  test.each([
    ["[mcp_servers.heed]\nx = 1\n", /did not write/],
    ['[ mcp_servers . "heed" ]\nx = 1\n', /did not write/],
    ['mcp_servers = { other = { command = "x" } }\n', /cannot be at its end/],
    ["a = \n", /./],
  ])("%j is refused", (text, why) => {
    expect(() => add(text, [TABLE])).toThrow(why);
  });
});
