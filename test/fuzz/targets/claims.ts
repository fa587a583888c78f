import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { checkClaim } from "../../../src/freshness/check-claim.ts";
import { WorkTree } from "../../../src/freshness/work-tree.ts";
import { formatClaim, CLAIM_FORMS, parseClaim } from "../../../src/memory/claims/parse-claim.ts";
import { type FuzzTarget, must } from "../fuzz-target.ts";

let root: string | undefined;

function repository(): string {
  if (root !== undefined) return root;
  root = mkdtempSync(join(tmpdir(), "heed-fuzz-claims-"));
  mkdirSync(join(root, "src"));
  writeFileSync(join(root, "src/a.ts"), "export const NAME = 5;\nexport function symbol(): void {}\n");
  writeFileSync(join(root, "package.json"), '{"scripts":{"lint":"x"},"dependencies":{"react":"^18.0.0"}}');
  writeFileSync(join(root, "tsconfig.json"), '{"compilerOptions":{"strict":true}}');
  return root;
}

/** Claims: what is read is written and read as the same, and can be checked anywhere. */
export const claims: FuzzTarget = {
  name: "claims",
  seeds: CLAIM_FORMS,
  words: (
    'path: absent: script: dep: branch: config: command: until: :: # " \\ @^18 =true src/a.ts ../ ' +
    "package.json"
  ).split(" "),
  cases: 300,
  async check(input) {
    const reading = parseClaim(input);
    if (!reading.claim) {
      must(reading.message !== "" && reading.remedy !== "", "what is no claim says why");
      return;
    }
    must(formatClaim(reading.claim) === reading.text, "its text is canonical");
    const again = parseClaim(reading.text);
    must(isDeepStrictEqual(again.claim, reading.claim), `"${reading.text}" is read as the same claim`);
    const path = "path" in reading.claim ? reading.claim.path : "inside";
    must(!path.startsWith("/") && !path.split("/").includes(".."), "its path is inside of the repository");
    const there = repository();
    const machine = { root: there, env: { PATH: "/usr/bin:/bin" }, now: new Date("2026-11-21T12:00:00Z") };
    const { state } = await checkClaim(reading.claim, new WorkTree(there), machine);
    must(["kept", "broken", "unchecked"].includes(state), `a state: ${state}`);
  },
  close() {
    if (root !== undefined) rmSync(root, { recursive: true, force: true, maxRetries: 10 });
    root = undefined;
    return Promise.resolve();
  },
};
