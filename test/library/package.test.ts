import { execFile, execFileSync, spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { EXAMPLE_NAMES } from "./example-home.ts";
import { readApi } from "./read-api.ts";

const REPOSITORY = resolve(import.meta.dirname, "../..");
const TSC = join(REPOSITORY, "node_modules/typescript/bin/tsc");
const EXAMPLES = join(REPOSITORY, "examples");
const README = join(EXAMPLES, "README.md");
/** All programs of examples/ but what they share. */
const PROGRAMS = readdirSync(EXAMPLES).filter(
  (name) => name.endsWith(".mjs") && name !== "temporary-home.mjs",
);
let project = "";
beforeAll(() => {
  project = installPackage();
  cpSync(EXAMPLES, join(project, "examples"), { recursive: true });
});
afterAll(() => rmSync(project, { recursive: true, force: true, maxRetries: 10 }));

/**
 * A project of somebody else's in which heed is installed: the packed package, unpacked as npm would, beside the types of
 * Node and nothing else. Gives the project's folder.
 */
function installPackage(): string {
  const project = mkdtempSync(join(tmpdir(), "heed-package-"));
  const modules = join(project, "node_modules");
  mkdirSync(join(modules, "heed"), { recursive: true });
  execFileSync("npm", ["pack", "--ignore-scripts", "--silent", "--pack-destination", project], {
    cwd: REPOSITORY,
    stdio: "pipe",
  });
  const archive = readdirSync(project).find((name) => name.endsWith(".tgz")) ?? "";
  execFileSync("tar", ["-xzf", join(project, archive), "-C", join(modules, "heed"), "--strip-components=1"]);
  for (const name of ["@types/node", "undici-types"]) {
    mkdirSync(dirname(join(modules, name)), { recursive: true });
    symlinkSync(join(REPOSITORY, "node_modules", name), join(modules, name));
  }
  return project;
}

const environment = (): NodeJS.ProcessEnv => ({
  ...process.env,
  HOME: join(project, "home"),
  HEED_DIR: join(project, "memory"),
  HEED_STATE_DIR: join(project, "state"),
  HEED_CACHE_DIR: join(project, "cache"),
  HEED_CONFIG_DIR: join(project, "config"),
});

/** The TypeScript blocks of README, docs/reference/library.md and the guide for own agents: examples that people copy. */
function examples(): string[] {
  const texts = ["README.md", "docs/reference/library.md", "docs/memories.md"].map((file) =>
    readFileSync(join(REPOSITORY, file), "utf8"),
  );
  return texts.flatMap((text) => [...text.matchAll(/^```ts\n(.*?)^```/gms)].map((match) => match[1] ?? ""));
}

/** The examples of the façade's methods, each as a function of what it may use. */
function methodExamples(): string {
  const parameters = Object.entries(EXAMPLE_NAMES).map(([name, type]) => `${name}: ${type}`);
  const functions = readApi().map(
    ({ example }, index) =>
      `export async function example${index}(${parameters.join(", ")}) {\n${example}\n}\n`,
  );
  return `import type { Actor, Heed } from "heed";\n\n${functions.join("\n")}`;
}

/** What the compiler says of these files of the project, under every strict flag. */
function compiled(include: readonly string[], flags: object): { stdout: string; status: number | null } {
  const compilerOptions = {
    target: "es2022",
    module: "nodenext",
    strict: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: false,
    noEmit: true,
    types: ["node"],
    ...flags,
  };
  writeFileSync(join(project, "tsconfig.json"), JSON.stringify({ compilerOptions, include }));
  const { stdout, status } = spawnSync(process.execPath, [TSC, "-p", project], { encoding: "utf8" });
  return { stdout, status };
}

const PICTURES: ReadonlySet<string> = new Set(["docs/demo.svg", "docs/ui.png"]);

describe("the package as it is installed", () => {
  it("is imported by name, gives one door and little beside it, and knows its version", () => {
    const script =
      'import * as heed from "heed"; console.log(Object.keys(heed).sort().join(), (await heed.openHeed().setup.status()).version);';
    const ran = spawnSync(process.execPath, ["--input-type=module", "-e", script], {
      cwd: project,
      env: environment(),
      encoding: "utf8",
    });
    expect(ran.stdout).toBe("HeedError,LIMITS,accepted,openHeed 0.1.0\n");
  });

  it("is small: each bundle once, the declarations that the door leads to, nothing that the build left behind", () => {
    const packed = readdirSync(project).find((name) => name.endsWith(".tgz")) ?? "";
    expect(statSync(join(project, packed)).size).toBeLessThan(1.4 * 1000 * 1000);
    const files = readdirSync(join(project, "node_modules/heed"), { recursive: true }).map(String);
    expect(
      files.filter((file) => /(?:^|\/)(?:meta|bundles)\.json$|\.ts$/.test(file) && !file.endsWith(".d.ts")),
    ).toEqual([]);
    expect(files.filter((file) => file.endsWith("/core.cjs"))).toEqual(["plugin/dist/core.cjs"]);
    const manifest = JSON.parse(
      readFileSync(join(project, "node_modules/heed/package.json"), "utf8"),
    ) as Record<string, unknown>;
    expect(manifest).not.toHaveProperty("dependencies");
  });

  it("names every parameter of a method", () => {
    const folder = join(project, "node_modules/heed/dist");
    const files = readdirSync(folder, { recursive: true }).map(String);
    const unnamed = files
      .filter((file) => file.endsWith(".d.ts"))
      .flatMap((file) => readFileSync(join(folder, file), "utf8").match(/\bargs_\d.*/g) ?? []);
    expect(unnamed).toEqual([]);
    // What a row runs is heed's own affair.
    expect(files).not.toContain("here/place.d.ts");
  });

  it("has what the links of its documents lead to", () => {
    const folder = join(project, "node_modules/heed");
    const documents = readdirSync(folder, { recursive: true })
      .map(String)
      .filter((file) => file.endsWith(".md"));
    const broken = documents.flatMap((file) =>
      [...readFileSync(join(folder, file), "utf8").matchAll(/\]\(([^)#\s]+)/g)]
        .map(([, link = ""]) => link)
        .filter((link) => !/^[a-z]+:/.test(link) && !existsSync(join(folder, dirname(file), link)))
        // Registries show the README's pictures from the repository.
        .filter((link) => !PICTURES.has(link))
        .map((link) => `${file}: ${link}`),
    );
    expect(broken).toEqual([]);
    // What only contributors read stays in the repository.
    expect(
      documents.filter((file) => /\/(?:decisions|goals|measurements|packages|state)\.md$/.test(file)),
    ).toEqual([]);
  });

  it("starts its command line from the packed bundle", () => {
    const program = join(project, "node_modules/heed/plugin/dist/heed.cjs");
    const { stdout } = spawnSync(process.execPath, [program, "--version"], { encoding: "utf8" });
    expect(stdout).toBe("0.1.0\n");
  });
});

describe("the examples of README, docs/reference/library.md and the façade's methods", () => {
  it("compile against the types that are shipped, under every strict flag", () => {
    for (const [index, example] of examples().entries())
      writeFileSync(join(project, `example-${index}.mts`), example);
    writeFileSync(join(project, "method-examples.mts"), methodExamples());
    expect(compiled(["*.mts"], { noUncheckedIndexedAccess: true })).toEqual({ stdout: "", status: 0 });
  });

  it("run", () => {
    expect(examples().length).toBeGreaterThan(1);
    for (const example of examples()) {
      const javascript = execFileSync(
        join(REPOSITORY, "node_modules/.bin/esbuild"),
        ["--loader=ts", "--format=esm", "--target=node20"],
        { input: example, encoding: "utf8" },
      );
      const { stderr, status } = spawnSync(process.execPath, ["--input-type=module", "-e", javascript], {
        cwd: project,
        env: environment(),
        encoding: "utf8",
      });
      expect(stderr).toBe("");
      expect(status).toBe(0);
    }
  });
});

// What they print is what examples/README.md shows; `UPDATE_EXAMPLES=1 npx vitest run package` writes the real output.
async function printedBy(program: string): Promise<string> {
  const ran = await promisify(execFile)(process.execPath, [join("examples", program)], { cwd: project });
  expect(ran.stderr).toBe("");
  return ran.stdout.replace(/\b20\d\d-\d\d-\d\d, never verified/g, "2026-11-22, never verified");
}

const blockOf = (program: string): RegExp =>
  new RegExp(`(?<=^\`\`\`console\\n\\$ node examples/${program}\\n).*?(?=^\`\`\`)`, "ms");

describe("the programs of examples/, run in a project in which heed is installed", () => {
  it.each(PROGRAMS)("%s is short, and prints what the page about them shows", async (program) => {
    expect(readFileSync(join(EXAMPLES, program), "utf8").split("\n").length).toBeLessThanOrEqual(41);
    const printed = await printedBy(program);
    if (process.env["UPDATE_EXAMPLES"] === "1")
      writeFileSync(
        README,
        readFileSync(README, "utf8").replace(blockOf(program), () => printed),
      );
    expect(blockOf(program).exec(readFileSync(README, "utf8"))?.[0]).toBe(printed);
  });

  it("use the library as its types say", () => {
    const flags = { allowJs: true, checkJs: true };
    expect(compiled(["examples/*.mjs"], flags)).toEqual({ stdout: "", status: 0 });
  });
});
