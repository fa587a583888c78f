import { LIMITS } from "../../../src/memory/limits.ts";
import { describe, expect, test } from "vitest";
import { CLAIM_FORMS, parseClaim } from "../../../src/memory/claims/parse-claim.ts";
import { cpuMsOf } from "../../cpu-time.ts";

const isAbsent = false;

describe("what a claim says", () => {
  test.each([
    ["path:src/a.ts", { kind: "path", path: "src/a.ts", isFolder: false, isAbsent }],
    ["path:src/", { kind: "path", path: "src", isFolder: true, isAbsent }],
    [
      "path:app/[id]/(group)/a b.tsx",
      { kind: "path", path: "app/[id]/(group)/a b.tsx", isFolder: false, isAbsent },
    ],
    ["path:src/a.ts::match", { kind: "symbol", path: "src/a.ts", symbol: "match", isAbsent }],
    ["path:src/a.rb::Foo::bar?", { kind: "symbol", path: "src/a.rb", symbol: "Foo::bar?", isAbsent }],
    ["path:src/a.ts::Router.match", { kind: "symbol", path: "src/a.ts", symbol: "Router.match", isAbsent }],
    ['path:a.md::"say \\"hi\\""', { kind: "literal", path: "a.md", literal: 'say "hi"', isAbsent }],
    ["path:a.ts::MAX=5", { kind: "value", path: "a.ts", name: "MAX", value: "5", isAbsent }],
    ['path:a.ts::NAME=" a"', { kind: "value", path: "a.ts", name: "NAME", value: " a", isAbsent }],
    ["absent:src/old.ts", { kind: "path", path: "src/old.ts", isFolder: false, isAbsent: true }],
    ["absent:src/a.ts::gone", { kind: "symbol", path: "src/a.ts", symbol: "gone", isAbsent: true }],
    ["absent:dep:moment", { kind: "dependency", folder: "", name: "moment", isAbsent: true }],
    ["script:lint:fix", { kind: "script", folder: "", name: "lint:fix", isAbsent }],
    ["script:packages/web#build", { kind: "script", folder: "packages/web", name: "build", isAbsent }],
    ["dep:react@^18", { kind: "dependency", folder: "", name: "react", range: "^18", isAbsent }],
    [
      "dep:@types/node@>=20 <23",
      { kind: "dependency", folder: "", name: "@types/node", range: ">=20 <23", isAbsent },
    ],
    ["branch:release/2026-q3", { kind: "branch", name: "release/2026-q3", isAbsent }],
    [
      "config:tsconfig.json#compilerOptions.strict=true",
      { kind: "config", path: "tsconfig.json", keys: ["compilerOptions", "strict"], value: "true", isAbsent },
    ],
    ['config:a.yaml#"odd.key".0', { kind: "config", path: "a.yaml", keys: ["odd.key", "0"], isAbsent }],
    ["command:pnpm", { kind: "command", name: "pnpm", isAbsent }],
    ["until:2027-01-31", { kind: "until", date: "2027-01-31", isAbsent }],
  ])("%s", (text, claim) => {
    expect(parseClaim(text)).toEqual({ claim, text });
  });

  test("each form that messages name is a claim", () => {
    expect(CLAIM_FORMS.filter((form) => !parseClaim(form).claim)).toEqual([]);
  });
});

describe("what is no claim, and why", () => {
  test.each([
    ["", "no known kind"],
    ["src/a.ts", "no known kind"],
    ["file:src/a.ts", "no known kind"],
    ...[
      "",
      "/etc/passwd",
      "~/.ssh/id_rsa",
      "../outside",
      "src/../../outside",
      "src//a.ts",
      "./a.ts",
      "src\\a.ts",
    ]
      .concat(["C:\\Users\\a", "src/*.ts", ".git/config", "sub/.GIT/hooks/x", "src/ a.ts", "a".repeat(301)])
      .map((path): [string, string] => [`path:${path}`, "no path inside of the repository"]),
    ["path:a\u0000b", "control characters"],
    ["path:a.ts::", "neither a symbol"],
    ["path:a.ts::two words", "neither a symbol"],
    ['path:a.ts::"open', "no text in quotes"],
    ['path:a.ts::""', "no text in quotes"],
    ["path:a.ts::NAME=", "names no value"],
    [`path:${"a".repeat(600)}`, "605 characters"],
    ["script:", "no name of a script"],
    ["script:rm -rf /", "no name of a script"],
    ["script:../x#build", "no path inside"],
    ["dep:", "no name of a package"],
    ["dep:react@$(id)", "no range"],
    ["branch:a..b", "no name of a branch"],
    ["branch:--upload-pack=x", "no name of a branch"],
    ["config:tsconfig.json", "cannot be read"],
    ["config:a.ts#x", "no JSON, YAML or TOML"],
    ["config:a.json#", "cannot be read"],
    ["config:a.json#a..b", "cannot be read"],
    ["command:/bin/sh", "no name of a program"],
    ["command:a b", "no name of a program"],
    ["until:2027-02-30", "no day"],
    ["until:soon", "no day"],
    ["absent:until:2027-01-01", "cannot be absent"],
  ])("%s", (text, why) => {
    const reading = parseClaim(text);
    expect(reading.claim).toBeUndefined();
    expect("message" in reading && reading.message).toContain(why);
    expect("remedy" in reading && reading.remedy).not.toBe("");
  });
});

describe("whatever the text is", () => {
  test("a long text costs no time", () => {
    const long = ["::", "a.", "#", '"', "\\", "=", "@/"].map((part) => `path:${part.repeat(200_000)}`);
    const longest = ["a.", "a::", "-"].map((part) => `path:a::${part.repeat(LIMITS.claimChars / 2)}`);
    for (const text of [...long, ...longest.map((text) => text.slice(0, LIMITS.claimChars))])
      expect([text.slice(0, 20), cpuMsOf(() => parseClaim(text)) < 1_000]).toEqual([text.slice(0, 20), true]);
  });
});
