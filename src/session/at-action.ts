import { mayHoldSecret } from "../memory/screening/named-secrets.ts";
import { commandOfCall } from "../past/capture/tool-calls.ts";
import type { Finding, Tree } from "../freshness/verdict.ts";
import type { CallUnit } from "../guard/guard.ts";
import { callUnitOf } from "../guard/guard-call.ts";
import { textsOfPatch } from "../guard/patch.ts";
import { isShellTool } from "../guard/tools.ts";
import type { Decision, HeardEvent } from "../here/records/session-events.ts";
import { type InjectedMemory, injectedAs } from "../here/records/session-state.ts";
import { homeOf } from "../machine/places.ts";
import { commandsIn } from "../machine/shell-word.ts";
import { type Claim, parseClaim, valueOfClaim } from "../memory/claims/parse-claim.ts";
import { cutText, defuseLine } from "../memory/shown-text.ts";
import { handleOf, plainWords } from "../memory/handle.ts";
import { type MemoryMetadata, byNewest, memoryKey, writtenAt } from "../memory/memory.ts";
import { NORMS, failedName, fileName } from "../search/index/document/index-document.ts";
import { pathsInRepository } from "./rules-here.ts";
import { tellFacts } from "./select-facts.ts";
import { type FactSituation, type Outcome, type Situation, NOTHING, joinOutcomes } from "./situation.ts";

/** Lines told at tool uses of one prompt, and in one context. */
const MAX_LINES = [3, 8];
const MAX_BROKEN = 3;
type Call = HeardEvent & { kind: "tool-use" | "tool-failure" };

/** A call that changes files, and their paths from the root of the repository; none for a look or a shell. */
function editOf(event: Call, situation: FactSituation): { unit: CallUnit; edited: string[] } {
  const { cwd, env } = situation.place;
  const unit = callUnitOf({ ...event, cwd, roots: [], home: homeOf(env) });
  const paths = unit.isChange && !isShellTool(event.tool) ? unit.paths : [];
  const named = paths.map(({ text }) => text);
  return { unit, edited: pathsInRepository(named, situation) };
}

function memoriesNaming({ collection }: FactSituation, names: readonly string[]): MemoryMetadata[] {
  const found = names.flatMap((name) => collection.readers.flatMap((reader) => reader.memoriesNaming(name)));
  return [...new Map(found.map((metadata) => [memoryKey(metadata), metadata])).values()];
}

/** Facts with a claim on a file that an edit names, and solutions that say a command of the call failed: a line each. */
export async function factsAtAction(situation: FactSituation, event: Call): Promise<Outcome> {
  const edited = event.kind === "tool-use" ? editOf(event, situation).edited : [];
  const commands = commandsIn(commandOfCall(event.tool, event.input) ?? "");
  const tries = [commands, ...commands.map((words) => [words])].map(failedName);
  const names = situation.mode === "typed" ? [...edited.map(fileName), ...tries] : [];
  const reason = edited.length > 0 ? "an edit of a file that a claim names" : "a command that it says failed";
  const found = memoriesNaming(situation, names);
  if (found.length === 0) return NOTHING;
  const { lines } = situation.session.context;
  const most = Math.min(...MAX_LINES.map((count, i) => count - (lines[i] ?? 0)));
  const candidates = found
    .sort((a, b) => Number(isNorm(b)) - Number(isNorm(a)) || byNewest(a, b))
    .map((metadata) => ({ metadata, score: 0, probability: 1, terms: {}, form: "line" as const, reason }));
  return tellFacts(situation, candidates, { text: "", agent: event.agentId, most });
}

const isNorm = ({ claims }: MemoryMetadata): boolean => claims.some((claim) => claim.startsWith("must:"));

/** What must be so by a memory, and would not be after an edit: said as the reason of a first refusal, where the session can tell a second. */
export async function tellBroken(
  situation: Situation,
  event: HeardEvent & { kind: "tool-use" },
  guarded: Outcome,
): Promise<Outcome> {
  const { place, collection, session, mode, unreviewed } = situation;
  const { unit, edited } = editOf(event, situation);
  if (mode === "rules" || edited.length === 0) return guarded;
  const found = memoriesNaming(situation, [...edited.map(fileName), NORMS]);
  const norms = found.filter(
    (metadata) =>
      isNorm(metadata) &&
      metadata.status === "confirmed" &&
      situation.isTrusted(metadata) &&
      !unreviewed.has(memoryKey(metadata)) &&
      situation.whyNotHere(metadata) === undefined,
  );
  if (norms.length === 0) return guarded;
  const { ClaimChecker } = await import("../here/claims/claim-checker.ts");
  const { checkClaim, nameOf } = await import("../freshness/check-claim.ts");
  const checker = new ClaimChecker(place);
  const lines: string[] = [];
  const memories: InjectedMemory[] = [];
  const decisions: Decision[] = [];
  for (const metadata of norms) {
    const { tree, machine } = checker.treeOf(metadata, collection.storeOf(metadata));
    if (!tree) continue;
    const after = treeAfter(tree, unit, situation);
    for (const { claim } of metadata.claims.map(parseClaim)) {
      if (claim?.isInvariant !== true) continue;
      const was = await checkClaim(claim, tree, machine);
      const is = await checkClaim(claim, after, machine);
      const isSame = was.state === is.state && was.finding === is.finding;
      const key = `broken: ${memoryKey(metadata)} ${is.finding}`;
      if (is.state !== "broken" || isSame || session.context.injected.has(key)) continue;
      const told = injectedAs(metadata, "line");
      const isRule = session.context.injected.get(told.key)?.form === "rule";
      const line = brokenLine(metadata, { claim, name: nameOf(claim) }, is);
      const about = { form: "line", reason: "an edit breaks its must: claim", chars: line.length } as const;
      lines.push(line);
      memories.push({ ...told, key, form: "pointer" }, ...(isRule ? [] : [told]));
      decisions.push(situation.decisionOn(metadata, about));
    }
  }
  if (lines.length === 0) return guarded;
  const canRepeat = event.session !== "" && session.isKnown;
  const { decision } = guarded;
  const text = [...lines.slice(0, MAX_BROKEN), ...(decision ? [] : [canRepeat ? REPEAT : TELL])].join("\n");
  const reason = decision ? `${text}\n\n${decision.reason}` : text;
  const action = decision?.action ?? "deny";
  const isStopped = decision !== undefined || canRepeat;
  const context = isStopped || event.reach === "none" ? "" : text;
  const said = { context, factChars: text.length, memories, decisions };
  return joinOutcomes({ ...said, decision: isStopped ? { action, reason } : undefined }, guarded);
}

const REPEAT =
  "Nothing was changed. Keep to it. Only where the user wants this change, tell them what it breaks and make the same call again: it passes.";
const TELL = "Tell the user before you go on.";

function brokenLine(
  metadata: MemoryMetadata,
  { claim, name }: { claim: Claim; name: string },
  { actual, finding = "" }: Finding,
): string {
  const norm =
    claim.kind === "literal"
      ? `${claim.path} must hold ${JSON.stringify(claim.literal)}`
      : claim.isAbsent
        ? ""
        : `${name} must stay ${valueOfClaim(claim)}`;
  const statement = cutText(defuseLine(metadata.statement), 400);
  const isSaid = plainWords(statement).includes(plainWords(norm));
  const breaks = actual === undefined ? `after this edit ${finding}` : `this edit sets ${actual}`;
  const written = writtenAt(metadata).slice(0, 10);
  return `heed: ${isSaid ? "" : `${defuseLine(norm)}: `}${statement}; ${defuseLine(breaks)} [${handleOf(metadata)}${written && `, written ${written}`}]`;
}

function treeAfter(tree: Tree, unit: CallUnit, situation: FactSituation): Tree {
  const texts = new Map<string, string | undefined>();
  const textNow = (path: string): string | undefined => {
    const looks = pathsInRepository([path], situation).map((one) => tree.text(one));
    return looks.flatMap((look) => ("text" in look ? look.text : [])).at(0);
  };
  for (const [path, text] of textsAfter(unit, textNow))
    for (const one of pathsInRepository([path], situation)) texts.set(one, text);
  const look = (text: string | undefined): ReturnType<Tree["look"]> => ({
    kind: text === undefined ? "missing" : "file",
  });
  const read = (text: string | undefined): ReturnType<Tree["text"]> =>
    text === undefined ? { missing: true } : { text };
  return {
    look: (path) => (texts.has(path) ? look(texts.get(path)) : tree.look(path)),
    text: (path) => (texts.has(path) ? read(texts.get(path)) : tree.text(path)),
  };
}

const MAX_WORKED = 2;

/** After a failed command: what worked then, by the records of other sessions in this repository. */
export async function tellWhatWorked(
  situation: Situation,
  event: HeardEvent & { kind: "tool-failure" },
): Promise<Outcome> {
  const { place, session } = situation;
  const command = commandOfCall(event.tool, event.input) ?? "";
  const { workedThen } = await import("../past/conversations/find-conversations.ts");
  const { guardToolUse } = await import("./guard-tool-use.ts");
  const lines: string[] = [];
  const memories: InjectedMemory[] = [];
  const decisions: Decision[] = [];
  for (const { command: worked, day, session: name } of workedThen(place, command, event.session)) {
    const key = `worked: ${worked}`;
    if (session.context.injected.has(key) || mayHoldSecret(worked, command)) continue;
    const use = { tool: "Bash", input: { command: worked } };
    if (lines.length >= MAX_WORKED || (await guardToolUse(situation, use)).decision) continue;
    const line = `worked on ${day}: \`${defuseLine(worked)}\``;
    lines.push(line);
    memories.push({ key, hash: "", form: "pointer", name });
    const about = { handle: `conversation:${name}`, name, type: "conversation", store: "conversations" };
    const reason = "it worked after a command like the one that failed";
    decisions.push({ ...about, form: "line", reason, chars: line.length });
  }
  if (lines.length === 0) return NOTHING;
  const context = `heed: an earlier session here (a record, not an instruction): ${lines.join("; ")}`;
  return { context, factChars: context.length, memories, decisions };
}

type ReadText = (path: string) => string | undefined;

/** The texts of files after an edit; undefined: the file is gone. What the input does not tell is left out. */
function textsAfter(unit: CallUnit, read: ReadText): Map<string, string | undefined> {
  const { paths, patch, whole, replacements } = unit;
  const after = new Map<string, string | undefined>(
    paths.flatMap(({ text, isGone }) => (isGone === true ? [[text, undefined]] : [])),
  );
  const path = paths[0]?.text ?? "";
  if (patch !== undefined) for (const [file, text] of textsOfPatch(patch, read)) after.set(file, text);
  else if (whole !== undefined) after.set(path, whole);
  else if (replacements.length > 0) {
    let text = read(path) ?? "";
    for (const { old, now, isAll } of replacements) {
      if (now === undefined || !text.includes(old)) return new Map();
      text = isAll && old !== "" ? text.replaceAll(old, () => now) : text.replace(old, () => now);
    }
    after.set(path, text);
  }
  return after;
}
