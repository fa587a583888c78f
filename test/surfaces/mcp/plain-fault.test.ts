import { spawnSync } from "node:child_process";
import { resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { sandboxHome } from "../sandbox-home.ts";

const HEED = resolve(import.meta.dirname, "../../../plugin/dist/heed.cjs");
const OPENING = {
  protocolVersion: "2025-11-25",
  capabilities: {},
  clientInfo: { name: "test", version: "1" },
};

describe("a message that the protocol refuses", () => {
  test.each([
    ['"x"', "params.arguments is of type string: give an object with the fields that the tool names"],
    ["7", "params.arguments is of type number: give an object"],
    ["[1]", "params.arguments is of type array: give an object"],
    ["null", "params.arguments is of type null: give an object"],
    ['{}, "name": 7', "params.name is of type number: give a text"],
  ])("arguments: %s", (given, wanted) => {
    const lines = [
      JSON.stringify({ jsonrpc: "2.0", id: 0, method: "initialize", params: OPENING }),
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"memory_search","arguments":${given}}}`,
    ];
    const { env } = sandboxHome();
    const { stdout } = spawnSync(process.execPath, [HEED, "mcp"], {
      env: { PATH: process.env["PATH"], ...env },
      input: `${lines.join("\n")}\n`,
      encoding: "utf8",
    });
    const answer = stdout.split("\n").find((line) => line.includes('"id":1'));
    expect(answer).toContain(wanted);
    expect(answer).not.toMatch(/Invalid input|invalid_type|expected/);
  });
});
