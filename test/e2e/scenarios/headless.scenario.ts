import { execFileSync } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect } from "vitest";
import type { Sandbox } from "../client/sandbox.ts";
import { runs, writesRule } from "../consent-steps.ts";
import { readByModel, requestFor } from "../expectations.ts";
import { memoryFile, rule } from "../memory-files.ts";
import { test } from "../scenario.ts";

// A fresh home and clone with `claude -p`: what an administrator trusts is in force at once, what nobody trusts is data.
const RULE = rule("marks", "Never make a mark by hand", ["guard: { command: touch, paths: ['*.mark'] }"]);

/** A repository whose rule was committed by somebody with a key; gives the key. */
function signedClone(sandbox: Sandbox): string {
  const key = join(sandbox.root, "ann");
  execFileSync("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-f", key]);
  sandbox.write(`.heed/feedback/${RULE.name}.md`, memoryFile(RULE));
  sandbox.git("add", "--all");
  const as = ["user.name=Ann", "user.email=ann@example.com", "gpg.format=ssh", `user.signingkey=${key}`];
  sandbox.git(...as.flatMap((setting) => ["-c", setting]), "commit", "-q", "-m", "rules", "-S");
  sandbox.git("remote", "add", "origin", "https://github.com/acme/api.git");
  return key;
}

/** A policy that trusts what the key signed. */
function policyOf(sandbox: Sandbox, key: string): string {
  const file = join(sandbox.root, "policy.yaml");
  const line = execFileSync("ssh-keygen", ["-y", "-f", key], { encoding: "utf8" }).trim();
  writeFileSync(file, `trust:\n  - repository: github.com/acme/*\n    signed_by: ["${line}"]\n`);
  return file;
}

/** As a container's environment has it. */
const withFile = (sandbox: Sandbox, file: string): void =>
  void Object.assign(sandbox.env, { HEED_TRUST_FILE: file });

describe.skipIf(process.getuid?.() !== 0)("as root, as in a container", () => {
  test("with the policy the rule is in the first request, its guard stops, and a write waits and is listed", async ({
    sandbox,
    session,
  }) => {
    withFile(sandbox, policyOf(sandbox, signedClone(sandbox)));
    const record = await session({
      permissionMode: "bypassPermissions",
      prompts: ["make a mark"],
      turns: [runs("touch a.mark"), writesRule("Always use tabs"), { text: "done" }],
    });
    expect(readByModel(requestFor("make a mark", record))).toContain(`- ${RULE.statement}`);
    expect(existsSync(join(sandbox.project, "a.mark"))).toBe(false);
    const told = JSON.stringify(record.requests);
    expect(told.includes("Nobody can allow it in this run")).toBe(true);
    expect(told.includes("Nobody can answer in this run: list it in your last message")).toBe(true);
    const { findings } = JSON.parse((await sandbox.tryHeed("doctor", "--json")).stdout) as {
      findings: { what: string; detail: string }[];
    };
    expect(findings.filter(({ what }) => what === "waiting").map(({ detail }) => detail)).toEqual([
      expect.stringContaining("Always use tabs"),
    ]);
    const next = await session({ prompts: ["go on"], turns: [{ text: "ok" }] });
    expect(readByModel(requestFor("go on", next))).toMatch(/Nobody can answer in this run.*Always use tabs/s);
  });
});
