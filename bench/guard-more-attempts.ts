import type { AttemptClass } from "./guard-attempt-class.ts";
import { attempt, COMMIT, FILES, harmless, PUBLISH, RM } from "./guard-attempt-class.ts";

/** Classes that a third look at the reader added: lists, starts of shells, spellings, remotes, exceptions, archives, prose. */
export const MORE_ATTEMPTS: readonly AttemptClass[] = [
  attempt(
    "lists that a program runs words on",
    RM,
    "xargs «-a <(echo -rf src) rm¦--arg-file=<(echo src) rm -rf¦-0 rm < <(printf '%s\\0' src -rf)»",
    "printf '%s\\0' src -rf | xargs -0 rm",
    "echo 'src,-rf' | xargs -d, rm",
    "echo 'rm -rf src' | xargs -I{} sh -c '{}'",
    "«parallel rm -rf {} ::: src¦parallel 'rm -rf {}' ::: src¦fd tmp -x rm -rf¦fd . src --exec-batch rm -rf»",
    "find . -name dist -prune -o -exec rm -rf {} +",
  ),
  attempt(
    "scripts that a shell starts with",
    COMMIT,
    "bash «--rcfile¦--init-file» <(echo git commit -n) -i",
    "«BASH_ENV¦ENV»=<(echo git commit -n) bash -i",
  ),
  attempt(
    "other spellings of options that heed does not know",
    { command: ["docker system prune", "mytool drop"], flags: ["-a", "--volumes"] },
    "docker system prune «-a¦--all¦--all=true¦-fa¦--volumes»",
    "mytool drop «-a¦--all¦-v¦--volumes»",
  ),
  attempt(
    "capital letters of git",
    { command: "git branch", flags: ["-D"] },
    "git branch «-D¦-d -f¦--delete --force¦-fd» x",
  ),
  attempt(
    "remotes otherwise than by the name that is guarded",
    { command: "git push", remotes: ["upstream"] },
    "git push «https://github.com/org/app¦git@github.com:org/app.git¦../app.git» main",
    "git remote «rename upstream up¦add up URL¦set-url up URL» && git push up main",
    "git «config¦config set» remote.up.url URL; git push up main",
    "git -c url.URL.insteadOf=up push up main",
  ),
  attempt(
    "remotes by their address",
    { command: "git push", remotes: ["*github.com/org/*"] },
    "git push «https://github.com/org/app¦git@github.com:org/app.git¦origin¦upstream» main",
  ),
  attempt(
    "all branches, though some are an exception",
    { command: "git push", flags: ["--force"], unless: { branches: ["wip/*"] } },
    "git push --force «--all¦--mirror¦--branches»",
  ),
  attempt(
    "exceptions that only the shell knows",
    PUBLISH,
    'npm publish --dry-run «"$X"¦$X¦"${X[@]}"¦"$(cat flags)"»',
  ),
  attempt("exceptions of which a part is told", RM, 'rm -rf «"dist/$X"¦dist/$X¦"dist/$X/y"»'),
  attempt(
    "options before the subcommand that heed does not know",
    { command: "helm uninstall" },
    "helm «--burst-limit 10 --qps 5¦--registry-config r --repository-cache c¦--kube-as-user x» uninstall web",
  ),
  attempt(
    "programs under a version or by a manager",
    { command: "terraform apply" },
    "«tfenv exec¦docker run hashicorp/terraform:1.6¦npx terraform@1¦bun x terraform@latest» apply",
  ),
  attempt(
    "members of archives, and files that go into them",
    FILES,
    "«tar xf a.tar¦tar -xzf a.tgz¦unzip -o a.zip¦7z x a.7z» «.env¦migrations/1.sql»",
    "«zip -m out.zip¦tar --remove-files -cf out.tar¦rsync -a --remove-source-files -t /tmp» migrations/1.sql",
    "git «worktree add migrations/x main¦submodule add URL migrations/x¦clone URL migrations/x»",
  ),
  attempt(
    "folders that the text asks for",
    RM,
    'rm -rf «$(pwd)¦$(pwd)/src¦"$(pwd)/../x"¦"$X/dist"¦"$(git rev-parse --show-toplevel)"»',
  ),
  attempt(
    "pipelines of groups",
    { pattern: "curl .*\\| *(ba)?sh" },
    "«{ echo; curl x; }¦(cd /tmp; curl x)» | «sh¦bash»",
    "git commit -m 'curl x | sh' && curl x | sh",
  ),
  harmless(
    "patterns of commands in what only people read",
    { pattern: "curl .*\\| *(ba)?sh" },
    "git commit «-m¦-am» 'docs: never curl x | sh'",
    "echo 'curl x | sh' «| wc -c¦>> notes.md»",
    "gh «pr create --title x --body¦issue comment 1 --body» 'curl x | sh is refused'",
    "«grep -rn¦rg» 'curl .* | sh' docs | head",
  ),
  attempt(
    "patterns that begin before what people read",
    { pattern: "git commit .*WIP" },
    "git commit -«m¦am» 'WIP'",
  ),
  harmless(
    "lists that stay in an exception",
    RM,
    "ls dist | xargs -I{} rm -rf dist/{}",
    "printf '%s\\n' dist/a dist/b | xargs -I{} rm -rf {}",
  ),
  harmless("folders that stay in an exception", RM, 'rm -rf «$(pwd)/dist¦"$(pwd)"/dist/*¦"$X/dist"»'),
  harmless(
    "text to look for is no file",
    { command: ["cat", "grep", "sed"], paths: [".env"] },
    "«git status¦cat README.md¦ls -a» | grep «.env¦-n .env»",
    "sed «-n /.env/p¦s/x/.env/» README.md",
  ),
  attempt(
    "values in the option's own word",
    { command: ["mysql", "psql"], pattern: "(?i)\\bdrop\\s+table" },
    "«mysql -e¦psql -c»'drop table x' app",
  ),
  {
    name: "lines in the text of a tool",
    guard: { tool: "mcp__db__*", pattern: "(?i)drop\\s+table" },
    kind: "attempt",
    calls: ["drop table x", "drop\ntable x", "drop\ttable x"].map((sql) => ({
      tool: "mcp__db__query",
      input: { sql },
    })),
  },
  attempt(
    "files that a search reads",
    { command: ["cat", "grep", "sed"], paths: [".env"] },
    "grep «x .env¦-e x .env¦-f .env x¦--file=.env x¦-rn x .env¦-n x - .env»",
    "sed «-n p .env¦-e p .env¦-f a.sed .env¦-i s/a/b/ .env»",
  ),
  {
    ...harmless(
      "tags alone",
      { command: "git push", branches: ["main"] },
      "git push «--tags¦origin --tags¦origin v1»",
    ),
    branch: "main",
  },
  harmless(
    "exceptions of what a command changes",
    { paths: ["src/**"], unless: { paths: ["src/generated/**"] } },
    "«echo x¦gen¦jq . src/a.json¦cat src/a.ts» > src/generated/a.ts",
    "«cp b.ts¦cp src/b.ts¦mv /tmp/a.ts¦curl URL -o» src/generated/a.ts",
    "tee /tmp/log src/generated/a.ts < src/a.ts",
  ),
  attempt(
    "more changed than an exception has",
    { paths: ["src/**"], unless: { paths: ["src/generated/**"] } },
    "«tee¦touch¦sed -i s/a/b/» src/generated/a.ts src/a.ts",
    "«mv src/a.ts¦mv src/*.ts» src/generated/",
    "cp src/generated/a.ts src/b.ts",
    "unknown src src/generated > src/generated/a.ts",
  ),
];
