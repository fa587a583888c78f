/** A guard to start from. */
export interface GuardRecipe {
  /** What it stops, in a few words. */
  stops: string;
  /** As under `guard` in a file, in one line of YAML. */
  guard: string;
}

/** What people guard most, one a line. Each is complete; the names in it are to be replaced by one's own. */
export const GUARD_RECIPES: readonly GuardRecipe[] = `
rewriting main on the remote: { rewrites-remote: [main, master], say: add a commit instead }
pushes to main: { command: git push, branches: [main, master], say: open a pull request }
commits that skip the hooks: [{ command: git commit, flags: [--no-verify, --no-commit-hooks, -c core.hooksPath=*], say: fix what the hook reports }, { command: git commit, env: [HUSKY=0, LEFTHOOK=0, SKIP] }]
another package manager: { command: [npm install, npm i, npm ci], say: use pnpm }
publishing anything, but for a dry run: { publishes: true, action: ask }
commands against production: { command: kubectl, flags: ["--context=prod*"], action: ask }
deleting a folder, by whatever command: { destroys: "data/**", stops: [rm -rf data], allows: [ls data] }
edits to existing migrations: { paths: ["migrations/**"], files: existing, say: add a new migration }
edits of generated files: { writes: ["*.lock", "dist/**"], say: run the generator }
commits before the tests passed: { before: git commit, needs: npm test, after: "src/**" }
a turn that ends without tests: { when: turn-end, needs: npm test, after: "src/**" }
a text in code (a warning alone): { content: ["@ts-ignore"], paths: ["*.ts"], action: warn }
`
  .trim()
  .split("\n")
  .map((line) => {
    const end = line.indexOf(": ");
    return { stops: line.slice(0, end), guard: line.slice(end + 2) };
  });
