import { relative, resolve, sep } from "node:path";
import { injectedAs } from "../here/records/session-state.ts";
import {
  type EventOutcome,
  type FactSituation,
  type Situation,
  NOTHING,
  decisionOn,
  injectedRecord,
  memoriesInForce,
  outcomeWith,
  readForInjection,
} from "./situation.ts";
import { type ToolUse, callUnitOf } from "../guard/guard-call.ts";
import { commandsIn } from "../machine/shell-word.ts";
import { MAX_CONTEXT_CHARS } from "./inject/context-parts.ts";
import { type Rule, RULE_BUDGET_CHARS, orderRules, renderRules } from "./inject/render-rules.ts";
import { type MemoryMetadata, memoryKey } from "../memory/memory.ts";
import { realPathOf } from "../machine/regular-file.ts";
import { findProjectRoot } from "../store/find-stores.ts";

const HEAD = "Standing rules that the user gave and heed keeps for the paths that this tool touches:";

/** The rules of the paths that a tool is about to touch, once in a context. */
export async function answerToolUse(
  situation: Situation,
  use: Pick<ToolUse, "tool" | "input"> & { agent: string | undefined },
): Promise<EventOutcome> {
  const { collection, session } = situation;
  const isKnown = (one: MemoryMetadata): boolean => {
    const known = session.context.injected.get(memoryKey(one));
    // What was told to be no longer in force, and is again, is told again.
    return known?.hash === one.contentHash && known.form !== "none";
  };
  const waiting = memoriesInForce(situation, (injection) => injection === "always").filter(
    (one) => one.scope.paths.length > 0 && !isKnown(one),
  );
  if (waiting.length === 0) return NOTHING;
  const paths = pathsInRepository(touchedPaths(use), situation);
  if (paths.length === 0) return NOTHING;
  const { matchesGlobs } = await import("../memory/match-globs.ts");
  const memories = waiting.filter((metadata) =>
    paths.some((path) => matchesGlobs(path, metadata.scope.paths)),
  );
  if (memories.length === 0) return NOTHING;
  const rules = orderRules(
    await Promise.all(
      memories.map(async (metadata): Promise<Rule> => ({
        metadata,
        source: collection.storeOf(metadata).source,
        body: (await readForInjection(collection, metadata))?.body ?? "",
      })),
    ),
  );
  const { text, extents } = renderRules(rules, HEAD, RULE_BUDGET_CHARS, MAX_CONTEXT_CHARS);
  const told = rules.map(({ metadata }) => injectedAs(metadata, "rule"));
  return outcomeWith({
    answer: { context: text },
    records: [injectedRecord(situation.place, use.agent, told)],
    decisions: rules.map(({ metadata }, i) =>
      decisionOn(metadata, collection, {
        form: "rule",
        reason: `a tool touches a path that it holds for${extents[i] === "reasons" ? "" : "; cut to fit"}`,
        chars: metadata.statement.length,
      }),
    ),
    isCut: collection.isCut,
  });
}

/** Paths as a call names them, from the root of the repository. */
export function pathsInRepository(paths: readonly string[], { root, place }: FactSituation): string[] {
  // A client may name files through a link by which the folder was entered, or by their real path.
  const realCwd = realPathOf(place.cwd);
  const roots = [...new Set([root, realPathOf(root), findProjectRoot(place.cwd) ?? root])];
  const found = paths.flatMap((path) => {
    const absolute = resolve(place.cwd, path);
    const absolutes = [absolute, resolve(realCwd, relative(place.cwd, absolute))];
    return absolutes.flatMap((file) => roots.map((base) => relative(base, file).split(sep).join("/")));
  });
  return [...new Set(found)].filter((path) => path !== "" && path !== ".." && !path.startsWith("../"));
}

const MAX_PATHS = 50;
/** Longer texts are no paths. */
const MAX_PATH_CHARS = 400;
/** So much of a command is looked at: commands that write whole files carry them inline. */
const MAX_COMMAND_CHARS = 20_000;

/** The paths that a tool use names: those of its fields and patches, and each word of a command that may be one. */
export function touchedPaths({ tool, input }: Pick<ToolUse, "tool" | "input">): string[] {
  const named = callUnitOf({ tool, input, cwd: "", roots: [], home: "~" }).paths.map(({ word }) => word.text);
  const commands = [input["command"], input["cmd"]].filter((value) => typeof value === "string");
  const words = commands.flatMap((text) => commandsIn(text.slice(0, MAX_COMMAND_CHARS)).flat());
  const paths = [...named, ...words.flatMap(pathIn)].filter((path) => path.length <= MAX_PATH_CHARS);
  return [...new Set(paths)].slice(0, MAX_PATHS);
}

/** What of a word of a command could be a path: without redirections and brackets, the value of an option, no URL. */
function pathIn(word: string): string[] {
  const path = (word.startsWith("-") ? word.replace(/^[^=]*=?/, "") : word).replace(/^[\d&<>(]+|[)`]+$/g, "");
  return /^[^\s*?{}$]+$/.test(path) && /[\p{L}\p{N}]/u.test(path) && !/^[a-z]+:\/\//i.test(path)
    ? [path]
    : [];
}
