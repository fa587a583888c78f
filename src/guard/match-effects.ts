import { type Ternary, allOf, anyOf, matchesWildcard, whether } from "./entry-tests.ts";
import { type CallUnit, type CommandUnit, type GuardUnit } from "./guard-call.ts";
import { isWritingTool } from "./tools.ts";
import { asksForHelp, matchProgram, matchSubcommands } from "./match-command.ts";
import { wordUse } from "./shell/programs.ts";
import { type ShellWord, isKnown, knownWord } from "./shell/shell-command.ts";

/** Programs that reach a code host's API, how they name the method, and the branch in an address. */
const API = /^(?:gh|glab|hub|tea|curl|wget|https?|xh)$/;
const METHOD = /(?:^|\s)(?:-X|--(?:method|request))[\s=]?([A-Z]+)\b|^(?:https?|xh) (?:\S+ )*?([A-Z]+) /;
const REF = /(?:refs\/heads|\/branches|heads)\/([^\s"'?]+)/;

const hasOption = ({ args }: CommandUnit, flags: RegExp): boolean =>
  args.options.some(({ names, isOff }) => isOff !== true && names.some((flag) => flags.test(flag)));

/** Whether a unit rewrites one of the branches on a remote, or deletes it there. */
export function matchRewrites(unit: GuardUnit, branches: readonly string[]): Ternary {
  const isNamed = (word: ShellWord | undefined): Ternary => {
    if (!word || !isKnown(word)) return word ? "unknown" : "no";
    const name = word.text.replace(/^(?:refs\/)?heads\//, "");
    return whether(name === "*" || branches.some((pattern) => matchesWildcard(name, pattern)));
  };
  if (unit.kind === "call") return rewritesByTool(unit, isNamed);
  if (unit.kind !== "command" || asksForHelp(unit) === "yes") return "no";
  const { text, args, branch } = unit;
  const name = unit.command.words[0]?.text ?? "";
  if (name === "git" && /^(?:push|send-pack|http-push)$/.test(args.operands[0]?.text ?? "")) {
    const isDeleting = args.operands.slice(2).some((word) => /^:./.test(word.text));
    const isForced = hasOption(unit, /^(?:-f|-d|--force|--force-with-lease|--delete|--mirror)$/);
    if (hasOption(unit, /^--dry-run$/)) return "no";
    if (isDeleting || isForced) return isNamed(branch);
    const isOpen = args.hasUnknown || hasOption(unit, /^--prune$/);
    return isOpen && isNamed(branch ?? knownWord("*")) !== "no" ? "unknown" : "no";
  }
  if (/^(?:gh|glab) repo delete\b/.test(text)) return "yes";
  const [isSynced, to] = /^gh repo sync \S.*--force(?:.*--branch[ =](\S+))?/.exec(text) ?? [];
  if (isSynced !== undefined) return to === undefined ? "unknown" : isNamed(knownWord(to));
  if (API.test(name)) return rewritesByApi(text, isNamed);
  // Other programs push too: only what they are called tells.
  const isPush = /^(?:jj git push|(?:sl|hg) push|gt submit|git subtree push|gh-pages)\b/.test(text);
  const isOther = wordUse(name) === undefined && name !== "git" && name !== "";
  const isLike = /push|publish|pages|mirror/i.test(text) && /force|\s-\w*f\b|lease|delete/i.test(text);
  if (!isPush && !(isOther && isLike)) return "no";
  const isAbout = text.split(/[\s=:]+/).some((word) => isNamed(knownWord(word)) === "yes");
  return isAbout || !/(?:\s-b|--branch|--bookmark|--to|BRANCH)[\s=]/.test(text) ? "unknown" : "no";
}

function rewritesByApi(text: string, isNamed: (word: ShellWord) => Ternary): Ternary {
  if (/\bgraphql\b/.test(text)) return /\b(?:update|delete)Refs?\b/.test(text) ? "unknown" : "no";
  const [, ref] = REF.exec(text) ?? [];
  const [, given, first] = METHOD.exec(text) ?? [];
  const method = given ?? first ?? "GET";
  if (ref === undefined || !/^(?:DELETE|PATCH|PUT|POST)$/.test(method)) return "no";
  const about = isNamed(knownWord(ref));
  if (method === "DELETE" || /["']?force["']?\s*[:=]\s*true/i.test(text)) return about;
  // The body may come from a file.
  return allOf([about, /--input\b|@/.test(text) ? "unknown" : "no"]);
}

function rewritesByTool({ tool, input }: CallUnit, isNamed: (word: ShellWord) => Ternary): Ternary {
  const isOfRefs = isWritingTool(tool) && /branch|ref|push/i.test(tool);
  if (!isOfRefs || !(/delete|remove/i.test(tool) || input["force"] === true)) return "no";
  const named = ["branch", "branch_name", "ref", "name"].map((key) => input[key]);
  const ref = named.find((value) => typeof value === "string");
  return ref === undefined ? "unknown" : isNamed(knownWord(ref));
}

/** Commands that publish: program and subcommands as in a guard. */
const PUBLISHING: readonly (readonly string[])[] = `
npm publish|npm stage|npm dist-tag add|pnpm publish|yarn publish|yarn npm publish|bun publish|lerna publish|changeset publish
semantic-release|release-it|np|jsr publish|deno publish|nx release|rush publish|auto shipit|beachball publish
twine upload|poetry publish|uv publish|flit publish|hatch publish|pdm publish|rye publish|maturin publish|maturin upload
cargo publish|cargo release|cargo workspaces publish|cargo ws publish|cargo smart-release|release-plz release|gem push
gem release|mvn deploy|mvnw deploy|sbt publish*|sbt +publish*|sbt ci-release|lein deploy|dotnet nuget push|nuget push
choco push|publish-module|docker push|docker image push|docker manifest push|docker compose push|podman push|buildah push
nerdctl push|img push|crane push|crane copy|crane cp|regctl image copy|oras push|skopeo copy|helm push|helm cm-push
ko publish|gh release create|gh release upload|glab release create|glab release upload|hub release create|vsce publish
tea release create|goreleaser release|ovsx publish|mix hex.publish|rebar3 hex publish|pod trunk push|pod repo push
cabal upload|stack upload|opam publish|luarocks upload|dart pub publish|flutter pub publish|pub publish|snapcraft upload
snapcraft push|snapcraft release|web-ext sign|az acr build|jib build|cosign attach|cosign copy|anaconda upload
conda upload|eas submit|wasm-pack publish|composer publish`
  .trim()
  .split(/[|\n]/)
  .map((command) => command.split(" "));

/** The same, where the program takes goals and options in any order. */
const PUBLISHES = [
  /^mvnw?\b.*\s(?:deploy|release:perform|deploy:deploy-file)\b/,
  /^gradlew?\b.*[\s:](?:publish(?!ToMavenLocal)\w*|\w*Upload)\b/,
  /^(?:docker|podman|nerdctl|ko) .*\bb(?:uild|ake)\b.*(?:\s--push(?![\w=])|type=registry|push=true)/,
  /^goreleaser(?:$| release\b| -)/,
  /^python[\d.]* (?:\S*\/)?setup\.py\b.*\supload\b/,
  // An upload to a registry's own address.
  /^(?:gh|curl|wget|https?|xh) (?=.*(?:registry\.(?:npmjs|yarnpkg)\.|upload\.pypi\.|test\.pypi\.|rubygems\.org\/api|crates\.io\/api\/v1\/crates\/new|nuget\.org|repo[\w.]*\.maven|sonatype|ghcr\.io|uploads\.github\.com|repos\/[^/\s]+\/[^/\s]+\/releases)).*(?:(?:-X|--(?:method|request))[\s=]?(?:PUT|POST)\b|-(?:[TFdf]|-(?:upload-file|form|data[\w-]*|(?:raw-)?field|post-file|body-file))[\s=])/,
];
/** Programs that run tasks under names of their own. */
const RUNS_TASKS =
  /^(?:[gb]?make|rake|just|task|mage|invoke|nox|tox|ant|p?npm|yarn|bun|turbo|gulp|grunt|bazel|nix|fastlane)$/;
const TASK = /(?:^|[:_./#-])(?:publish|releas|deploy|upload|push)(?!.*\.(?:[jt]sx?|py|json|ya?ml)$)/i;
/** In these the words mean something else, or publish on this machine alone. */
const HARMLESS =
  /^(?:dotnet publish|redis-cli|docker|kubectl|terraform|semver|cmake|xcodebuild|(?:p?npm|yarn|bun) (?:i|install|add|view|info)\b)|\bpublish(?:Local|M2|ToMavenLocal)\b/;

/** Whether a unit puts a package, an image or a release where others get it. */
export function matchPublishes(unit: GuardUnit): Ternary {
  if (unit.kind === "call") {
    const isRelease = /publish|(?:create|push|upload)_?(?:\w+_)?(?:release|package|image|artifact)/i;
    return whether(isWritingTool(unit.tool) && isRelease.test(unit.tool));
  }
  if (unit.kind !== "command" || asksForHelp(unit) === "yes") return "no";
  const { text, args } = unit;
  const name = unit.command.words[0]?.text ?? "";
  if (hasOption(unit, /^--(?:dry-?run|snapshot|just-print)$/) || /^[gb]?make .*-n\b/.test(text)) return "no";
  const known = anyOf(
    PUBLISHING.map((wanted) => allOf([matchProgram(unit, wanted), matchSubcommands(unit, wanted)])),
  );
  if (HARMLESS.test(text) && known !== "yes") return PUBLISHES.some((test) => test.test(text)) ? "yes" : "no";
  if (/^sbt .*publish(?:Local|M2)/.test(text)) return "no";
  if (known === "yes" || PUBLISHES.some((test) => test.test(text))) return "yes";
  // An unknown word may be the subcommand of the program at hand.
  const [program] = unit.command.words;
  if (known === "unknown" && program && isKnown(program)) return "unknown";
  const isOther = wordUse(name) === undefined && name !== "git";
  const isSent = isOther && /^[\w-]*(?:upload|publish)\b|\s--(?:upload|publish|destination)\b/.test(text);
  if (name === "curl" && /\s(?:-T|--upload-file)[\s=]/.test(text)) return "unknown";
  const isTask =
    (isOther || RUNS_TASKS.test(name)) && args.operands.slice(0, 4).some((word) => TASK.test(word.text));
  return isSent || isTask ? "unknown" : "no";
}

/** Whether text that a program may run in a way of its own speaks of an effect. */
export function speaksOfEffect(text: string, effect: "rewrites" | "publishes"): boolean {
  if (effect === "rewrites")
    return /\bpush\b[^\n]*(?:force|\s-\w*f\b|\+|delete|mirror)|(?:update|delete)_?refs?\b/i.test(text);
  return PUBLISHING.some(([program = "", ...subs]) => {
    const at = subs.length > 0 ? text.indexOf(program) : -1;
    return at >= 0 && subs.every((sub) => text.indexOf(sub.replace("*", ""), at + program.length) >= 0);
  });
}
