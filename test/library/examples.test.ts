import { execFile, spawnSync } from "node:child_process";
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { installPackage } from "./installed-package.ts";

// The programs of examples/, run in a project of somebody else's in which heed is installed. What they print is what
// examples/README.md shows; `UPDATE_EXAMPLES=1 npx vitest run examples` writes the real output into it.
const REPOSITORY = resolve(import.meta.dirname, "../..");
const EXAMPLES = join(REPOSITORY, "examples");
const README = join(EXAMPLES, "README.md");
/** All but what they share. */
const PROGRAMS = readdirSync(EXAMPLES).filter(
  (name) => name.endsWith(".mjs") && name !== "temporary-home.mjs",
);

let project = "";
beforeAll(() => {
  project = installPackage();
  cpSync(EXAMPLES, join(project, "examples"), { recursive: true });
}, 60_000);
afterAll(() => rmSync(project, { recursive: true, force: true }));

async function run(program: string): Promise<string> {
  const ran = await promisify(execFile)(process.execPath, [join("examples", program)], { cwd: project });
  expect(ran.stderr).toBe("");
  return ran.stdout.replace(/\b20\d\d-\d\d-\d\d, never verified/g, "2026-11-22, never verified");
}

const blockOf = (program: string): RegExp =>
  new RegExp(`(?<=^\`\`\`console\\n\\$ node examples/${program}\\n).*?(?=^\`\`\`)`, "ms");

describe("the examples", () => {
  it.each(PROGRAMS)("%s prints what the page about them shows", async (program) => {
    const printed = await run(program);
    if (process.env["UPDATE_EXAMPLES"] === "1")
      writeFileSync(
        README,
        readFileSync(README, "utf8").replace(blockOf(program), () => printed),
      );
    expect(blockOf(program).exec(readFileSync(README, "utf8"))?.[0]).toBe(printed);
  });

  it.each(PROGRAMS)("%s is short", (program) => {
    expect(readFileSync(join(EXAMPLES, program), "utf8").split("\n").length).toBeLessThanOrEqual(41);
  });

  it("use the library as its types say", () => {
    writeFileSync(
      join(project, "tsconfig.json"),
      JSON.stringify({
        compilerOptions: {
          target: "es2022",
          module: "nodenext",
          allowJs: true,
          checkJs: true,
          strict: true,
          exactOptionalPropertyTypes: true,
          noEmit: true,
          types: ["node"],
        },
        include: ["examples/*.mjs"],
      }),
    );
    const tsc = join(REPOSITORY, "node_modules/typescript/bin/tsc");
    const { stdout } = spawnSync(process.execPath, [tsc, "-p", project], { encoding: "utf8" });
    expect(stdout).toBe("");
  });
});
