import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { GUARD_RECIPES } from "../../../src/session/guards/guard-recipes.ts";
import { rule, TemporaryHeed } from "../../home/temporary-heed.ts";

const bash = (command: string) => ({ tool: "Bash", input: { command } });
const write = (file_path: string, content = "x") => ({ tool: "Write", input: { file_path, content } });
/** For each recipe a call that it stops, and one beside it that it lets pass. */
const CALLS = [
  [write("src/a.ts", "// @ts-ignore"), write("src/a.ts", "// fine")],
  // Whether the tests passed is known in a session alone.
  [undefined, bash("git status")],
  [bash("npm i left-pad"), bash("npm test")],
  [bash("kubectl --context=prod-eu delete pod x"), bash("kubectl --context=staging get pods")],
  [undefined, bash("git status")],
  [bash("git commit -nm x"), bash("git commit -m x")],
  [bash("rm -rf data/raw"), bash("rm -rf build")],
  [write("pnpm.lock"), write("src/a.ts")],
  [write("migrations/001.sql"), write("migrations/002.sql")],
  [bash("npm publish"), bash("npm publish --dry-run")],
  [bash("git push origin HEAD:main"), bash("git push origin HEAD:feature")],
  [bash("git push -f"), bash("git push")],
] as const;

test("docs/rules.md lists them: UPDATE_DOCS=1 npx vitest run guard-recipes", () => {
  const file = join(import.meta.dirname, "../../../docs/rules.md");
  const rows = GUARD_RECIPES.map(
    ({ name, stops, guard }) => `| \`${name}\` | ${stops} | \`${guard}\` |`,
  ).join("\n");
  const wanted = readFileSync(file, "utf8").replace(
    /(<!-- recipes: .* -->\n)[^]*(<!-- end of recipes -->)/,
    (_, start: string, end: string) => `${start}\n| name | stops | guard |\n|---|---|---|\n${rows}\n\n${end}`,
  );
  if (process.env["UPDATE_DOCS"] === "1") writeFileSync(file, wanted);
  expect(readFileSync(file, "utf8")).toBe(wanted);
});

const place = TemporaryHeed.forEachTest();

test("each recipe stops what it says, and only that", async () => {
  place.write("migrations/001.sql", "select 1;\n");
  place.remember(
    ...GUARD_RECIPES.map(({ stops, guard }, i) => rule(`recipe-${i}`, stops, [`guard: ${guard}`])),
  );
  expect(GUARD_RECIPES).toHaveLength(CALLS.length);
  for (const [i, [stopped, passed]] of CALLS.entries()) {
    const said = async (call: typeof passed): Promise<string[]> =>
      (await place.heed.guards.try(call)).steps
        .filter(({ verdict }) => verdict === "fires")
        .map(({ handle }) => handle);
    expect(stopped ? await said(stopped) : [`heed:recipe-${i}`]).toContain(`heed:recipe-${i}`);
    expect(await said(passed)).not.toContain(`heed:recipe-${i}`);
  }
});

test("the guards that a model gave with a rule come before the recipes", async () => {
  const { heed } = place;
  await heed.setup.init("user");
  place.remember(rule("keep", "keep it", []), rule("other", "another rule", []));
  const guard = [{ writes: ["gen/**"] }, { publishes: true }];
  await heed.guards.add("keep", { guard }, { kind: "model" }).catch(() => undefined);
  const recipes = await heed.guards.recipes("keep");
  expect(recipes[0]?.stops).toMatch(/^proposed for this rule: /);
  expect(recipes.slice(0, 2).map(({ name }) => name)).toEqual(["proposed", "proposed-2"]);
  expect(recipes.slice(2)).toEqual(await heed.guards.recipes("other"));
  expect(recipes.slice(2)).toEqual(GUARD_RECIPES);
  await heed.guards.add("keep", { guard: recipes[0]?.guard ?? "" }, { kind: "person" });
  expect((await heed.guards.list()).guards).toHaveLength(1);
});
