import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, expect, it } from "vitest";

const root = mkdtempSync(join(tmpdir(), "heed-tour-"));
afterAll(() => rmSync(root, { recursive: true, force: true, maxRetries: 10 }));

it("shows the main job at work, and leaves no trace", () => {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [resolve(import.meta.dirname, "../../../scripts/try.mjs")],
    // The environment of an agent must not change what a person is shown.
    {
      env: {
        ...process.env,
        TMPDIR: root,
        HOME: root,
        CLAUDECODE: "1",
        HEED_DIR: join(root, "mine"),
        HEED_RECHECK_MS: "5000",
      },
      encoding: "utf8",
    },
  );
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  const [, start = "", stopped = "", related = "", unrelated = ""] = stdout.split(/^» /m);
  expect(start).toContain("- never use --no-verify when a pre-commit hook fails [heed:no-verify]");
  expect(start).toContain("<heed-map>");
  expect(start).not.toContain("<heed-memories>");
  expect(stopped).toContain("Refused by a rule of the user");
  expect(related).toContain("[heed:latency-board]");
  expect(related).not.toContain("invoice importer");
  expect(unrelated).toContain("(nothing: silence is the default for facts)");
  expect(stdout).toContain("✗ refused by the gate");
  expect(stdout).toContain("$ heed why");
  expect(stdout).toMatch(/\nNext\n/);
  expect(readdirSync(root)).toEqual([]);
});
