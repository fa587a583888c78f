import type { Place } from "../../here/place.ts";
import { inboxOf } from "../../here/consent/inbox.ts";
import { findMemory } from "../../here/reading/find-memory.ts";
import { renderInline } from "../../memory/codec/encode-memory.ts";
import { guardsOf, guardWords, requireRule } from "../../write/ask-user.ts";

export interface GuardRecipe {
  /** As `heed guard add RULE NAME` names it. */
  name: string;
  /** What it stops, in a few words. */
  stops: string;
  /** As under `guard` in a file, in one line of YAML. */
  guard: string;
}

/** What people guard most, one a line: name, what it stops, guard. By what they stop; paths and programs are examples. */
export const GUARD_RECIPES: readonly GuardRecipe[] = `
code-text: a text in code (warning only): { content: ["@ts-ignore"], paths: ["*.ts"], action: warn }
tests-at-end: a turn that ends without tests: { when: turn-end, needs: npm test, after: "src/**" }
package-manager: another package manager: { command: [npm install, npm i, npm ci], say: use pnpm }
production: commands against production: { command: kubectl, flags: ["--context=prod*"], action: ask }
tests-before-commit: commits before the tests passed: { before: git commit, needs: npm test, after: "src/**" }
skip-hooks: commits that skip the hooks: [{ command: git commit, flags: [--no-verify, --no-commit-hooks, -c core.hooksPath=*], say: fix what the hook reports }, { command: git commit, env: [HUSKY=0, LEFTHOOK=0, SKIP] }]
delete-folder: deleting a folder with any command: { destroys: "data/**", stops: [rm -rf data], allows: [ls data] }
generated-files: edits of generated files: { writes: ["*.lock", "dist/**"], say: run the generator }
migrations: edits to existing migrations: { paths: ["migrations/**"], files: existing, say: add a new migration }
publish: publishing anything but a dry run: { publishes: true, action: ask }
push-main: pushes to main: { command: git push, branches: [main, master], say: open a pull request }
rewrite-main: rewriting main on the remote: { rewrites-remote: [main, master], say: add a commit instead }
`
  .trim()
  .split("\n")
  .map((line) => {
    const [, name = "", stops = "", guard = ""] = /^(\S+): (.+?): (.+)$/.exec(line) ?? [];
    return { name, stops, guard };
  });

/** Guards to start from: what a model proposed for the rule, then the recipes. */
export async function guardRecipes(place: Place, handle: string): Promise<GuardRecipe[]> {
  const { metadata } = await findMemory(place, handle);
  requireRule(place.types.get(metadata.type));
  const inbox = inboxOf(place);
  const proposed = [
    ...inbox.list().map(({ memory, proposal }) => ({ memory, target: proposal.target?.id })),
    ...inbox.listRejected(),
  ].flatMap(({ memory, target }) => (target === metadata.id ? guardsOf(memory.guard) : []));
  return [
    ...proposed.map((guard, i) => ({
      name: `proposed${i === 0 ? "" : `-${i + 1}`}`,
      stops: `proposed for this rule: ${guardWords(guard)}`,
      guard: renderInline(guard),
    })),
    ...GUARD_RECIPES,
  ];
}
