import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { GUARD_RECIPES } from "../../src/surfaces/guard-recipes.ts";
import { rule, TemporaryHeed } from "../home/temporary-heed.ts";

const bash = (command: string): { tool: string; input: Record<string, unknown> } => ({
  tool: "Bash",
  input: { command },
});
const write = (file: string, content = "x"): { tool: string; input: Record<string, unknown> } => ({
  tool: "Write",
  input: { file_path: file, content },
});
/** For each recipe a call that it stops, and one beside it that it lets pass. */
const CALLS = [
  [bash("git push -f"), bash("git push")],
  [bash("git push origin HEAD:main"), bash("git push origin HEAD:feature")],
  [bash("git commit -nm x"), bash("git commit -m x")],
  [bash("npm i left-pad"), bash("npm test")],
  [bash("npm publish"), bash("npm publish --dry-run")],
  [bash("kubectl --context=prod-eu delete pod x"), bash("kubectl --context=staging get pods")],
  [bash("rm -rf data/raw"), bash("rm -rf build")],
  [write("migrations/001.sql"), write("migrations/002.sql")],
  [write("pnpm.lock"), write("src/a.ts")],
  // Whether the tests passed is known in a session alone.
  [undefined, bash("git status")],
  [undefined, bash("git status")],
  [write("src/a.ts", "// @ts-ignore"), write("src/a.ts", "// fine")],
] as const;

test("docs/rules.md lists them: UPDATE_DOCS=1 npx vitest run guard-recipes", () => {
  const file = join(import.meta.dirname, "../../docs/rules.md");
  const rows = GUARD_RECIPES.map(({ stops, guard }) => `| ${stops} | \`${guard}\` |`).join("\n");
  const wanted = readFileSync(file, "utf8").replace(
    /(<!-- recipes: .* -->\n)[^]*(<!-- end of recipes -->)/,
    (_, start: string, end: string) => `${start}\n| stops | guard |\n|---|---|\n${rows}\n\n${end}`,
  );
  if (process.env["UPDATE_DOCS"] === "1") writeFileSync(file, wanted);
  expect(readFileSync(file, "utf8")).toBe(wanted);
});

test("each recipe stops what it says, and only that", async () => {
  const place = new TemporaryHeed();
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
  await place.remove();
});
