import { parseFlagTest } from "./flag-test.ts";
import { parseGuards } from "./parse-guards.ts";
import { FLAG_HOMES, PROGRAMS, SUBCOMMANDS } from "./suggestion-words.ts";

/** A guard as a memory file would have it. */
export type RawGuard = Record<string, unknown>;

/** What a suggestion is read from. */
export interface RuleText {
  description: string;
  body: string;
}

const FORBIDS =
  /\b(?:never|do not|don['’]?t|must ?n[o'’]t|must not|should ?n[o'’]t|should not|may not|not allowed to|forbidden(?: to)?|stop|no|avoid|without)\b/i;
const WEAK = /\b(?:avoid|prefer|try not|should ?n[o'’]t|should not|rather)\b/i;
const ASKS = /\b(?:ask|asking|approval|permission|confirm(?:ation|ing)?|check with)\b/i;
const CHANGES = /\b(?:edit|chang|modif|touch|writ|alter|delet|overwrit|hand-edit|regenerat)\w*/i;
const CONDITION =
  /\b(?:(?:when|if|while)(?![\w\s-]{0,40}\b(?:fail|complain|error|block))|unless|except|without|before|after|until|during|already|only|that (?:are|is|were|was|have|has)|which|on (?:mon|tues|wednes|thurs|fri|satur|sun)days?)\b[^.;\n]{0,60}/i;
/** Rules about branches: force-pushes, and git's commands "to main". */
const FORCE_PUSH = /\bforce[- ]?push/i;
const BRANCH =
  /\b(?:to|on|onto|into|against)\s+(?:the\s+)?(?:\w+[ /])?`?(main|master|develop|trunk|release|production)\b/i;
const MAX_TEXT_CHARS = 4000;

/**
 * The guard that a rule's text states, where it states one plainly: a flag or command that must not be used, files that
 * must not be edited, one program instead of another. Undefined where it would be a guess. A suggestion counts for
 * nothing until a person puts it into the file.
 */
export function suggestGuard({ description, body }: RuleText): RawGuard | undefined {
  const statement = body.split(/^\s{0,3}\*\*why/im)[0] ?? "";
  for (const sentence of sentencesOf(`${description}\n${statement}`)) {
    const found = insteadOf(sentence) ?? forbidden(sentence, description);
    if (!found) continue;
    const exception = exceptionOf(`${description}\n${body}`, found);
    const isWider = whyWider(sentence) !== undefined && exception["unless"] === undefined;
    const guard = {
      ...found,
      ...exception,
      // What the rule allows under a condition that no guard can see is asked about, never denied.
      action: isWider && actionOf(sentence) === "deny" ? "ask" : actionOf(sentence),
      ...sayOf(body, found),
    };
    if (parseGuards(guard).problems.length === 0) return guard;
  }
  return undefined;
}

/** The condition under which a rule forbids something, where no guard can see it: the guard is wider than the rule. */
export function whyWider(text: string): string | undefined {
  return CONDITION.exec(text.slice(0, MAX_TEXT_CHARS))?.[0]?.trim();
}

function sentencesOf(text: string): string[] {
  return text
    .slice(0, MAX_TEXT_CHARS)
    .split(/[.;!]\s|\n/)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== "");
}

/** "use pnpm, not npm", "pnpm instead of npm" */
function insteadOf(sentence: string): RawGuard | undefined {
  const [, wanted = "", other = ""] =
    /`?\b([a-z][\w.-]*)`?,?\s+(?:and )?(?:not|instead of|rather than|over|never)\s+(?:use )?`?([a-z][\w.-]*)\b`?/i.exec(
      sentence,
    ) ?? [];
  if (!PROGRAMS.has(wanted) || !PROGRAMS.has(other) || wanted === other) return undefined;
  return { command: other, say: `use ${wanted}` };
}

function forbidden(sentence: string, context: string): RawGuard | undefined {
  const at = FORBIDS.exec(sentence);
  if (!at) return undefined;
  const [after = ""] = sentence.slice(at.index + at[0].length).split(/\b(?:except|unless|but)\b/i);
  const rest = after === "" ? sentence : after;
  const branch = BRANCH.exec(rest)?.[1];
  if (FORCE_PUSH.test(rest))
    return { command: "git push", flags: ["--force"], ...(branch !== undefined && { branches: branch }) };
  const found = commandIn(rest, context) ?? pathsIn(rest);
  const isGit = typeof found?.["command"] === "string" && found["command"].startsWith("git ");
  return isGit && branch !== undefined ? { ...found, branches: branch } : found;
}

/** A command with its flags, or a flag whose command is known by its name alone. */
function commandIn(text: string, context: string): RawGuard | undefined {
  const words = text
    .replace(/[`"'“”(),]/g, " ")
    .split(/\s+/)
    .filter(Boolean);
  const flags = [...new Set(words.filter((word) => /^--?[A-Za-z][\w-]*$/.test(word) && parseFlagTest(word)))];
  const start = words.findIndex((word) => PROGRAMS.has(word));
  const program = words[start];
  if (program !== undefined) {
    const subs = SUBCOMMANDS[program];
    const next = words.slice(start + 1).find((word) => !word.startsWith("-"));
    const hasSub = subs !== undefined && next !== undefined && subs.has(next);
    // "never use git when …" forbids nothing that a guard could tell.
    if (subs && !hasSub) return undefined;
    if (!subs && flags.length === 0 && !isBare(words, start)) return undefined;
    const command = hasSub ? `${program} ${next}` : program;
    return {
      command,
      ...(flags.length > 0 && { flags: withOtherWays(togetherOrOne(command, flags)) }),
    };
  }
  const homes = flags.flatMap((flag) => FLAG_HOMES[flag]?.(`${text} ${context}`) ?? []);
  if (homes.length === 0) return undefined;
  const command = homes.length === 1 ? homes[0] : [...new Set(homes)];
  return { command, flags: withOtherWays(flags) };
}

/** "never run rm" forbids it; "never let make output noise" says something else. */
function isBare(words: readonly string[], at: number): boolean {
  return at <= 1 && /^(?:use|using|run|running|call|calling|invoke)$/i.test(words[at - 1] ?? "run");
}

/** Hooks are passed over by pointing git elsewhere as well. */
function withOtherWays(flags: readonly string[]): string[] {
  return flags.includes("--no-verify") ? [...flags, "-c core.hooksPath=*"] : [...flags];
}

/** `rm -r -f` means both; `commit --no-verify -n` names two spellings. */
function togetherOrOne(command: string, flags: readonly string[]): string[] {
  const areLetters = flags.every((flag) => /^-[a-zA-Z]$/.test(flag));
  return command === "rm" && areLetters && flags.length > 1 ? [flags.join(" ")] : [...flags];
}

function pathsIn(text: string): RawGuard | undefined {
  const isCommit = /\b(?:commit|check in|stage)\b/i.test(text);
  if (!isCommit && !CHANGES.test(text)) return undefined;
  const found = text.match(
    /(?:[\w@*][\w.@*-]*\/)+(?:[\w.@*-]+)?|(?:^|[\s`"'])\.env(?:\.[\w*]+)?|[\w*-]+(?:-lock\.(?:json|yaml)|\.(?:lock|generated\.\w+|min\.js|snap))/g,
  );
  const globs = (found ?? [])
    .map((path) => path.replace(/^[\s`"']+/, "").replace(/\.$/, ""))
    .map((path) => (path.endsWith("/") ? `${path}**` : path))
    .filter((path) => path !== "and/or" && path !== "n/a");
  if (globs.length === 0) return undefined;
  // "that are already applied": a new file is none of them.
  const isOld = /\b(?:already|existing|applied|released|published|committed|merged|old)\b/i.test(text);
  return {
    ...(isCommit && { command: ["git add", "git commit"] }),
    paths: [...new Set(globs)].slice(0, 10),
    ...(isOld && !isCommit && { files: "existing" }),
  };
}

function actionOf(sentence: string): "deny" | "ask" | "warn" {
  if (ASKS.test(sentence)) return "ask";
  return WEAK.test(sentence) ? "warn" : "deny";
}

/** "except with --dry-run", "unless --force-with-lease" */
function exceptionOf(text: string, { flags, command }: RawGuard): RawGuard {
  const flag = /\b(?:except(?:ion)?|unless)\b[^.\n]{0,40}?(--[a-z][\w-]*)/i.exec(text)?.[1];
  if (flag === undefined || command === undefined) return {};
  const isForbidden = Array.isArray(flags) && (flags as unknown[]).includes(flag);
  return isForbidden ? {} : { unless: { flags: [flag] } };
}

/** What to do instead: the rule's own How to apply. */
function sayOf(body: string, found: RawGuard): RawGuard {
  if ("say" in found) return {};
  const apply = /\*\*how to apply:?\*\*:?\s*([^\n]{3,300})/i.exec(body)?.[1]?.trim();
  return apply === undefined ? {} : { say: apply };
}
