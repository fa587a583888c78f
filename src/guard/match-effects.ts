import { type Ternary, allOf, anyOf, matchesWildcard, whether } from "./entry-tests.ts";
import { type CallUnit, type CommandUnit, type GuardUnit, isWritingTool } from "./guard-call.ts";
import { asksForHelp, matchProgram, matchSubcommands } from "./match-command.ts";
import { wordUse } from "./shell/programs.ts";
import { type ShellWord, isKnown, knownWord } from "./shell/shell-command.ts";

/** A branch of a remote in an address of a code host's API. */
const REF = /(?:refs\/heads|\/branches|heads)\/([^\s"'?]+)/;
const API = /^(?:gh|glab|hub|tea|curl|wget|https?|xh)$/;
const METHOD = /(?:^|\s)(?:-X|--(?:method|request))[\s=]?([A-Z]+)\b|^(?:https?|xh) (?:\S+ )*?([A-Z]+) /;
const WRITES_REF = /["']?force["']?\s*[:=]\s*true/i;

/** Whether a unit rewrites one of the branches on a remote, or deletes it there. */
export function matchRewrites(unit: GuardUnit, branches: readonly string[]): Ternary {
  const isNamed = (word: ShellWord | undefined): Ternary => {
    if (!word || !isKnown(word)) return word ? "unknown" : "no";
    const name = word.text.replace(/^(?:refs\/)?heads\//, "");
    return whether(name === "*" || branches.some((pattern) => matchesWildcard(name, pattern)));
  };
  if (unit.kind === "call") return rewritesByTool(unit, isNamed);
  if (unit.kind !== "command" || asksForHelp(unit) === "yes") return "no";
  const { text, args } = unit;
  const name = unit.command.words[0]?.text ?? "";
  const sub = args.operands[0]?.text ?? "";
  const has = (flags: RegExp): boolean =>
    args.options.some(({ names, isOff }) => isOff !== true && names.some((flag) => flags.test(flag)));
  if (name === "git" && /^(?:push|send-pack|http-push)$/.test(sub)) {
    if (has(/^--dry-run$/)) return "no";
    const isDeleting = args.operands.slice(2).some((word) => /^:./.test(word.text));
    if (isDeleting || has(/^(?:-f|-d|--force|--force-with-lease|--delete|--mirror)$/))
      return isNamed(unit.branch);
    const isOpen = args.hasUnknown || has(/^--prune$/) || (unit.branch?.text === "*" && /\+refs/.test(text));
    return isOpen && isNamed(unit.branch ?? knownWord("*")) !== "no" ? "unknown" : "no";
  }
  if (/^(?:gh|glab) repo delete\b/.test(text)) return "yes";
  if (/^gh repo sync \S.*--force/.test(text)) {
    const [, branch] = /--branch[ =](\S+)/.exec(text) ?? [];
    return branch === undefined ? "unknown" : isNamed(knownWord(branch));
  }
  if (API.test(name)) return rewritesByApi(text, isNamed);
  // Other programs push too: only what they are called tells.
  const isPush = /^(?:jj git push|(?:sl|hg) push|gt submit|git subtree push|gh-pages)\b/.test(text);
  const isUnknown = wordUse(name) === undefined && name !== "git" && name !== "";
  const isLike =
    isUnknown && /push|publish|pages|mirror/i.test(text) && /force|\s-\w*f\b|lease|delete/i.test(text);
  if (!isPush && !isLike) return "no";
  const isAbout = text.split(/[\s=:]+/).some((word) => isNamed(knownWord(word)) === "yes");
  return isAbout || !/(?:\s-b|--branch|--bookmark|--to|BRANCH)[\s=]/.test(text) ? "unknown" : "no";
}

function rewritesByApi(text: string, isNamed: (word: ShellWord) => Ternary): Ternary {
  if (/\bgraphql\b/.test(text)) return /\b(?:update|delete)Refs?\b/.test(text) ? "unknown" : "no";
  const [, ref] = REF.exec(text) ?? [];
  const [, given, first] = METHOD.exec(text) ?? [];
  const method = given ?? first ?? "GET";
  if (ref === undefined || !/^(?:DELETE|PATCH|PUT|POST)$/.test(method)) return "no";
  const about = isNamed(knownWord(decodeURIComponentSafely(ref)));
  if (method === "DELETE" || WRITES_REF.test(text)) return about;
  // The body comes from a file.
  return allOf([about, /--input\b|@/.test(text) ? "unknown" : "no"]);
}

function decodeURIComponentSafely(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function rewritesByTool({ tool, input }: CallUnit, isNamed: (word: ShellWord) => Ternary): Ternary {
  const isOfRefs = isWritingTool(tool) && /branch|ref|push/i.test(tool);
  if (!isOfRefs || !(/delete|remove/i.test(tool) || input["force"] === true)) return "no";
  const named = ["branch", "branch_name", "ref", "name"].map((key) => input[key]);
  const ref = named.find((value) => typeof value === "string");
  return ref === undefined ? "unknown" : isNamed(knownWord(ref));
}

/** Commands that publish, by the kind of registry: program and subcommands as in a guard. */
const PUBLISHING: readonly (readonly [registry: string, command: readonly string[]])[] = Object.entries({
  npm: `npm publish|npm stage|npm dist-tag add|pnpm publish|yarn publish|yarn npm publish|bun publish|lerna publish|changeset publish
    |semantic-release|release-it|np|jsr publish|deno publish|nx release|rush publish|auto shipit|beachball publish`,
  pypi: "twine upload|poetry publish|uv publish|flit publish|hatch publish|pdm publish|rye publish|maturin publish|maturin upload",
  cargo:
    "cargo publish|cargo release|cargo workspaces publish|cargo ws publish|cargo smart-release|release-plz release",
  gem: "gem push|gem release",
  maven: "mvn deploy|mvnw deploy|sbt publish*|sbt +publish*|sbt ci-release|lein deploy",
  nuget: "dotnet nuget push|nuget push|choco push|publish-module",
  docker: `docker push|docker image push|docker manifest push|docker compose push|podman push|buildah push|nerdctl push
    |img push|crane push|crane copy|crane cp|regctl image copy|oras push|skopeo copy|helm push|helm cm-push|ko publish`,
  release: `gh release create|gh release upload|glab release create|glab release upload|hub release create
    |tea release create|goreleaser release`,
  other: `vsce publish|ovsx publish|mix hex.publish|rebar3 hex publish|pod trunk push|pod repo push|cabal upload
    |stack upload|opam publish|luarocks upload|dart pub publish|flutter pub publish|pub publish|snapcraft upload
    |snapcraft push|snapcraft release|web-ext sign|az acr build|jib build|cosign attach|cosign copy|anaconda upload|conda upload|eas submit|wasm-pack publish|composer publish`,
}).flatMap(([registry, commands]) =>
  commands.split("|").map((command): [string, string[]] => [registry, command.trim().split(/\s+/)]),
);

/** The kinds of registries that `publishes` may name. */
export const REGISTRIES: readonly string[] = [...new Set(PUBLISHING.map(([registry]) => registry))];

/** Programs that run tasks under names of their own. */
const RUNS_TASKS =
  /^(?:[gb]?make|rake|just|task|mage|invoke|nox|tox|ant|npm|pnpm|yarn|bun|turbo|gulp|grunt|bazel|nix|fastlane)$/;
const TASK = /(?:^|[:_./-])(?:publish|releas|deploy|upload|push)/i;
const REGISTRY_HOST =
  /registry\.(?:npmjs|yarnpkg)\.|upload\.pypi\.|test\.pypi\.|rubygems\.org\/api|crates\.io\/api\/v1\/crates\/new|nuget\.org|repo[\w.]*\.maven|sonatype|ghcr\.io|uploads\.github\.com|repos\/[^/\s]+\/[^/\s]+\/releases/;
const SENDS =
  /(?:^|\s)(?:-X|--(?:method|request))[\s=]?(?:PUT|POST)\b|\s(?:-T|-F|-d|-f|--(?:upload-file|form|data[\w-]*|field|raw-field|post-file|body-file))[\s=]/;

/** Whether a unit puts a package, an image or a release where others get it. */
export function matchPublishes(unit: GuardUnit, kinds: readonly string[]): Ternary {
  if (unit.kind === "call") {
    const { tool } = unit;
    const isRelease =
      /(?:create|publish|push|upload)_?(?:\w+_)?(?:release|package|image|artifact)|publish/i.test(tool);
    return whether(isWritingTool(tool) && isRelease);
  }
  if (unit.kind !== "command" || isDry(unit)) return "no";
  const { text, args } = unit;
  const name = unit.command.words[0]?.text ?? "";
  const isAsked = (registry: string): boolean => kinds.includes("*") || kinds.includes(registry);
  const known = anyOf(
    PUBLISHING.map(([registry, wanted]) =>
      isAsked(registry) ? allOf([matchProgram(unit, wanted), matchSubcommands(unit, wanted)]) : "no",
    ),
  );
  if (known === "yes") return /^sbt .*(?:publishLocal|publishM2)/.test(text) ? "no" : known;
  const isDeploy = /^mvnw?\b.*\s(?:deploy|release:perform|deploy:deploy-file)\b/.test(text);
  const isGradle = /^gradlew?\b.*[\s:](?:publish(?!ToMavenLocal)\w*|\w*Upload)\b/.test(text);
  if (isAsked("maven") && (isDeploy || isGradle)) return "yes";
  const pushes = /\s--push(?![\w=])|type=registry|push=true/;
  if (
    isAsked("docker") &&
    /^(?:docker|podman|nerdctl|ko) .*\bb(?:uild|ake)\b/.test(text) &&
    pushes.test(text)
  )
    return "yes";
  if (isAsked("pypi") && /^python[\d.]* (?:\S*\/)?setup\.py\b.*\supload\b/.test(text)) return "yes";
  if (API.test(name) && REGISTRY_HOST.test(text) && SENDS.test(text)) return "yes";
  // An unknown word may be the subcommand of the program at hand; any other may be anything.
  if (known === "unknown" && name !== "" && isKnown(unit.command.words[0] ?? knownWord(""))) return "unknown";
  const isOfTasks = RUNS_TASKS.test(name) || (wordUse(name) === undefined && name !== "git");
  const words = args.operands.slice(0, 4);
  const isSent =
    wordUse(name) === undefined &&
    /^[\w-]*(?:upload|publish)\b|\s--(?:upload|publish|destination)\b/.test(text);
  const own =
    isSent ||
    (isOfTasks &&
      words.some(
        (word) => TASK.test(word.text) && !/[\s/].*\.\w+$|\.(?:[jt]sx?|py|json|ya?ml)$/.test(word.text),
      ));
  return own && !/\b(?:publishLocal|publishToMavenLocal)\b/.test(text) && !HARMLESS.test(text)
    ? "unknown"
    : "no";
}

/** Their words mean something else. */
const HARMLESS =
  /^(?:dotnet publish|redis-cli|docker|kubectl|terraform|semver|cmake|xcodebuild|(?:p?npm|yarn|bun) (?:i|install|add|view|info)\b)/;

function isDry(unit: CommandUnit): boolean {
  const isNamed = unit.args.options.some(
    ({ names, isOff }) =>
      isOff !== true && names.some((flag) => /^--(?:dry-?run|snapshot|just-print)$/.test(flag)),
  );
  const isMake = /^[gb]?make\b/.test(unit.text) && / -n\b/.test(unit.text);
  return isNamed || isMake || asksForHelp(unit) === "yes";
}

/** Whether text that a program may run in a way of its own speaks of an effect. */
export function speaksOfEffect(text: string, effect: "rewrites" | "publishes"): boolean {
  if (effect === "rewrites")
    return /\bpush\b[^\n]*(?:force|\s-\w*f\b|\+|delete|mirror)|(?:update|delete)_?refs?\b/i.test(text);
  return PUBLISHING.some(([, [program = "", ...subs]]) => {
    const at = subs.length > 0 ? text.indexOf(program) : -1;
    return at >= 0 && subs.every((sub) => text.indexOf(sub.replace("*", ""), at + program.length) >= 0);
  });
}
