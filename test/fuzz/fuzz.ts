import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createHash } from "node:crypto";
import * as fc from "fast-check";
import type { FuzzTarget } from "./fuzz-target.ts";
import { claims } from "./targets/claims.ts";
import { codec } from "./targets/codec.ts";
import { fences } from "./targets/fences.ts";
import { gitNames } from "./targets/git-names.ts";
import { guards, shell, toolInput } from "./targets/guards.ts";
import { hookInput } from "./targets/hook-input.ts";
import { mcpMessages } from "./targets/mcp-messages.ts";
import { shown } from "./targets/shown.ts";
import { sentences } from "./targets/sentences.ts";
import { transcripts } from "./targets/transcripts.ts";

/** Everything that reads what anybody may have written. */
export const TARGETS: readonly FuzzTarget[] = [
  codec,
  claims,
  guards,
  toolInput,
  shell,
  transcripts,
  hookInput,
  fences,
  mcpMessages,
  gitNames,
  sentences,
  shown,
];

/** What was tried of one target, and the case that broke something, as small as it could be made. */
interface FuzzFigure {
  cases: number;
  /** The most CPU that one case took, in milliseconds. */
  slowestMs: number;
  failure?: { input: string; why: string };
}

/** Texts that trouble readers of any kind. */
const NASTY = [
  "9".repeat(40),
  ...(
    "¦ ¦\n¦\r\n¦\t¦\0¦\uFEFF¦\u200B¦\u202E¦\u2028¦\uD800¦\uDFFF¦é¦𝕏¦ﬁ¦<¦>¦</¦&lt;¦\"¦'¦\\¦`¦```¦" +
    "---¦...¦:¦: ¦#¦ #¦- ¦? ¦&a¦*a¦!!js¦[¦]¦{¦}¦(¦)¦$(¦${¦|¦;¦,¦%¦~¦/¦../¦*¦**¦=¦0¦-1¦1e999¦NaN¦" +
    "null¦true¦__proto__¦constructor¦toString¦2026-03-05"
  ).split("¦"),
];
const MAX_CHARS = 40_000;

/** A known text, cut, joined with others, with nasty pieces and words put in, once or many times. */
function mutated({ words }: FuzzTarget, pool: readonly string[]): fc.Arbitrary<string> {
  const known = fc.constantFrom(...pool);
  const piece = fc.oneof(fc.constantFrom(...NASTY), fc.constantFrom(...words));
  const put = fc.oneof(
    { weight: 8, arbitrary: piece },
    { weight: 2, arbitrary: fc.tuple(piece, fc.nat(400)).map(([text, times]) => text.repeat(times)) },
    { weight: 1, arbitrary: fc.tuple(known, fc.double({ noNaN: true, min: 0, max: 1 })).map(tailOf) },
    { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 3 }) },
  );
  const edit = fc.tuple(fc.nat(MAX_CHARS), fc.nat(40), put);
  return fc.tuple(known, fc.array(edit, { maxLength: 6 })).map(([start, edits]) =>
    edits
      .reduce((text, [from, cut, added]) => {
        const at = from % (text.length + 1);
        return text.slice(0, at) + added + text.slice(at + cut);
      }, start)
      .slice(0, MAX_CHARS),
  );
}

const tailOf = ([text, share]: [string, number]): string => text.slice(Math.floor(text.length * share));

/** Tries a target for a time, or for a number of cases; with the same seed it tries the same cases in the same order. */
export async function fuzz(
  target: FuzzTarget,
  corpus: readonly string[],
  { seed, forMs, maxCases }: { seed: number; forMs?: number; maxCases: number },
): Promise<FuzzFigure> {
  const pool = [...target.seeds, ...corpus];
  const figure: FuzzFigure = { cases: 0, slowestMs: 0 };
  let last: Promise<void> | undefined;
  const tried = async (input: string): Promise<void> => {
    const before = process.cpuUsage();
    const why = await whyFailed(target, input);
    figure.cases += 1;
    figure.slowestMs = Math.max(figure.slowestMs, cpuMsSince(before));
    if (why === undefined) return;
    figure.failure = { input, why };
    throw new Error(why);
  };
  const property = fc.asyncProperty(target.made ?? mutated(target, pool), (input) => (last = tried(input)));
  await fc.check(property, {
    seed,
    numRuns: maxCases,
    examples: pool.map((input): [string] => [input]).slice(0, maxCases),
    endOnFailure: target.made !== undefined,
    ...(forMs !== undefined && { interruptAfterTimeLimit: forMs }),
  });
  // At the end of its time a check leaves a case running.
  await last?.catch(() => undefined);
  return figure;
}

/** CPU that this process took, in milliseconds: a clock would also count what else the machine does. */
function cpuMsSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

/** Why a case fails, or undefined. Slowness is tried again: code may have been compiled. */
export async function whyFailed(target: FuzzTarget, input: string): Promise<string | undefined> {
  const maxMs = target.maxMs ?? 2_000;
  for (let attempt = 1; ; attempt++) {
    const before = process.cpuUsage();
    try {
      await target.check(input);
    } catch (error) {
      return error instanceof Error
        ? `${error.name}: ${error.message}\n${(error.stack ?? "").split("\n")[1] ?? ""}`
        : String(error);
    }
    const tookMs = cpuMsSince(before);
    if (tookMs <= maxMs) return undefined;
    if (attempt === 3) return `took ${Math.round(tookMs)} ms of CPU, ${maxMs} at most`;
  }
}

/** One found case a file, as JSON text, so that no editor and no git changes a byte of it. */
export function readCorpus(folder: string, target: string): string[] {
  try {
    const names = readdirSync(join(folder, target)).sort();
    return names.map((file) => JSON.parse(readFileSync(join(folder, target, file), "utf8")) as string);
  } catch {
    return [];
  }
}

/** Keeps a found case; its name is made from it. Returns the path. */
export function keepCase(folder: string, target: string, input: string): string {
  const name = `${createHash("sha256").update(input).digest("hex").slice(0, 12)}.json`;
  mkdirSync(join(folder, target), { recursive: true });
  const file = join(folder, target, name);
  writeFileSync(file, `${JSON.stringify(input)}\n`);
  return file;
}
