import { slugOf } from "../../memory/slug.ts";
import type { MemoryDraft } from "../../memory/memory-draft.ts";
import { errorSignature } from "../text/error-line.ts";
import { isHookMessage } from "./is-worth-keeping.ts";
import { oneLine } from "../text/one-line.ts";
import type { Attempt, Struggle } from "./struggle.ts";

/** A won struggle as a memory. */
export interface SolutionDraft {
  /** Told by it when it is seen again: the program or tool and the symptom without paths, numbers and names. */
  signature: string;
  draft: MemoryDraft;
}

/** Stands where nobody said why it worked: none is made up. */
const NO_REASON = "not known: nobody said why it works.";

/** A struggle as a solution memory, provisional until it has helped. */
export function draftOfStruggle(struggle: Struggle): SolutionDraft {
  const { failed, solution, reason, hasEdits, isSaid } = struggle;
  const first = failed[0];
  const symptom = first?.error ?? "";
  const doer = doerOf(first ?? solution);
  const signature = `${doer}: ${errorSignature(symptom)}`;
  const changed = hasEdits ? "change the files as the message asks, then " : "";
  const description = oneLine(`${doer}: "${symptom}" - what worked: ${changed}${shown(solution)}`, 200);
  return {
    signature,
    draft: {
      type: "solution",
      name: nameOf(doer, symptom),
      description,
      body: [
        isSaid === true
          ? `**Symptom:** ${doer} does not do what is wanted: ${symptom}`
          : `**Symptom:** ${doer} answers: ${inline(symptom)}`,
        "",
        "**Failed:**",
        "",
        ...failed.map(
          (attempt) => `- tried ${inline(oneLine(attempt.what, 240))}; failed, because: ${attempt.error}`,
        ),
        "",
        `**Solution:** ${changed}${inline(oneLine(solution.what, 400))}${solution.tool === first?.tool ? "" : ` (with ${solution.tool})`}`,
        "",
        `**Why:** ${(reason ?? "") === "" ? NO_REASON : reason}`,
        "",
        `**How to apply:** when ${doer} fails like this, do what worked instead of trying the same again.`,
      ].join("\n"),
      trigger: triggersOf(doer, symptom),
      tags: [],
      status: "provisional",
      confidence: "medium",
      source: "observed",
    },
  };
}

function shown(attempt: Attempt): string {
  return attempt.programs.length > 0
    ? oneLine(attempt.what, 90)
    : `${attempt.tool} ${oneLine(attempt.what, 60)}`;
}

const BY_SHELL = /no matches found|bad math expression|read-only variable|bad substitution|parse error near/i;

/** The tool or program that failed. */
function doerOf(attempt: Attempt): string {
  const missing = /command not found: ([\w.+-]+)|(?<![\w)])([a-z][\w.+-]*): (?:command )?not found/i.exec(
    attempt.error,
  );
  const named = missing?.[1] ?? missing?.[2];
  const first = (program: string): string => program.split(" ")[0] ?? program;
  if (named !== undefined && attempt.programs.some((program) => first(program) === named)) return named;
  if (attempt.programs.length > 0 && BY_SHELL.test(attempt.error)) return "shell";
  const doers = attempt.programs.filter((one) => !SIDE_SHOW.test(one));
  // A hook speaks when something is committed or pushed, whatever stood before it on the line.
  const hooked = doers.find((one) => /^git (?:commit|push)$/.test(one));
  if (hooked !== undefined && isHookMessage(attempt.error)) return hooked;
  return doers[0] ?? attempt.programs[0] ?? attempt.tool.replace(/^mcp__/, "").replaceAll("__", " ");
}

const SIDE_SHOW = /^(?:cd|source|export|set|echo|printf|mkdir|ls|cat|sleep|wc|head|tail)$/;

function nameOf(doer: string, symptom: string): string {
  const words = slugOf(errorSignature(symptom).replace(/<\w+>/g, " ")).split("-").slice(0, 6).join("-");
  return slugOf(`${doer} ${words}`).slice(0, 60).replace(/-+$/, "");
}

const COMMON = new Set(
  "the a an is are was be to of in on at for and or not no with from by it this that error errors failed failure file line code status exit directory such can cannot could unable your you has have".split(
    " ",
  ),
);

/** Words by which the symptom is recognised: the program, codes, and the rare words of the message. */
function triggersOf(doer: string, symptom: string): string[] {
  const told = symptom.replace(
    /(?:[A-Za-z]:)?(?:[~.]{0,2}[\\/])[\w.@~<>*\\/-]+|\[(?:context|expected)[^\]]*\]?|\([^)]*\):?\d*:?/gi,
    " ",
  );
  const codes =
    told.match(
      /\b(?:[A-Z]{1,6}\d{3,5}|E[A-Z]{4,12}|ERR_[A-Z_]+|(?<=(?:[Ss]tatus|[Cc]ode|HTTP)\D{0,12})\d{3})\b/g,
    ) ?? [];
  const words = (told.match(/[\p{L}][\p{L}\p{N}_-]{3,30}/gu) ?? []).filter(
    (word) => !COMMON.has(word.toLowerCase()),
  );
  return [...new Set([...doer.split(" "), ...codes, ...words].map((word) => word.toLowerCase()))].slice(0, 8);
}

function inline(text: string): string {
  const ticks = text.includes("`") ? "``" : "`";
  return `${ticks}${text}${ticks}`;
}
