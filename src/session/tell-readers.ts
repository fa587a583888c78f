import { statSync } from "node:fs";
import { join, posix } from "node:path";
import type { Place } from "../here/place.ts";
import { modeHere } from "../here/user-config.ts";
import { type Explanation, findReceipt, makeReceipt } from "../here/records/receipt-log.ts";
import { answerPrompt } from "./answer-prompt.ts";
import { isUserPrompt, withoutPrivate } from "../memory/typed-text.ts";
import type { Mode } from "../store/config/store-config.ts";
import { FORMATS, followEvents } from "../machine/state-file.ts";
import { FRESH, listSessions } from "../here/records/session-state.ts";
import {
  type Rule,
  readRule,
  rulesHere,
  RULE_BUDGET_CHARS,
  compareInOrder,
  renderRules,
} from "./rules-here.ts";
import { type Outcome, type Situation, NOTHING, joinOutcomes, readerSituation } from "./situation.ts";
import { openContext } from "./tell-missing.ts";
import { runGit } from "../machine/run-git.ts";
import { defuseLine } from "../memory/shown-text.ts";
import { redactSecrets } from "../memory/screening/find-secrets.ts";

/** A reader gets what a subagent gets, rules and map, and nothing of what waits or goes on. */
const READER = "document";

export interface Reading {
  stores?: "all" | "project" | undefined;
}

/** What a fresh context here is told, for readers that no hook tells: a file, a server's instructions. Leaves no trace. @internal */
export async function openingText(place: Place, reading: Reading = {}): Promise<string> {
  const situation = await situationHere(place, reading);
  if (!situation) return "";
  const owner = { agent: READER, client: "heed", session: "" };
  return redactSecrets((await openContext(situation, owner, FRESH)).context ?? "");
}

async function situationHere(place: Place, { stores = "all" }: Reading): Promise<Situation | undefined> {
  if (modeHere(place) === "off") return undefined;
  const some = stores === "all" ? undefined : place.stores.filter(({ kind }) => kind === "project");
  return readerSituation(place, { stores: some });
}

export interface FolderRules {
  /** From the repository's root, which is ".". */
  folder: string;
  /** Empty where the folder has an AGENTS.md and no rule. */
  text: string;
}

/** The rules of certain paths, by folder, for readers of the nearest file. Leaves no trace. @internal */
export async function folderRules(place: Place, reading: Reading = {}): Promise<FolderRules[]> {
  const { workRoot, env } = place;
  const asked = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
  const { stdout = "" } = place.repository ? await runGit(asked, { cwd: workRoot, env }) : {};
  const files = stdout.split("\0").filter((file) => posix.basename(file) === "AGENTS.md");
  const folders = new Map(files.map((file) => [posix.dirname(file), new Map<string, Rule[]>()]));
  const situation = await situationHere(place, reading);
  for (const metadata of situation ? (await rulesHere(situation)).pathRules : []) {
    const rule = await readRule(situation!, metadata);
    const { paths } = metadata.scope;
    const about = `Standing rules for ${paths.map(defuseLine).join(", ")}, kept by heed:`;
    for (const folder of new Set(paths.filter((glob) => !glob.startsWith("!")).map(folderAbove))) {
      const byPaths = folders.get(folder) ?? new Map<string, Rule[]>();
      folders.set(folder, byPaths.set(about, [...(byPaths.get(about) ?? []), rule]));
    }
  }
  return [...folders].map(([folder, byPaths]) => {
    const texts = [...byPaths].map(
      ([head, rules]) => renderRules(rules.toSorted(compareInOrder), head, RULE_BUDGET_CHARS).text,
    );
    return { folder, text: redactSecrets(texts.join("\n\n")) };
  });

  function folderAbove(glob: string): string {
    const [literal = ""] = glob.replace(/^\.?\//, "").split(/(?:^|\/)[^/]*[*?[\]{}()!]|(?:^|\/)\.\.(?:\/|$)/);
    let folder = posix.normalize(literal);
    while (!statSync(join(workRoot, folder), { throwIfNoEntry: false })?.isDirectory())
      folder = posix.dirname(folder);
    return folder.replace(/(.)\/$/, "$1");
  }
}

/** What is to be explained: a prompt that could be sent, or a receipt by its id or the beginning of it. */
export type Explained = { prompt: string } | { receipt: string };

/** Says what a prompt would be told in a fresh session, without a trace; or what a past receipt says. */
export async function explain(place: Place, about: Explained): Promise<Explanation> {
  if ("receipt" in about) return findReceipt(place.places, about.receipt);
  const startedAt = performance.now();
  await place.meetRepository();
  const prompt = withoutPrivate(about.prompt);
  const event = { kind: "prompt", prompt, session: "", cwd: place.cwd, client: "heed" } as const;
  const told = isUserPrompt(prompt) ? await answerFresh(place, prompt) : NOTHING;
  const mode = modeHere(place);
  const outcome = joinOutcomes(mode === "typed" ? told : heldBack(told, mode));
  const elapsedMs = performance.now() - startedAt;
  return {
    receipt: makeReceipt(place, event, { ...outcome, elapsedMs }),
    context: redactSecrets(outcome.context ?? ""),
    isDryRun: true,
  };
}

/** What a prompt is told as the first of a session whose context holds rules and map, however many answers that took. */
async function answerFresh(place: Place, prompt: string): Promise<Outcome> {
  const situation = await readerSituation(place, { mode: "typed" });
  const owner = { client: "", session: "" };
  const opening = await openContext(situation, owner, FRESH, Number.NEGATIVE_INFINITY);
  return answerPrompt(situation.after(opening), { prompt, session: "dry run" }, undefined);
}

function heldBack({ decisions = [], isCut = false }: Outcome, mode: Mode): Outcome {
  const why = `in mode ${mode} only when asked for; in mode typed: `;
  const held = decisions.map((one) => ({
    ...one,
    form: "none" as const,
    chars: 0,
    reason: why + one.reason,
  }));
  return { isCut, decisions: held };
}

/** A session in which the user has said nothing for so long is not the one that a call comes from. */
const MAX_AGE_MS = 12 * 3_600_000;
const MAX_LOOKED = 20;

/** The session of a client in which the user spoke last in this working tree, for calls that name none. */
export function newestSession(place: Place, client: string): string | undefined {
  const oldest = new Date(place.now().getTime() - MAX_AGE_MS).toISOString();
  let newest = { session: undefined as string | undefined, time: oldest };
  for (const { file } of listSessions(place.places).slice(0, MAX_LOOKED))
    for (const { kind, client: its, root, session, time } of followEvents(file, FORMATS.sessions)) {
      const isTurn = kind === "turn" && its === client && root === place.workRoot;
      if (isTurn && typeof session === "string" && typeof time === "string" && time > newest.time)
        newest = { session, time };
    }
  return newest.session;
}
