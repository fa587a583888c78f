import { type Ternary, allOf, anyOf, matchesWildcard, whether } from "./entry-tests.ts";
import type { CallUnit, GuardUnit } from "./guard-call.ts";
import { asksForHelp, hasOption, matchCalled } from "./match-command.ts";
import { gitUse, wordUse } from "./shell/programs.ts";
import { isWritingTool } from "./tools.ts";
import { type ShellWord, isKnown, knownWord } from "./shell/shell-command.ts";

/** Programs that reach a code host's API, how they name the method, and the branch in an address. */
const API = /^(?:gh|glab|hub|tea|curl|wget|https?|xh)$/;
const REQUEST = /^(?:curl|wget|https?|xh|(?:gh|glab|hub|tea) api)\b/;
const METHOD =
  /(?:^|\s)(?:-\w*X|--(?:method|request))[\s=]?([A-Z]+)\b|^(?:https?|xh) (?:\S+ )*?([A-Z]+|delete|patch|put|post) /;
const REF = /(?:refs\/heads|\/branches|heads)\/([^\s"'?]+?)(\/rename)?(?=[\s"'?]|$)/;
/** What rewrites or deletes, and what that may happen to, in the words of programs and tools that heed does not know. */
const REWRITES =
  /force|(?:^|\s)-\w*[fd]\b|lease|delete|remove|rewrite|reset|mirror|overwrite|prune|rename|"\+/i;
const OF_REMOTES = /push|publish|mirror|branch|\brefs?\b|heads\/|bookmark|pages|repo|submit|\bland\b/i;
/** Words of subcommands that only look, or leave what is published as it is. */
const LOOKS =
  /^(?:add|audit|build|check|clone|config|delete|describe|diff|docs|download|fetch|find|get|help|i|info|init|inspect|install|lint|list|log|login|logout|logs|ls|open|outdated|pack|pull|remove|rm|run-list|search|show|stats|status|test|tree|uninstall|validate|verify|view|watch|whoami)$/;
/** Programs that take several targets at once. */
const TAKES_TARGETS = /^(?:[gb]?make|rake|just|task|mage|invoke|nox|tox|ant|turbo|gulp|grunt|bazel|nix|zig)$/;
/** Programs that are made to give things to others: of what they do, only looking is none of it. */
const DISTRIBUTES =
  /^(?:crane|skopeo|oras|regctl|cosign|ko|twine|jf|ghr|d(?:put|upload)|goreleaser|fastlane|eas)$/;
/** What publishes, in the name of a task, a subcommand or a tool; files of code are none. */
const SENDS =
  /^(?!.*\.(?:[jt]sx?|py|json|md)$)(?:(?!.*\s).*(?:publish|releas)|(?:.*[:_./#+-])?(?:publish|releas|deploy|upload|push|submit|deliver|ship(?:it|js)?$|share$|distribut|promot))/i;
/** Options and settings by which a program also publishes. */
const ASKED_TO =
  /\s--(?!no-)(?:[\w-]*(?:upload|publish|push|submit)|destination)|[=.](?:publish|push)=true\b/;
/** Requests that bring a file to a place for packages. */
const BRINGS =
  /^(?=(?:https?|xh) .*\b(?:PUT|POST)\b|.*(?:[\s=]@|\s(?:-[dFT]|--(?:data[\w-]*|form|input|post-file|body-file))[\s=])|gh .*\s-f\s).*(?:artifact|dispatches|gems|packag|publish|registry|releas|repositor|upload)/is;

/** Whether a unit rewrites one of the branches on a remote, or deletes it there. */
export function matchRewrites(unit: GuardUnit, branches: readonly string[]): Ternary {
  const isNamed = (word: ShellWord | undefined): Ternary => {
    if (!word || !isKnown(word)) return word ? "unknown" : "no";
    const name = word.text.replace(/^(?:refs\/)?heads\//, "");
    return whether(name === "*" || branches.some((pattern) => matchesWildcard(name, pattern)));
  };
  if (unit.kind === "call") return rewritesByTool(unit, isNamed);
  if (unit.kind !== "command" || asksForHelp(unit) === "yes") return "no";
  const { text, args, branch, program } = unit;
  const [sub = knownWord("")] = args.operands;
  if (program === "git" && /^(?:push|send-pack|http-push)$/.test(sub.text)) {
    if (hasOption(unit, /^--dry-run$/)) return "no";
    if (hasOption(unit, /^(?:-f|-d|--force|--force-with-lease|--delete|--mirror)$/)) return isNamed(branch);
    const isOpen = args.hasUnknown || hasOption(unit, /^--prune$/);
    return isOpen && isNamed(branch ?? knownWord("*")) !== "no" ? "unknown" : "no";
  }
  if (/^(?:(?:gh|glab) repo|hub) delete\b/.test(text)) return "yes";
  const [isSynced, to] = /^gh repo sync \S.*--force(?:.*--branch[ =](\S+))?/.exec(text) ?? [];
  if (isSynced !== undefined) return to === undefined ? "unknown" : isNamed(knownWord(to));
  const byApi = API.test(program) ? rewritesByApi(text, isNamed) : "no";
  // Those that delete a branch name the one of a pull request.
  const isOfHost = API.test(program) && /^(?:api|pr|mr|issue|alias)$/.test(sub.text);
  // Other programs push too, and aliases of git: only what they are called tells.
  const isOther = program === "git" ? gitUse(sub.text) === undefined : wordUse(program) === undefined;
  const isPush = /^(?:jj git push|(?:sl|hg) push|gt submit|git subtree push|gh-pages)\b/.test(text);
  const isAbout = text.split(/[\s=:/]+/).some((word) => isNamed(knownWord(word)) === "yes");
  const isOfRemotes = isAbout || program === "git" || OF_REMOTES.test(text);
  const isLike = isOther && isOfRemotes && REWRITES.test(text) && !LOOKS.test(sub.text) && !isOfHost;
  if (byApi !== "no" || !(isPush || isLike)) return byApi;
  return isAbout || !/(?:\s-b|--[\w-]*branch|--bookmark|--to|BRANCH)[\s=]/.test(text) ? "unknown" : "no";
}

function rewritesByApi(text: string, isNamed: (word: ShellWord) => Ternary): Ternary {
  if (/\bgraphql\b/.test(text)) return /\b(?:update|delete)Refs?\b/.test(text) ? "unknown" : "no";
  const [, ref, renamed] = REF.exec(text.replaceAll(/%2f/gi, "/")) ?? [];
  const [, given, first] = METHOD.exec(text) ?? [];
  const method = renamed === undefined ? (given ?? first ?? "GET").toUpperCase() : "DELETE";
  if (ref === undefined || !/^(?:DELETE|PATCH|PUT|POST)$/.test(method)) return "no";
  const about = isNamed(knownWord(ref));
  if (method === "DELETE" || /["']?force["']?\s*[:=]\s*true/i.test(text)) return about;
  // The body may come from a file.
  return allOf([about, /--input\b|@/.test(text) ? "unknown" : "no"]);
}

function rewritesByTool({ tool, input, text }: CallUnit, isNamed: (word: ShellWord) => Ternary): Ternary {
  const said = text.replace(/"[\w-]+":\s*(?:false|null|"")/g, "");
  const isLike = isWritingTool(tool) && /branch|ref|push|mirror/i.test(tool) && REWRITES.test(tool + said);
  if (!isLike && input["url"] === undefined) return "no";
  if (!isLike) return rewritesByApi(`-X ${String(input["method"])} ${text.replaceAll("\\", "")}`, isNamed);
  const named = ["branch", "branch_name", "ref", "name"].map((key) => input[key]);
  const ref = named.find((value) => typeof value === "string");
  const about = ref === undefined ? "unknown" : isNamed(knownWord(ref));
  return /delete|remove/i.test(tool) || input["force"] === true ? about : allOf([about, "unknown"]);
}

/** What publishes for certain, by subcommands: the programs that have them, as in a guard. */
const PUBLISHING: readonly (readonly string[])[] = `
publish: npm pnpm yarn bun lerna changeset jsr deno rush beachball poetry uv flit hatch pdm rye maturin cargo opam vsce ovsx wasm-pack composer pub
push: gem docker podman buildah nerdctl img choco nuget helm snapcraft crane oras|upload: twine maturin cabal stack luarocks anaconda conda snapcraft
release: nx cargo gem snapcraft goreleaser|release create: gh glab hub tea|release upload: gh glab hub|deploy: mvn mvnw lein|submit: eas|shipit: auto
npm publish: yarn|dist-tag add: npm|stage: npm|workspaces publish: cargo|ws publish: cargo|smart-release: cargo|hex.publish: mix|hex publish: rebar3
pub publish: dart flutter|trunk push: pod|repo push: pod|nuget push: dotnet|* push: docker|publish: ko
copy: crane skopeo cosign|cp: crane|image copy: regctl|attach: cosign|cm-push: helm|acr build: az|build: jib ko|sign: web-ext
ci-release: sbt|buildx imagetools create: docker|ecr put-image: aws|: semantic-release release-it np release-plz publish-module`
  .split(/[|\n]/)
  .flatMap((line) => {
    const [subs = [], programs = []] = line.split(":").map((part) => part.match(/\S+/g) ?? []);
    return programs.map((program) => [program, ...subs]);
  });

/** The same, where the program takes goals and options in any order. */
const PUBLISHES = [
  /^mvnw?\b.*\s(?:deploy|release:perform|deploy:deploy-file)\b/,
  /^gradlew?\b.*[\s:](?:publish(?!ToMavenLocal)\w*|\w*Upload|jib)\b/,
  /^(?:docker|podman|nerdctl|ko) .*\bb(?:uild|ake)\b.*(?:\s--push(?![\w=])|type=registry|push=true)/,
  /^goreleaser(?:$| release\b| -)/,
  /^sbt\b.*\s["']?\+?publish(?!Local|M2)/,
  /^python[\d.]* (?:\S*\/)?setup\.py\b.*\supload\b/,
  // An upload to a registry's own address.
  /^(?:gh|curl|wget|https?|xh) (?=.*(?:registry\.(?:npmjs|yarnpkg)\.|upload\.pypi\.|test\.pypi\.|rubygems\.org\/api|crates\.io\/api\/v1\/crates\/new|nuget\.org|repo[\w.]*\.maven|sonatype|ghcr\.io|uploads\.github\.com|repos\/[^/\s]+\/[^/\s]+\/releases)).*(?:(?:-X|--(?:method|request))[\s=]?(?:PUT|POST)\b|-(?:[TFdf]|-(?:upload-file|form|data[\w-]*|(?:raw-)?field|post-file|body-file))[\s=])/,
];
/** In these the words mean something else, or publish on this machine alone. */
const HARMLESS =
  /^(?:dotnet publish|redis-cli|docker|kubectl|terraform|semver|cmake|xcodebuild)(?: |$)|\bpublish(?:Local|M2|ToMavenLocal)\b/;

/** Whether a unit puts a package, an image or a release where others get it. */
export function matchPublishes(unit: GuardUnit): Ternary {
  if (unit.kind === "call") {
    const isRelease = /publish|(?:create|push|upload)_?(?:\w+_)?(?:release|package|image|artifact)/i;
    const isLike = isWritingTool(unit.tool) && SENDS.test(unit.tool);
    return isLike && isRelease.test(unit.tool) ? "yes" : isLike ? "unknown" : "no";
  }
  if (unit.kind !== "command" || asksForHelp(unit) === "yes") return "no";
  const { text, args, program } = unit;
  if (hasOption(unit, /^--(?:dry-?run|snapshot|just-print|local)$/) || /^[gb]?make .*-n\b/.test(text))
    return "no";
  const known = anyOf(PUBLISHING.map((wanted) => matchCalled(unit, wanted)));
  if (known === "yes" || PUBLISHES.some((test) => test.test(text))) return "yes";
  if (HARMLESS.test(text)) return "no";
  // An unknown word may be the subcommand of the program at hand.
  const [called] = unit.command.words;
  if (known === "unknown" && called && isKnown(called)) return "unknown";
  if (REQUEST.test(text))
    return BRINGS.test(text) || hasOption(unit, /^(?:-T|--upload-file)$/) ? "unknown" : "no";
  if (wordUse(program) !== undefined) return "no";
  if (ASKED_TO.test(text)) return "unknown";
  const words = [program, ...args.operands.slice(0, 4).map((word) => word.text)];
  if (!TAKES_TARGETS.test(program) && words.some((word) => LOOKS.test(word))) return "no";
  const isSent = words.some((word) => SENDS.test(word.replace(/(?=[A-Z])/g, "-")));
  return isSent || (DISTRIBUTES.test(program) && words.length > 1) ? "unknown" : "no";
}

/** Whether text that a program may run in a way of its own speaks of an effect. */
export function speaksOfEffect(text: string, effect: "rewrites" | "publishes"): boolean {
  if (effect === "rewrites")
    return (
      (/\bpush\b/i.test(text) && /force|["'\s](?:-\w*f\b|\+\w)|delete|mirror/i.test(text)) ||
      /(?:update|delete)[-_]?refs?\b/i.test(text) ||
      (REF.test(text) && /delete|force/i.test(text))
    );
  return PUBLISHING.some(([program = "", ...subs]) => {
    const at = subs.length > 0 ? text.indexOf(program) : -1;
    return at >= 0 && subs.every((sub) => text.indexOf(sub.replace("*", ""), at + program.length) >= 0);
  });
}
