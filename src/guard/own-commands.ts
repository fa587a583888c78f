import { mayMeet } from "./entry-tests.ts";
import type { CommandUnit } from "./guard-call.ts";
import { changedFiles } from "./file-effects.ts";
import type { ShellCommand, ShellWord } from "./shell/shell-command.ts";
import { absolutePath, HOLE, isKnown, knownWord } from "./shell/shell-command.ts";

/** The words and the input of a program that may run them in its own way. */
export interface SaidText {
  program: string;
  text: string;
  /** Those words that hold several words, and the input. */
  phrases: string;
  cwd: string | undefined;
}

const SCRIPTS = ["heed.cjs", "hook.cjs", "cli.cjs", "mcp.cjs", "core.cjs"];
const PROGRAM = new RegExp(`(?:^|/)(?:heed|${SCRIPTS.join("|").replaceAll(".", "\\.")})$`);
const JS_RUNTIME = /^(?:node|nodejs|bun|deno|tsx)\d*$/;
/** Programs of which it is known what they do with the paths that they name. */
export const KNOWN: ReadonlySet<string> = new Set(
  `echo printf cd pwd test [ true false : type which whereis help alias set unset export declare local read sleep id
   whoami uname hostname printenv ag grep egrep fgrep rg wait kill killall pkill pgrep ps history mkdir cat ls wc rev
   sort cut tr tac nl column paste join comm diff cmp more less bat basename dirname realpath readlink stat file du df
   date cksum md5sum sha1sum sha256sum base64 od hexdump strings tree exa eza head tail zcat zgrep git find eval source .
   trap man rm rmdir unlink shred trash rimraf touch tee mv chmod chown chgrp truncate cp install rsync scp
   ditto sed gsed jq yq prettier eslint black dd`.split(/\s+/),
);

/** Subcommands that give the user's consent, or take it back. */
const GIVES =
  /^(?:attach|confirm|detach|edit|guard|import|inbox|init|mode|reject|remove|rename|repair|restore|scrub|sync|tidy|trust|undo|uninit|update|verify|write)$/;
/** Ways to run a command that keep the environment of the client's shell. */
const SAME_SHELL =
  /^(?:(?:ba|z|da|k|mk|a|rba)?sh|input|env|cross-env|time(?:out)?|nice|ionice|nohup|command|builtin|exec|stdbuf|eval|trap|alias|git|npx|npm|pnpx|pnpm|yarn|bunx|find|xargs|parallel|watch|\S+\(\)|\S*\/\S+)(?: |$)/;
/** Variables by which heed knows that an agent runs it, and assignments that empty them. */
const MARK =
  /^(?:-\w*u|--\w+=)?(?:CLAUDECODE|CODEX_|GEMINI_CLI|OPENCODE|COPILOT_|QWEN_CODE|GOOSE_|JUNIE_|\w+_ACTIVE$|(?:\w+_)?AGENT$)/;
const EMPTIED = /\b([A-Z_]*(?:CODE|CODEX|CLI|AGENT|ACTIVE)\w*)=(?:0|false|""|''|\$\S*)?(?=[\s;&|)}]|$)/g;
/** Commands that set a variable for shells to come, such as fish's `set -Ux HEED_MODE off`. */
const SETS_LASTING =
  /(?:^|\s)(?:setx|(?:set|launchctl|systemctl) (?:.* )?(?:-\w*U|--universal|(?:un)?set-?env))/;

const MAX_NAMES = 2000;
/** Variables that set heed's records and the user's store; the first that is set counts. */
const RECORDS_BY = ["HEED_STATE_DIR", "XDG_STATE_HOME", "HOME"];
const STORE_BY = ["HEED_DIR", "XDG_DATA_HOME", "HOME"];

/** What the commands and other words of a text do with heed's program. @param isAway none of them sees the client's marks. */
export function decideCommands(
  {
    text,
    units,
    foreign,
    isAway,
  }: { text: string; units: readonly CommandUnit[]; foreign: readonly SaidText[]; isAway: boolean },
  { isOwnPlace, isOwnProgram }: Record<"isOwnPlace" | "isOwnProgram", (path: string) => boolean>,
): (OwnDecision | undefined)[] {
  const isEmptied = [...text.matchAll(EMPTIED)].some(([, name = ""]) => MARK.test(name));
  const isUnmarked = isAway || isEmptied || units.some(takesMarks);
  const copies = units.flatMap(copiesOfProgram);
  // `chmod -x "$(command -v heed)"`
  const places = new Set(units.flatMap(placeFound));
  return [
    ...units.flatMap((unit) => [
      decideProgram(unit.command, isUnmarked, isOwnPlace, copies),
      feedsHook(text, unit, isOwnProgram),
      endsHeed(unit) ||
      changedFiles(unit, undefined).some(
        ({ word }) => places.has(word.text) && unit.args.operands.includes(word),
      )
        ? aboveHeed("heed's program")
        : undefined,
      unit.text.split(";").some((text) => SETS_LASTING.test(text) && text.includes(" HEED_"))
        ? aboveHeed("a variable of later shells")
        : undefined,
    ]),
    ...foreign.map((said) => decideSaid(said, isUnmarked)),
  ];
}

function takesMarks({ command: { words } }: CommandUnit): boolean {
  const [name = "", ...rest] = words.flatMap(({ text }) => text.split(/\s+/));
  const has = (option: RegExp): boolean => rest.some((text) => option.test(text));
  const isMark = rest.some((text) => MARK.test(text) || text.includes(HOLE));
  if (name === "env") return has(/^-$|^-\w*i|^--ig/) || (isMark && has(/^-\w*u|^--un/));
  if (name === "exec") return has(/^-\w*c/);
  return (
    isMark && (name === "unset" || (/^(?:declare|typeset|local|export)$/.test(name) && has(/^\+\w*x|^-n/)))
  );
}

/**
 * What a JavaScript runtime may do with heed's program in a text that names it: feed a hook, by it as its script, before
 * it (`-r`, `NODE_OPTIONS`), in its code, or in a file that the same text wrote; or run what only the shell can name.
 */
function feedsHook(
  text: string,
  { command: { words, cwd }, args }: CommandUnit,
  isOwn: (path: string) => boolean,
): OwnDecision | undefined {
  const [runtime, ...given] = words.map((word) => word.text);
  if (!JS_RUNTIME.test(runtime ?? "")) return undefined;
  const named = text.match(/[\w./*?[\]@-]+/g)?.slice(0, MAX_NAMES) ?? [];
  const [script] = args.operands;
  const folder = absolutePath(script?.text.replace(/[^/]*$/, ".") ?? ".", cwd) ?? "";
  if (script && (script.isGlob === true || !isKnown(script)) && [folder, ...named].some(isOwn))
    return undecided("only the shell can tell which script runs");
  // `node heed.cjs search hook`: looked at as a command of heed's.
  if (PROGRAM.test(given[0] ?? "") || !/\b(?:hook|mcp)\b/.test(given.join(" "))) return undefined;
  const isHook = (word: string): boolean =>
    SCRIPTS.some((own) => word.endsWith("cjs") && mayMeet(word.slice(word.lastIndexOf("/") + 1), own));
  return named.some(isHook) ? fedBy("hook") : undefined;
}

/** Other names that a command gives to heed's program. */
function copiesOfProgram({ program, args: { operands } }: CommandUnit): string[] {
  const isCopied = /^(?:cp|ln|mv|install)$/.test(program) && operands.some((word) => PROGRAM.test(word.text));
  return isCopied ? [operands.at(-1)?.text.replace(/^.*\//, "") ?? ""] : [];
}

/** Whether a program takes heed away: `npm uninstall -g heed`, `claude plugin disable heed`, `pkill -f heed`. */
function endsHeed({ text, program, command: { words } }: CommandUnit): boolean {
  if (/^claude config (?:set|add|remove)\b/.test(text)) return true;
  if (KNOWN.has(program) && !/kill/.test(program)) return false;
  const isHeed = words.slice(1).some((word) => PROGRAM.test(word.text.replace(/(?<=\w)@[\w.^~-]*$/, "")));
  return isHeed && /\b(?:un\w+|disable|remove|rm|delete|r|\w*kill\w*)\b/.test(text);
}

/** How the place of heed's program reads behind a command that finds it: by its name, or unknown. */
function placeFound({ program, text }: CommandUnit): string[] {
  if (!text.endsWith(" heed")) return [];
  return /^(?:readlink|realpath|whereis|which|command|type)$/.test(program) ? [HOLE, "heed"] : [];
}

/** Whether words go to heed itself, or to one of its scripts: they were checked as its command. */
export function isForHeed({ program, text }: SaidText): boolean {
  return program === "heed" || (isOfScript(program, text) && PROGRAM.test(text.split(" ", 1)[0] ?? ""));
}

function isOfScript(program: string, text: string): boolean {
  return JS_RUNTIME.test(program) && !/(?:^|\s)(?:-[ep]|--eval|--print|eval)(?:\s|$)/.test(text);
}

/** Checks a command of heed's in the words or the input of another program. */
function decideSaid({ text, phrases, program, cwd }: SaidText, isUnmarked: boolean): OwnDecision | undefined {
  if (isOfScript(program, text)) return undefined;
  const tokens = text.split(/[^\w./@+~*%-]+/, 2000);
  const at = tokens.findIndex((token) => PROGRAM.test(token));
  const words = tokens.slice(at, at + 20).map(knownWord);
  // In a file's text only at the beginning of a line; never in commits and requests.
  const isAway =
    !/^(?:git|gh|glab|hub|curl)$/.test(program) && (text !== phrases || /^\s*\S*heed /m.test(text));
  return at < 0 ? undefined : decideProgram({ words, environment: [], route: [], cwd }, isUnmarked || isAway);
}

/** Only the client feeds a hook. */
function fedBy(command: string): OwnDecision {
  const reason = `heed ${command} is called by the client alone: what it is told counts as what the user did.`;
  return { action: "deny", reason };
}

/**
 * A command of heed's that only the client or a person may run. @param isAway whether it does not see the variables of
 * the client's shell.
 */
function decideProgram(
  { words, environment, route, cwd }: Pick<ShellCommand, "words" | "environment" | "route" | "cwd">,
  isAway: boolean,
  isOwnPlace: (path: string) => boolean = () => true,
  copies: readonly string[] = [],
): OwnDecision | undefined {
  const texts = words.map(({ text }) => text);
  const at = texts.findIndex(
    (text) => PROGRAM.test(text) || copies.some((name) => `/${text}`.endsWith(`/${name}`)),
  );
  if (at < 0 || (at > 0 && !JS_RUNTIME.test(texts[0] ?? ""))) return undefined;
  const placeBy = (names: readonly string[]): ShellWord | undefined =>
    names
      .map((name) => environment.findLast((one) => one.name === name)?.value)
      .find((value) => value !== undefined && value.text !== "");
  const isElsewhere = (value: ShellWord): boolean => {
    const path = isKnown(value) ? absolutePath(value.text, cwd) : undefined;
    return path === undefined || !isOwnPlace(path);
  };
  const [records, store] = [placeBy(RECORDS_BY), placeBy(STORE_BY)];
  const areRecordsMoved = records !== undefined && isElsewhere(records);
  // Somebody tries heed on separate memories.
  if (areRecordsMoved && store && isKnown(store) && isElsewhere(store)) return undefined;
  const given = texts.slice(at + 1);
  const own = texts[at]?.replace(/^.*\/|\.cjs$/g, "") ?? "";
  const [sub = own] = given.filter((text) => !text.startsWith("-") && !PROGRAM.test(text));
  const feeding = [own, sub].find((name) => name === "hook" || name === "mcp");
  if (sub.includes(HOLE)) return askUser("heed cannot tell which of its commands this runs");
  // The bundles below the launcher have no --help.
  if (own === "heed" && given.includes("--help")) return undefined;
  if (feeding !== undefined) return fedBy(feeding);
  if (areRecordsMoved)
    return askUser(`this runs heed ${sub} over the user's memories with other records of what they said`);
  const isMarked = !isAway && route.every((way) => SAME_SHELL.test(way));
  return !GIVES.test(sub) || isMarked
    ? undefined
    : askUser(`this runs heed ${sub} without the marks by which it tells a model's command from the user's`);
}

/** What heed does about a call that concerns the user's decisions. */
export interface OwnDecision {
  action: "deny" | "ask";
  reason: string;
}

const ASK_USER: string = "Only the user may decide that: ask them to run it in a terminal of their own.";

const askUser = (what: string): OwnDecision => ({ action: "ask", reason: `${what}. ${ASK_USER}` });

/** A command, by its text, that may write one of heed's folders. */
export const unsureOf = (path: string, by: string): OwnDecision =>
  askUser(
    `heed cannot tell whether ${by.replace(/ .*/s, "")} writes ${path}, where heed keeps its records and memories`,
  );

/** A call that cannot be read to its end. */
export const undecided = (why: string): OwnDecision =>
  askUser(`heed cannot tell whether this writes what it keeps of the user's word: ${why}`);

/** A change of what decides whether heed is asked at all. */
export const aboveHeed = (what: string): OwnDecision =>
  askUser(`this changes ${what}, by which heed is started and asked`);

/** A write to what heed alone writes. */
export function denied(path: string): OwnDecision {
  const reason = `${path} belongs to heed's records of what the user said and approved; a model does not write them. ${ASK_USER}`;
  return { action: "deny", reason };
}

/** A write to where memories lie. */
export function asked(what: string): OwnDecision {
  const reason = `this writes ${what} and passes heed by, which checks what becomes a memory. Use memory_write or memory_update; anything else there needs the user's word.`;
  return { action: "ask", reason };
}
