/** A guard to start from. */
export interface GuardRecipe {
  /** What it stops, in a few words. */
  stops: string;
  /** As under `guard` in a file, in one line of YAML. */
  guard: string;
}

/** What people guard most. Each is complete; the names in it are to be replaced by one's own. */
export const GUARD_RECIPES: readonly GuardRecipe[] = [
  {
    stops: "rewriting main on the remote",
    guard: "{ rewrites-remote: [main, master], say: add a commit instead }",
  },
  {
    stops: "pushes to main",
    guard: "{ command: git push, branches: [main, master], say: open a pull request }",
  },
  {
    stops: "commits that skip the hooks",
    guard:
      "[{ command: git commit, flags: [--no-verify, --no-commit-hooks, -c core.hooksPath=*], say: fix what the hook reports }, { command: git commit, env: [HUSKY=0, LEFTHOOK=0, SKIP] }]",
  },
  { stops: "another package manager", guard: "{ command: [npm install, npm i, npm ci], say: use pnpm }" },
  { stops: "publishing anything, but for a dry run", guard: "{ publishes: true, action: ask }" },
  {
    stops: "commands against production",
    guard: '{ command: kubectl, flags: ["--context=prod*"], action: ask }',
  },
  {
    stops: "deleting a folder, by whatever command",
    guard: '{ destroys: "data/**", stops: [rm -rf data], allows: [ls data] }',
  },
  {
    stops: "changes of migrations that are there already",
    guard: '{ paths: ["migrations/**"], files: existing, say: add a new migration }',
  },
  { stops: "edits of generated files", guard: '{ writes: ["*.lock", "dist/**"], say: run the generator }' },
  {
    stops: "commits before the tests passed",
    guard: '{ before: git commit, needs: npm test, after: "src/**" }',
  },
  { stops: "a turn that ends without tests", guard: '{ when: turn-end, needs: npm test, after: "src/**" }' },
  {
    stops: "a text in code (a warning alone)",
    guard: '{ content: ["@ts-ignore"], paths: ["*.ts"], action: warn }',
  },
];
