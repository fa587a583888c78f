import { assert, constantFrom, dictionary, jsonValue, property, record, string } from "fast-check";
import { parse as parseJsonc } from "jsonc-parser";
import { parse as parseToml } from "smol-toml";
import { describe, expect, test } from "vitest";
import type { Piece } from "../../../src/surfaces/clients/entry/client.ts";
import { withPieces, withoutPieces } from "../../../src/surfaces/clients/edit/edit-file.ts";
import { isHeedHook } from "../../../src/surfaces/clients/edit/json-pieces.ts";

const SERVER = { command: "node", args: ["/opt/heed.cjs", "mcp"] };
const HOOK = { hooks: [{ type: "command", command: "node /opt/heed.cjs hook --client x", timeout: 10 }] };
const PIECES: readonly Piece[] = [
  { kind: "json-value", path: ["mcpServers", "heed"], value: SERVER },
  { kind: "json-item", path: ["hooks", "Stop"], value: HOOK },
  { kind: "json-values", path: ["permissions", "deny"], values: ["Edit(~/heed/**)"] },
  { kind: "json-entries", path: ["permission", "edit"], entries: { "*heed/*": "deny" }, rest: "*" },
];
const TABLE: Piece = {
  kind: "toml",
  table: ["mcp_servers", "heed"],
  text: '[mcp_servers.heed]\ncommand = "node"',
};
const file = "x";
const add = (text: string, pieces: readonly Piece[] = PIECES): string =>
  withPieces({ file, pieces }, text).text;
const remove = (text: string, original: string, pieces: readonly Piece[] = PIECES): string =>
  withoutPieces({ file, pieces }, text, original) ?? "";
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
    ["comments around commas", '{\n  "a": 1 /* one */, /* two */\n  "hooks": {} // three\n}\n'],
    ["tabs and CRLF", '{\r\n\t"a": [\r\n\t\t1\r\n\t]\r\n}\r\n'],
    ["one line", '{"a":{"b":[1,2]},"mcpServers":{"o":{}}}'],
    ["a byte order mark alone", "\uFEFF"],
    ["a byte order mark", '\uFEFF{\n    "a": 1\n}'],
    ["other hooks", '{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"beep"}]}]}}'],
    ["a comment alone", "{\n  // nothing\n}\n"],
    ["brackets in texts and comments", '{\n  "a": "}],", // brace }\n  "b": "\\"{"\n}\n'],
  ])("%s: heed's part comes to it and goes again; values and comments stay", (_what, text) => {
    const added = add(text);
    const { permissions } = read(text) as Record<string, unknown>;
    expect(permissions).toBeUndefined();
    expect(read(added)).toMatchObject({
      ...(read(text) as object),
      mcpServers: { heed: SERVER },
      hooks: { Stop: expect.arrayContaining([HOOK]) as unknown },
      permissions: { deny: ["Edit(~/heed/**)"] },
      permission: { edit: { "*heed/*": "deny" } },
    });
    expect(add(added)).toBe(added);
    const rest = remove(added, text);
    expect(read(rest)).toEqual(read(text));
    for (const one of [added, rest]) expect(commentsOf(one)).toEqual(commentsOf(text));
    expect(added.includes("\r\n")).toBe(text.includes("\r\n"));
    expect(added.startsWith("\uFEFF")).toBe(text.startsWith("\uFEFF"));
  });

  test.each([
    [
      "objects on one line",
      '{\n  "mcpServers": {\n    "o": { "x": [1, 2] }\n  },\n  "e": { "A": "1" }\n}\n',
      '"e": { "A": "1" },\n',
    ],
    [
      "a comment behind a comma",
      '{\n  "mcpServers": {\n    "o": { "x": 1 }, // mine\n  },\n}\n',
      '"o": { "x": 1 }, // mine\n',
    ],
    ["a comment behind the last", '{\n  "e": {} // why\n}\n', '"e": {}, // why\n'],
    [
      "all on one line",
      '{ "mcpServers": { "o": { "x": 1 } }, "e": [1,2] }',
      '{ "o": { "x": 1 }, "heed": {"command":',
    ],
    [
      "all on one line, close",
      '{"mcpServers":{"o":{"x":1}},"e":[1,2]}\n',
      '{"o":{"x":1},"heed": {"command":',
    ],
    [
      "a comma on the next line",
      '{\n  "e": 1 /* one */\n  , "f": [ 1 ]\n}\n',
      '"e": 1 /* one */\n  , "f": [ 1 ], "mcpServers"',
    ],
  ])("%s: no line is laid out anew, and without heed's part the file is as it was", (_what, text, kept) => {
    const added = add(text);
    expect(added).toContain(kept);
    expect(remove(added, text)).toBe(text);
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

  const BEEP = { hooks: [{ type: "command", command: "beep" }] };
  test.each([
    ["in its place", [{ hooks: [{ command: "/old/heed.cjs hook" }] }, BEEP], [HOOK, BEEP]],
    [
      "once, where an older version left it twice",
      [BEEP, { hooks: [{ command: "heed hook" }] }, { hooks: [{ type: "mcp_tool", tool: "memory_hook" }] }],
      [BEEP, HOOK],
    ],
    [
      "out of a group with others",
      [{ hooks: [{ command: "beep" }, { command: "heed hook" }, { command: "heedless hook" }] }],
      [{ hooks: [{ command: "beep" }, { command: "heedless hook" }] }, HOOK],
    ],
  ])("a hook of an older version is replaced, %s", (_how, before, after) => {
    const text = JSON.stringify({ hooks: { Stop: before } }, null, 2);
    const added = add(text);
    expect(read(added)).toMatchObject({ hooks: { Stop: after } });
    expect(read(remove(added, text))).toEqual({ hooks: { Stop: after.filter((one) => one !== HOOK) } });
  });

  const VALUES: Piece = { kind: "json-values", path: ["p", "deny"], values: ["a", { b: [1] }] };
  const ENTRIES = {
    kind: "json-entries",
    path: ["p", "edit"],
    entries: { "x/*": "deny", "y/*": "ask" },
    rest: "*",
  } as const;
  test.each<[string, Piece, string, object]>([
    ["a list", VALUES, '{"p":{"deny":["z"]}}', { deny: ["z", "a", { b: [1] }] }],
    ["a list that holds some", VALUES, '{"p":{"deny":[{"b":[1]}]}}', { deny: [{ b: [1] }, "a"] }],
    [
      "a list in which the same is twice",
      VALUES,
      '{"p":{"deny":["z","z"]}}',
      { deny: ["z", "z", "a", { b: [1] }] },
    ],
    ["nothing", ENTRIES, "{}", { edit: ENTRIES.entries }],
    [
      "other entries",
      ENTRIES,
      '{"p":{"edit":{"*":"ask"},"z":1}}',
      { edit: { "*": "ask", ...ENTRIES.entries }, z: 1 },
    ],
    ["a text in their place", ENTRIES, '{"p":{"edit":"ask"}}', { edit: { "*": "ask", ...ENTRIES.entries } }],
    ["a text above them", ENTRIES, '{"p":"allow"}', { "*": "allow", edit: ENTRIES.entries }],
    [
      "the user's own of the same name",
      ENTRIES,
      '{"p":{"edit":{"x/*":"allow"}}}',
      { edit: { "x/*": "allow", "y/*": "ask" } },
    ],
    ["the same of the user's own", ENTRIES, '{"p":{"edit":{"x/*":"deny"}}}', { edit: ENTRIES.entries }],
  ])("beside %s, heed's come last, and exactly these go", (_what, piece, text, expected) => {
    const added = add(text, [piece]);
    // The order counts: in some clients the last that fits.
    expect(JSON.stringify(read(added))).toBe(JSON.stringify({ p: expected }));
    expect(add(added, [piece])).toBe(added);
    expect(read(remove(added, text, [piece]))).toEqual(read(text));
    const since: Piece =
      piece.kind === "json-values"
        ? { ...piece, values: ["since"] }
        : { ...ENTRIES, entries: { "since/*": "allow" } };
    const left = remove(add(added, [since]), text, [piece]);
    expect(left).toContain("since");
    expect(read(remove(left, text, [since]))).toEqual(read(text));
  });

  const VERSION: Piece = { kind: "json-value", path: ["version"], value: 1 };
  test.each([
    ["the file had one", '{"version":1,"hooks":{"x":[1]}}', "", '{"version":1,"hooks":{"x":[1]}}'],
    ["others use heed's file since", "", '"mine": 1, ', '{"version":1,"mine":1}'],
    ["nobody does", "", "", "{}"],
    ["the file had none", '{"a":1}', "", '{"a":1}'],
  ])("the version of the format stays or goes: %s", (_when, text, since, expected) => {
    const added = add(text, [VERSION, ...PIECES]).replace('"mcpServers"', `${since}"mcpServers"`);
    expect(JSON.stringify(read(remove(added, text, [VERSION, ...PIECES])))).toBe(expected);
  });

  test.each([
    ["broken", '{ "a": ', /line 1/],
    ["a list", "[]", /no JSON object/],
    ["servers that are a list", '{"mcpServers": []}', /"mcpServers"/],
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
        expect(read(remove(added, text))).toEqual(read(text));
      }),
      { numRuns: 100 },
    );
  });
});

describe("TOML", () => {
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
    expect(remove(added, text, [TABLE]).trimEnd()).toBe(text.trimEnd());
    const edited = remove(`${added}\n[later]\nb = 2\n`, text, [TABLE]);
    expect(parseToml(edited)).toEqual({ ...parseToml(text), later: { b: 2 } });
  });

  test("a table that a program put before the block's last comment stays", () => {
    const text = 'model = "m"\n';
    const theirs = '[projects."/work/heed"]\ntrust_level = "trusted"\n';
    const added = add(text, [TABLE]).replace("# heed: end", `\n${theirs}# heed: end`);
    expect(remove(added, text, [TABLE])).toBe(`${text}\n${theirs}`);
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

test("a file that heed put nothing into is left as it is", () => {
  expect(remove("a = 1\n", "", [])).toBe("a = 1\n");
});

test.each([
  [{ type: "command", command: "node", args: ["/a/heed.cjs", "hook"] }, true],
  [{ type: "command", command: '/usr/bin/node "/a b/heed.cjs" hook --client x' }, true],
  [{ command: "heed hook", timeout: 1 }, true],
  [{ type: "mcp_tool", server: "heed", tool: "memory_hook" }, true],
  [{ type: "mcp_tool", server: "heed", tool: "memory_search" }, false],
  [{ type: "command", command: "heedless hook" }, false],
  [{ type: "command", command: "heed status" }, false],
  ["heed hook", false],
])("%j is heed's: %s", (hook, expected) => {
  expect(isHeedHook(hook)).toBe(expected);
});
