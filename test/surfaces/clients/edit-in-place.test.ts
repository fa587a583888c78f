import { assert, constantFrom, dictionary, jsonValue, property, record, string } from "fast-check";
import { parse as parseJsonc } from "jsonc-parser";
import { parse as parseToml } from "smol-toml";
import { parse as parseYaml } from "yaml";
import { describe, expect, test } from "vitest";
import type { Piece } from "../../../src/surfaces/clients/entry/client.ts";
import { withoutPieces } from "../../../src/surfaces/clients/edit-file.ts";
import { addToJson, removeFromJson } from "../../../src/surfaces/clients/edit/edit-json.ts";
import { addToToml, removeFromToml } from "../../../src/surfaces/clients/edit/edit-toml.ts";
import { addToYaml, removeFromYaml } from "../../../src/surfaces/clients/edit/edit-yaml.ts";

type JsonPiece = Extract<Piece, { kind: `json-${string}` }>;

const SERVER = { command: "node", args: ["/opt/heed.cjs", "mcp"] };
const HOOK = { hooks: [{ type: "command", command: "node /opt/heed.cjs hook --client x", timeout: 10 }] };
const PIECES: readonly JsonPiece[] = [
  { kind: "json-value", path: ["mcpServers", "heed"], value: SERVER },
  { kind: "json-item", path: ["hooks", "Stop"], value: HOOK },
  { kind: "json-values", path: ["permissions", "deny"], values: ["Edit(~/heed/**)"] },
  { kind: "json-entries", path: ["permission", "edit"], entries: { "*heed/*": "deny" }, rest: "*" },
  { kind: "json-values", path: ["rules"], values: [{ tool: "edit", to: "heed" }], isFirst: true },
];
const read = (text: string): unknown =>
  parseJsonc(text.replace(/^\uFEFF/, ""), [], { allowTrailingComma: true });

describe("JSON with comments", () => {
  test.each([
    ["nothing", ""],
    ["an empty object", "{}"],
    [
      "comments and trailing commas",
      '{\n  // mine\n  "a": 1, // why\n  "mcpServers": {\n    "o": { "x": 1 }, /* tail */\n  },\n}\n',
    ],
    ["tabs and CRLF", '{\r\n\t"a": [\r\n\t\t1\r\n\t]\r\n}\r\n'],
    ["one line", '{"a":{"b":[1,2]},"mcpServers":{"o":{}}}'],
    ["a byte order mark", '\uFEFF{\n    "a": 1\n}'],
    ["other hooks", '{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"beep"}]}]}}'],
    ["a comment alone", "{\n  // nothing yet\n}\n"],
    ["brackets in texts and comments", '{\n  "a": "}],", // }\n  "b": "\\"{"\n}\n'],
  ])("%s: every character of before is there, in its order, and heed's part comes to it", (_what, text) => {
    const added = addToJson(text, PIECES);
    expect(read(added)).toMatchObject({
      mcpServers: { heed: SERVER },
      permissions: { deny: ["Edit(~/heed/**)"] },
    });
    // A subsequence: nothing of the user's was rewritten or moved.
    let at = 0;
    for (const char of added) if (char === text[at]) at += 1;
    expect(at).toBe(text.length);
    expect(addToJson(added, PIECES)).toBe(added);
    expect(read(removeFromJson(added, PIECES, text))).toEqual(read(text.trim() === "" ? "{}" : text));
  });

  test("an entry of an older version is replaced where it stands; the user's own keys in it stay", () => {
    const old = `{
  "mcpServers": {
    "heed": { "command": "old", "args": ["mcp"], "env": { "NODE_EXTRA_CA_CERTS": "", "HEED_DIR": "/m" }, "disabled": true },
    "z": {}
  }
}`;
    const { mcpServers } = read(addToJson(old, PIECES)) as { mcpServers: Record<string, unknown> };
    expect(Object.keys(mcpServers)).toEqual(["heed", "z"]);
    expect(mcpServers["heed"]).toEqual({ ...SERVER, disabled: true, env: { HEED_DIR: "/m" } });
  });

  test("a hook of an older version is replaced, one that shares a group with others leaves it", () => {
    const old = {
      hooks: {
        Stop: [
          { hooks: [{ type: "command", command: "beep" }] },
          { hooks: [{ type: "command", command: "/old/heed.cjs hook" }] },
          { hooks: [{ type: "mcp_tool", server: "heed", tool: "memory_hook" }] },
        ],
      },
    };
    const { hooks } = read(addToJson(JSON.stringify(old, null, 2), PIECES)) as typeof old;
    expect(hooks.Stop).toEqual([{ hooks: [{ type: "command", command: "beep" }] }, HOOK]);
    const mixed = {
      hooks: {
        Stop: [{ hooks: [{ command: "beep" }, { command: "heed hook" }, { command: "heedless hook" }] }],
      },
    };
    const text = JSON.stringify(mixed, null, 2);
    expect((read(addToJson(text, PIECES)) as typeof old).hooks.Stop).toEqual([
      { hooks: [{ command: "beep" }, { command: "heedless hook" }] },
      HOOK,
    ]);
  });

  const VALUES = { kind: "json-values", path: ["p", "deny"], values: ["a", { b: [1] }] } as const;
  const FIRST = { ...VALUES, isFirst: true } as const;
  const ENTRIES = {
    kind: "json-entries",
    path: ["p", "edit"],
    entries: { "x/*": "deny", "y/*": "ask" },
    rest: "*",
  } as const;

  test.each([
    ["at its end", VALUES, '{"p":{"deny":["z"]}}', { deny: ["z", "a", { b: [1] }] }],
    ["at its start", FIRST, '{"p":{"deny":["z"]}}', { deny: ["a", { b: [1] }, "z"] }],
    [
      "at its start, on lines",
      FIRST,
      '{\n  "p": {\n    "deny": [\n      // mine\n      "z",\n    ]\n  }\n}\n',
      { deny: ["a", { b: [1] }, "z"] },
    ],
    ["at the start of an empty one", FIRST, '{"p":{"deny":[]}}', { deny: ["a", { b: [1] }] }],
    ["but for those that it holds", VALUES, '{"p":{"deny":[{"b":[1]}]}}', { deny: [{ b: [1] }, "a"] }],
  ])("a list holds heed's values %s, and exactly these go", (_what, piece, text, expected) => {
    const added = addToJson(text, [piece]);
    expect(read(added)).toEqual({ p: expected });
    expect(addToJson(added, [piece])).toBe(added);
    expect(removeFromJson(added, [piece], text)).toBe(text);
    const list = (read(added) as { p: { deny: unknown[] } }).p.deny;
    const appended = addToJson(added, [{ ...VALUES, values: ["since"] }]);
    expect(read(removeFromJson(appended, [piece], text))).toEqual({
      p: { deny: [...(read(text) as { p: { deny: unknown[] } }).p.deny, "since"] },
    });
    expect(list.length).toBeGreaterThan(1);
  });

  test("what comes to the start of a list stands as its neighbours do", () => {
    const [lines, line] = ['{\n  "p": {\n    "deny": [\n      "z"\n    ]\n  }\n}\n', '{"p":{"deny":["z"]}}'];
    const text = { ...FIRST, values: ["a", "b"] } as const;
    expect(addToJson(lines, [text])).toBe(lines.replace('"z"', '"a",\n      "b",\n      "z"'));
    expect(addToJson(line, [text])).toBe(line.replace('"z"', '"a", "b", "z"'));
  });

  test.each([
    ["nothing", "{}", { edit: ENTRIES.entries }],
    ["others", '{"p":{"edit":{"*":"ask"},"z":1}}', { edit: { "*": "ask", ...ENTRIES.entries }, z: 1 }],
    ["a text in its place", '{"p":{"edit":"ask"}}', { edit: { "*": "ask", ...ENTRIES.entries } }],
    ["a text above it", '{"p":"allow"}', { "*": "allow", edit: ENTRIES.entries }],
    [
      "the user's own of the same name",
      '{"p":{"edit":{"x/*":"allow"}}}',
      { edit: { "x/*": "allow", "y/*": "ask" } },
    ],
    ["the same of the user's own", '{"p":{"edit":{"x/*":"deny"}}}', { edit: ENTRIES.entries }],
  ])("beside %s, entries are put last, and exactly these go", (_what, text, expected) => {
    const added = addToJson(text, [ENTRIES]);
    expect(JSON.stringify(read(added))).toBe(JSON.stringify({ p: expected }));
    expect(addToJson(added, [ENTRIES])).toBe(added);
    expect(read(removeFromJson(added, [ENTRIES], text))).toEqual(read(text));
    const since = { ...ENTRIES, entries: { "since/*": "allow" } };
    const edited = read(removeFromJson(addToJson(added, [since]), [ENTRIES], text)) as typeof since;
    expect(JSON.stringify(edited)).toContain('"since/*":"allow"');
    expect(JSON.stringify(edited)).not.toContain(text.includes("x/*") ? '"y/*"' : '"x/*"');
  });

  test.each([
    ["broken", '{ "a": ', /line 1/],
    ["a list", "[]", /no JSON object/],
    ["servers that are a list", '{"mcpServers": []}', /"mcpServers"/],
    ["hooks that are a text", '{"hooks": "x"}', /"hooks" is no object/],
    ["an event that is no list", '{"hooks": {"Stop": {}}}', /"hooks.Stop" is no list/],
    ["a key twice", '{"mcpServers": {}, "mcpServers": {}}', /twice/],
  ])("%s is refused", (_what, text, why) => {
    expect(() => addToJson(text, PIECES)).toThrow(why);
  });

  test("of any object, in any layout, nothing else changes, and all of it comes back", () => {
    const layout = record({
      value: dictionary(
        string({ maxLength: 8 }).filter((key) => key !== "__proto__"),
        jsonValue({ maxDepth: 3 }),
        { maxKeys: 5 },
      ).filter(
        (value) => !["mcpServers", "hooks", "permissions", "permission", "rules"].some((key) => key in value),
      ),
      indent: constantFrom("", "  ", "    ", "\t"),
      eol: constantFrom("\n", "\r\n"),
      comment: constantFrom("", "// say }", "/* x, */"),
    });
    assert(
      property(layout, ({ value, indent, eol, comment }) => {
        const plain = JSON.stringify(value, null, indent).replaceAll("\n", eol);
        const text = comment === "" ? plain : `${comment}${eol}${plain}${eol}`;
        const added = addToJson(text, PIECES);
        const { mcpServers, hooks, permissions, permission, rules, ...rest } = read(added) as Record<
          string,
          unknown
        >;
        expect([mcpServers, hooks, permissions, permission, rules]).not.toContain(undefined);
        expect(rest).toEqual(read(text));
        expect(addToJson(added, PIECES)).toBe(added);
        expect(read(removeFromJson(added, PIECES, text))).toEqual(read(text));
      }),
      { numRuns: 300 },
    );
  });
});

describe("TOML", () => {
  const piece = {
    kind: "toml",
    table: ["mcp_servers", "heed"],
    text: '[mcp_servers.heed]\ncommand = "node"',
  } as const;

  test.each([
    "",
    'a = 1 # mine\n\n[mcp_servers.other]\ncommand = "y"\n',
    'a = 1\r\n[b]\r\nc = "# heed"\r\n',
    "a = 1",
    "# only a comment\n\n\n",
  ])("%j: heed's block at the end, everything before byte for byte, and out again", (text) => {
    const added = addToToml(text, [piece]);
    expect(added.startsWith(text)).toBe(true);
    expect(parseToml(added)["mcp_servers"]).toHaveProperty("heed", { command: "node" });
    expect(addToToml(added, [piece])).toBe(added);
    expect(parseToml(removeFromToml(added))).toEqual(parseToml(text));
    expect(removeFromToml(added).trimEnd()).toBe(text.trimEnd());
  });

  test("what the user added after it stays", () => {
    const added = `${addToToml("a = 1\n", [piece])}\n[later]\nb = 2\n`;
    expect(parseToml(removeFromToml(added))).toEqual({ a: 1, later: { b: 2 } });
  });

  test.each([
    ["[mcp_servers.heed]\nx = 1\n", /did not write/],
    ['[ mcp_servers . "heed" ]\nx = 1\n', /did not write/],
    ['mcp_servers = { other = { command = "x" } }\n', /cannot be at its end/],
    ["a = \n", /./],
  ])("%j is refused", (text, why) => {
    expect(() => addToToml(text, [piece])).toThrow(why);
  });
});

test("a file that heed put nothing into is left as it is, of whatever format", () => {
  expect(withoutPieces({ file: "x.toml", pieces: [], rules: [] }, "a = 1\n", undefined)).toBe("a = 1\n");
});

describe("YAML", () => {
  const entry = {
    kind: "yaml",
    key: "extensions",
    name: "heed",
    value: { cmd: "node", args: ["mcp"] },
    isList: false,
  } as const;
  const item = { ...entry, key: "mcpServers", isList: true } as const;

  test.each([
    ["nothing", ""],
    ["no such key", "a: 1 # mine\n"],
    ["others there", "extensions:\n    dev:\n        x: 1 # keep\n# tail\nz: 2\n"],
    ["an empty key", "extensions:\nz: 1\n"],
    ["no line end", "extensions:\n  dev:\n    x: 1"],
    ["block texts", "extensions:\n  dev:\n    x: |\n      heed: no\n\n      more\n\nz: 1\n"],
    ["CRLF", "a: 1\r\nextensions:\r\n  dev: {x: 1}\r\n"],
    ["one line", "extensions: {dev: {x: 1}} # mine\n"],
  ])("a mapping with %s", (_what, text) => {
    const added = addToYaml(text, entry);
    const before = (parseYaml(text) ?? {}) as Record<string, object | null>;
    expect(parseYaml(added)).toEqual({
      ...before,
      extensions: { ...before["extensions"], heed: { cmd: "node", args: ["mcp"] } },
    });
    let at = 0;
    for (const char of added) if (char === text[at]) at += 1;
    expect(at).toBe(text.length);
    expect(addToYaml(added, entry)).toBe(added);
    expect(parseYaml(removeFromYaml(added, entry, text)) ?? {}).toEqual(before);
  });

  test("a list, indented or not, and an entry that is replaced", () => {
    for (const text of [
      "mcpServers:\n  - name: a\n    command: b\nz: 1\n",
      "mcpServers:\n- name: a\n  command: b\nz: 1\n",
    ]) {
      const added = addToYaml(text, item);
      expect(parseYaml(added)).toEqual({
        mcpServers: [
          { name: "a", command: "b" },
          { name: "heed", cmd: "node", args: ["mcp"] },
        ],
        z: 1,
      });
      const updated = addToYaml(added, { ...item, value: { cmd: "bun" } });
      expect(parseYaml(updated)).toMatchObject({ mcpServers: [{ name: "a" }, { name: "heed", cmd: "bun" }] });
      expect(removeFromYaml(added, item, text)).toBe(text);
    }
  });

  test.each([
    ["extensions: text\n", /not a mapping/],
    ["- a\n- b\n", /not a YAML mapping/],
    ["a: 1\r\nb: 2\n", /mixed/],
    ["a: [1\n", /./],
  ])("%j is refused", (text, why) => {
    expect(() => addToYaml(text, entry)).toThrow(why);
  });
});
