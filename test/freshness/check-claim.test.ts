import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { parseClaim } from "../../src/memory/claims/parse-claim.ts";
import { TemporaryRepository } from "./temporary-repository.ts";

const FILES = {
  "src/a.ts":
    "export const MAX_RETRIES = 5;\nexport function start(): void {}\n// the old limit was OLD_LIMIT = 9\n",
  "src/deep/b.py": "TIMEOUT: int = 30\nNAME = 'x y'\n",
  ".env.example": "# PORT=1\nPORT=8080\nURL=https://example.org/#top\n",
  "package.json": JSON.stringify({
    scripts: { lint: "oxlint" },
    dependencies: { react: "^18.2.0", local: "workspace:*" },
    devDependencies: { "@types/node": "20.1.0" },
  }),
  "packages/web/package.json": JSON.stringify({ scripts: { build: "vite build" } }),
  "tsconfig.json": '{\n  // strict\n  "compilerOptions": { "strict": true, "target": "ES2022", },\n}\n',
  "ci.yaml": "jobs:\n  test:\n    os: [linux, mac]\n---\nsecond: 1\n",
  "tool.toml": "[tool.ruff]\nline-length = 100\n",
  "go.mod": "module x\n\ngo 1.22\n\nrequire (\n\tgithub.com/spf13/cobra v1.8.0\n)\n",
  "pyproject.toml": '[project]\ndependencies = ["Requests_Lib>=2.31,<3", "flask~=2.3"]\n',
  "Cargo.toml": '[dependencies]\nserde = { version = "1.0.190", features = ["derive"] }\n',
  "notes.txt": "Ask in #help.\n",
};

const repository = new TemporaryRepository(FILES);
repository.git("branch", "release/1");
afterAll(() => repository.remove());

const KEPT = [
  "path:src/a.ts",
  "path:src/",
  "path:src",
  "path:src/a.ts::start",
  'path:src/a.ts::"MAX_RETRIES = 5"',
  "path:src/a.ts::MAX_RETRIES=5",
  "path:src/deep/b.py::TIMEOUT=30",
  'path:src/deep/b.py::NAME="x y"',
  "path:.env.example::PORT=8080",
  "path:.env.example::URL=https://example.org/#top",
  "absent:src/old.ts",
  "absent:src/a.ts::stop",
  "absent:dep:moment",
  "script:lint",
  "script:packages/web#build",
  "dep:react",
  "dep:react@^18",
  "dep:react@>=18 <19",
  "dep:@types/node@20",
  "dep:github.com/spf13/cobra@1.8",
  "dep:requests-lib@2",
  "dep:flask@~=2.3",
  "dep:serde@1",
  "branch:main",
  "branch:release/1",
  "config:tsconfig.json#compilerOptions.strict=true",
  "config:tsconfig.json#compilerOptions.target=ES2022",
  "config:ci.yaml#jobs.test.os.1=mac",
  "config:ci.yaml#second=1",
  "config:tool.toml#tool.ruff.line-length=100",
  "config:package.json#scripts",
  "command:git",
  "until:2026-11-21",
];

const BROKEN: [claim: string, finding: string][] = [
  ["path:src/gone.ts", "src/gone.ts is not here"],
  ["path:src/a.ts/", "is a file, not a folder"],
  ["path:src/a.ts::stop", "src/a.ts no longer defines stop"],
  ["path:src/gone.ts::start", "src/gone.ts is not here"],
  ['path:src/a.ts::"MAX_RETRIES = 6"', "no longer holds"],
  ["path:src/a.ts::MAX_RETRIES=6", "MAX_RETRIES is 5 in src/a.ts"],
  ["path:src/a.ts::OLD_LIMIT=9", "no longer sets OLD_LIMIT"],
  ["path:.env.example::PORT=1", "PORT is 8080"],
  ["absent:src/a.ts", "src/a.ts is there"],
  ["absent:src/a.ts::start", "src/a.ts::start is there"],
  ["script:test", "package.json has no script test"],
  ["script:gone#build", "gone/package.json is not here"],
  ["dep:vue", "vue is no dependency"],
  ["dep:react@^17", "react is at ^18.2.0"],
  ["dep:serde@2", "serde is at 1.0.190"],
  ["branch:develop", "there is no branch develop"],
  ["config:tsconfig.json#compilerOptions.strict=false", "compilerOptions.strict is true"],
  ["config:tsconfig.json#compilerOptions.lib", "has no compilerOptions.lib"],
  ["config:tool.toml#tool.black", "has no tool.black"],
  ["config:gone.json#a", "gone.json is not here"],
  ["command:no-such-program-here", "there is no no-such-program-here on the PATH"],
  ["until:2026-11-20", "it held until 2026-11-20"],
];

describe("claims that hold", () => {
  test.each(KEPT)("%s", async (claim) => {
    expect(await repository.check(claim)).toBe("kept");
  });
});

describe("claims that do not", () => {
  test.each(BROKEN)("%s", async (claim, finding) => {
    const found = await repository.check(claim);
    expect(found).toMatch(/^broken: /);
    expect(found).toContain(finding);
  });
});

test("a branch among tens of thousands that git has packed", async () => {
  const crowded = new TemporaryRepository({ "a.ts": "\n" });
  try {
    const id = crowded.git("rev-parse", "HEAD").trim();
    const lines = Array.from({ length: 40_000 }, (_, i) => `${id} refs/remotes/origin/topic/${i}`);
    writeFileSync(join(crowded.root, ".git/packed-refs"), `# pack-refs with: sorted\n${lines.join("\n")}\n`);
    expect(await crowded.check("branch:topic/39999")).toBe("kept");
    expect(await crowded.check("branch:topic/40000")).toMatch(/^broken/);
  } finally {
    crowded.remove();
  }
});

describe("what cannot be measured", () => {
  test("a version that is none", async () => {
    expect(await repository.check("dep:local@1")).toMatch(/^unchecked: .*workspace:\*/);
  });

  test("a definition in a file of no known language, unless its name is not even there", async () => {
    expect(await repository.check("path:notes.txt::help")).toMatch(/^unchecked: .*no language/);
    expect(await repository.check("path:notes.txt::nowhere")).toMatch(/^broken/);
  });

  test("a file that is too large", async () => {
    repository.write("huge.ts", "");
    truncateSync(join(repository.root, "huge.ts"), 3_000_000_000);
    expect(await repository.check("path:huge.ts::a")).toMatch(/^unchecked: .*3000000000 bytes/);
    expect(await repository.check("path:huge.ts")).toBe("kept");
  });

  test("configuration that is broken", async () => {
    writeFileSync(join(repository.root, "broken.json"), "{");
    writeFileSync(
      join(repository.root, "bomb.yaml"),
      `${["a: &a [x,x]", ..."bcdefghijklm".split("").map((key, i) => `${key}: &${key} [*${"abcdefghijklm"[i]},*${"abcdefghijklm"[i]},*${"abcdefghijklm"[i]},*${"abcdefghijklm"[i]}]`)].join("\n")}\n`,
    );
    expect(await repository.check("config:broken.json#a")).toMatch(/^unchecked/);
    expect(await repository.check("config:bomb.yaml#m")).toMatch(/^unchecked/);
  });

  test("links that lead out of the repository, to git's own files or nowhere, also absent ones", async () => {
    symlinkSync("/etc/passwd", join(repository.root, "out.txt"));
    symlinkSync("/etc", join(repository.root, "etc"));
    symlinkSync(".git/config", join(repository.root, "inner.txt"));
    symlinkSync("nowhere", join(repository.root, "dangling.txt"));
    symlinkSync("a.ts", join(repository.root, "src/link.ts"));
    for (const path of ["out.txt", "etc/passwd", "inner.txt", "dangling.txt"]) {
      expect(await repository.check(`path:${path}`)).toMatch(/^unchecked/);
      expect(await repository.check(`path:${path}::"root"`)).toMatch(/^unchecked/);
      expect(await repository.check(`absent:${path}::"root"`)).toMatch(/^unchecked/);
    }
    expect(await repository.check("path:src/link.ts::start")).toBe("kept");
  });

  test("what is no file: pipes, sockets, links in circles, also in place of a manifest", async () => {
    const { root } = repository;
    mkdirSync(join(root, "pipes"));
    for (const name of ["package.json", "a.ts", "c.yaml"])
      execFileSync("mkfifo", [join(root, "pipes", name)]);
    symlinkSync("circle", join(root, "circle"));
    symlinkSync("..", join(root, "pipes/up"));
    symlinkSync("/dev/zero", join(root, "pipes/zero.ts"));
    for (const claim of [
      "path:pipes/a.ts::start",
      'path:pipes/a.ts::"text"',
      "path:pipes/a.ts::A=1",
      "absent:pipes/a.ts::start",
      "script:pipes#build",
      "dep:pipes#react",
      "config:pipes/c.yaml#a",
      "path:circle/a",
      "path:pipes/zero.ts::a",
    ])
      expect(await repository.check(claim)).toMatch(/^unchecked/);
    expect(await repository.check("path:pipes/up/src/a.ts::start")).toBe("kept");
  });

  test("no path leads to what git itself keeps, whatever it is spelled like", async () => {
    for (const path of [".git/config", ".GIT/config", "src/../.git/config", "/etc/passwd", "..", "a/../../b"])
      expect(parseClaim(`path:${path}`).claim).toBeUndefined();
  });
});
