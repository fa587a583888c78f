import { spawnSync } from "node:child_process";
import { resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { plainFault } from "../../../src/surfaces/mcp/plain-fault.ts";
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

  test("says what is missing, and leaves other words alone", () => {
    const raw = (path: string[]): string =>
      `Invalid tools/call request: ${JSON.stringify([{ expected: "string", code: "invalid_type", path, message: "Invalid input: expected string, received undefined" }])}`;
    // Of the opening itself the SDK names no method.
    expect(plainFault(raw(["params", "protocolVersion"]).replace(/^.*: (?=\[)/, ""))).toBe(
      "the request cannot be read: params.protocolVersion is missing: give a text",
    );
    expect(plainFault(raw(["params", "name"]))).toBe(
      "tools/call cannot be read: params.name is missing: give a text",
    );
    expect(plainFault("Invalid x request: [nothing]")).toContain("not of the form");
    expect(plainFault("Tool x not found")).toBe("Tool x not found");
  });
});
