import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import type { MemoryDraft, WriteResult } from "../../src/heed.ts";
import { gatesOf, MODEL, PERSON, textOf, writeDesk } from "./write-desk.ts";

const desk = writeDesk();

beforeEach(() => {
  put(
    "src/http/routes.ts",
    "export const MAX_RETRIES = 5;\nexport function match(path: string): boolean { return true; }\n",
  );
  put("package.json", JSON.stringify({ scripts: { lint: "oxlint" }, dependencies: { react: "^18.2.0" } }));
  put("tsconfig.json", '{ "compilerOptions": { "strict": true } }');
  put(".gitignore", "dist/\n.env\n");
  put("dist/out.js", "x");
  put(".env", "KEY=1\n");
  put("client/server.ts", "export {};\n");
});

function put(path: string, text: string): void {
  const file = join(desk.project, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

const decision = (body: string, fields: Partial<MemoryDraft> = {}): MemoryDraft => ({
  type: "project",
  name: "routing",
  statement: "requests are matched by the old router until the new one is proven",
  body,
  ...fields,
});

function claimsOf(result: WriteResult): string[] {
  return "metadata" in result ? result.metadata.claims : [];
}

test("what a text quotes, and whom it is from, is no claim and is not searched", async () => {
  const body = [
    "It was agreed.",
    '> "look at src/http/routes.ts and go on" (the user, 2026-03-02)',
    '> "it is agreed" (from client/server.ts:1)',
  ].join("\n\n");
  expect(claimsOf(await desk.heed.memories.write(decision(body), PERSON))).toEqual([]);
  const found = async (query: string): Promise<number> =>
    (await desk.heed.memories.search({ query })).hits.length;
  expect([await found('"server.ts"'), await found("2026-03-02"), await found("agreed")]).toEqual([0, 0, 1]);
});

describe("what a text names and what holds is extracted", () => {
  test.each<[what: string, body: string, claims: string[]]>([
    ["a path in code", "Decided by Ann: see `src/http/routes.ts`.", ["path:src/http/routes.ts"]],
    ["a path with a line", "It is in `src/http/routes.ts:12`.", ["path:src/http/routes.ts"]],
    ["a path in a link", "See [routes](./src/http/routes.ts#L3).", ["path:src/http/routes.ts"]],
    [
      "a bare path with an ending",
      "The rule is in src/http/routes.ts, agreed with Ann.",
      ["path:src/http/routes.ts"],
    ],
    ["a folder in code", "Everything in `src/http/` stays as it is.", ["path:src/http/"]],
    ["a file by its name alone", "Ann owns `routes.ts`.", ["path:src/http/routes.ts"]],
    [
      "a symbol beside its file",
      "Keep `match()` in `src/http/routes.ts`.",
      ["path:src/http/routes.ts::match"],
    ],
    ["a symbol in one piece", "Keep `src/http/routes.ts::match`.", ["path:src/http/routes.ts::match"]],
    [
      "a value beside its file",
      "In `src/http/routes.ts` it is `MAX_RETRIES = 5` by agreement.",
      ["path:src/http/routes.ts::MAX_RETRIES=5"],
    ],
    ["a script", "Run `npm run lint` before a release.", ["script:lint"]],
    ["a script in a block", "Before a release:\n\n```sh\nnpm run lint\n```", ["script:lint"]],
    ["a dependency with a version", "We stay on `react@18` until 2027-01-01.", ["dep:react@18"]],
    [
      "a key of a configuration",
      "`compilerOptions.strict` in `tsconfig.json` stays on.",
      ["config:tsconfig.json#compilerOptions.strict"],
    ],
    ["nothing that is ignored by git", "Built into `dist/out.js`, key in `.env`.", []],
    ["nothing that does not hold", "See `src/old/routes.ts`, `npm run gone`, `vue@3`.", []],
    [
      "no prose that looks like a path",
      "A client/server split, and/or input/output; see etc/ and http/routes.",
      [],
    ],
    ["no program that another machine may lack", "Use `git` and `node`.", []],
  ])("%s", async (_, body, claims) => {
    const result = await desk.heed.memories.write(decision(body), PERSON);
    expect(result.outcome).toBe("written");
    expect(claimsOf(result)).toEqual(claims);
    const text = textOf(result);
    expect(claims.every((claim) => text.includes(claim))).toBe(true);
  });

  test("what applies everywhere is not extracted to the place where it was said", async () => {
    const draft = decision("See `src/http/routes.ts`.", { scope: "everywhere" });
    expect(claimsOf(await desk.heed.memories.write(draft, PERSON))).toEqual([]);
  });

  test("outside of a repository nothing is", async () => {
    execFileSync("rm", ["-rf", join(desk.project, ".git")]);
    expect(claimsOf(await desk.heed.memories.write(decision("See `src/http/routes.ts`."), PERSON))).toEqual(
      [],
    );
  });
});

describe("what a writer declares", () => {
  test("is kept when it holds, also what no text can name", async () => {
    const claims = ["absent:src/old.ts", "config:tsconfig.json#compilerOptions.strict=true"];
    const result = await desk.heed.memories.write(decision("Agreed with Ann.", { claims }), MODEL);
    expect(claimsOf(result)).toEqual(claims);
  });

  test.each<[claim: string, reason: string, truth: string]>([
    ["path:src/http/routes.ts::MAX_RETRIES=6", "MAX_RETRIES is 5", "path:src/http/routes.ts::MAX_RETRIES=5"],
    ["dep:react@^17", "react is at ^18.2.0", "dep:react@^18.2.0"],
    [
      "config:tsconfig.json#compilerOptions.strict=false",
      "strict is true",
      "config:tsconfig.json#compilerOptions.strict=true",
    ],
  ])("%s is refused when it is false, with what is true", async (claim, reason, truth) => {
    const result = await desk.heed.memories.write(decision("Agreed.", { claims: [claim] }), MODEL);
    expect(gatesOf(result)).toEqual(["claims"]);
    const [refusal] = result.outcome === "refused" ? result.refusals : [];
    expect(refusal?.reason).toContain(reason);
    expect(refusal?.remedy).toContain(truth);
    expect(refusal?.proposal).toEqual({ claims: [truth] });
  });

  test.each(["path:../../etc/passwd", "path:src/routes.ts", "script:lnt"])("%s is refused", async (claim) => {
    const result = await desk.heed.memories.write(decision("Agreed.", { claims: [claim] }), MODEL);
    expect(gatesOf(result)).toEqual(["claims"]);
  });
});

describe("a change of a memory", () => {
  test("adds what the new text names, and drops what is broken and no longer named", async () => {
    await desk.heed.memories.write(decision("See `src/http/routes.ts` and `client/server.ts`."), PERSON);
    execFileSync("rm", [join(desk.project, "client/server.ts")]);
    const kept = await desk.heed.memories.update(
      "routing",
      { body: "See `src/http/routes.ts`, once `client/server.ts`." },
      PERSON,
    );
    expect(claimsOf(kept)).toEqual(["path:src/http/routes.ts", "path:client/server.ts"]);
    const dropped = await desk.heed.memories.update(
      "routing",
      { body: "See `src/http/routes.ts`, run `npm run lint`." },
      PERSON,
    );
    expect(claimsOf(dropped)).toEqual(["path:src/http/routes.ts", "script:lint"]);
  });

  test("of tags alone leaves claims as they are", async () => {
    await desk.heed.memories.write(
      decision("See `src/http/routes.ts`.", { claims: ["script:lint"] }),
      PERSON,
    );
    const result = await desk.heed.memories.update("routing", { tags: ["http", "router", "ann"] }, PERSON);
    expect(claimsOf(result)).toEqual(["script:lint", "path:src/http/routes.ts"]);
  });

  test("by hand keeps the claims that were typed, refuses false ones, and does not bring back what was taken out", async () => {
    const written = await desk.heed.memories.write(decision("See `src/http/routes.ts`."), PERSON);
    const { metadata } = await desk.heed.memories.show("routing");
    const text = textOf(written);
    const typed = text.replace(/claims: .*/, 'claims: ["script:lint"]').replace("See", "Look at");
    const result = await desk.heed.memories.edit(
      "routing",
      { text: typed, ifHash: metadata.contentHash },
      PERSON,
    );
    expect(claimsOf(result)).toEqual(["script:lint"]);
    const again = await desk.heed.memories.show("routing");
    const wrong = textOf(result).replace("script:lint", "script:gone");
    expect(
      gatesOf(
        await desk.heed.memories.edit("routing", { text: wrong, ifHash: again.metadata.contentHash }, PERSON),
      ),
    ).toEqual(["claims"]);
  });
});
