const set = (words: string): ReadonlySet<string> => new Set(words.split(" "));

/** Programs by whose name a rule can forbid something. */
export const PROGRAMS: ReadonlySet<string> = set(
  "git npm pnpm yarn bun npx deno pip pip3 poetry uv conda cargo go make docker docker-compose podman kubectl helm terraform tofu gh aws gcloud az rm sudo curl wget ssh scp psql mysql sqlite3 mongo redis-cli sed find chmod chown kill pkill killall python python3 node tsc eslint prettier jest vitest pytest mocha brew apt apt-get systemctl vercel netlify heroku flyctl prisma alembic rails rake bundle composer mvn gradle xcodebuild fastlane",
);

/** Programs that do nothing forbidden by themselves, and the subcommands that a rule can name. */
export const SUBCOMMANDS: Readonly<Record<string, ReadonlySet<string>>> = {
  git: set(
    "add am branch checkout cherry-pick clean commit fetch filter-branch merge pull push rebase reset restore revert rm stash switch tag worktree gc config submodule",
  ),
  npm: set("install i ci publish run test update uninstall audit link exec version add remove"),
  pnpm: set("install i add publish update remove dlx exec link"),
  yarn: set("install add publish upgrade remove link"),
  bun: set("install add publish update remove"),
  cargo: set("publish update install add remove clean yank"),
  docker: set("rm rmi system volume push run exec compose build prune stop kill"),
  kubectl: set("delete apply exec edit patch scale drain rollout create replace"),
  helm: set("install upgrade uninstall rollback delete"),
  terraform: set("apply destroy import state taint"),
  tofu: set("apply destroy import state taint"),
  gh: set("pr release repo workflow secret issue"),
  go: set("get install mod generate"),
  prisma: set("migrate db"),
  alembic: set("upgrade downgrade revision"),
};

const forPush = (text: string): string[] => (/\bpush/i.test(text) ? ["git push"] : []);

/** Flags that tell their command by themselves, some with the help of the words around them. */
export const FLAG_HOMES: Readonly<Record<string, (text: string) => string[]>> = {
  "--no-verify": (text) =>
    /\bpush/i.test(text) && !/\bcommit/i.test(text) ? ["git push"] : ["git commit", "git push", "git merge"],
  "--amend": () => ["git commit"],
  "--no-gpg-sign": () => ["git commit"],
  "--allow-empty": () => ["git commit"],
  "--hard": () => ["git reset"],
  "--force-with-lease": () => ["git push"],
  "--force": forPush,
  "-f": forPush,
  "-rf": () => ["rm"],
};
