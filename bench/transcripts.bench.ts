import { closeSync, existsSync, openSync, readdirSync, readSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { parseArgs } from "node:util";
import { isWorthRecording, renderEpisode } from "../src/capture/episode/render-episode.ts";
import { foldEvent } from "../src/capture/fold-event.ts";
import { emptyDigest } from "../src/capture/digest/session-digest.ts";
import { draftOfStruggle } from "../src/capture/solutions/draft-of-struggle.ts";
import { isWorthKeeping } from "../src/capture/solutions/is-worth-keeping.ts";
import type { Struggle } from "../src/capture/solutions/struggle.ts";
import { LineSplitter } from "../src/capture/transcript/line-splitter.ts";
import { TranscriptReader } from "../src/capture/transcript/transcript-reader.ts";
import type { Figure } from "./figure.ts";
import { readJsonLines } from "./json-lines.ts";
import { exactInterval, median } from "./statistics.ts";

const ROUNDS = 7;
const CHUNK_BYTES = 256 * 1024;

/** A struggle that a person found in a session. */
interface LabelledStruggle {
  session: string;
  /** Commands or inputs that failed. */
  failing: string[];
  isDurable: boolean;
}

/**
 * Reads real transcripts: throughput and memory, CPU time against reading the lines and parsing the JSON alone, the
 * episodes built, and how many of the labelled struggles are found. `--list` prints every solution that would be saved.
 */
export async function run(args: string[]): Promise<Figure[]> {
  const { values } = parseArgs({ args, options: { data: { type: "string" }, list: { type: "boolean" } } });
  if (values.data === undefined) throw new Error("give --data DIR, a folder with sessions/*.jsonl");
  const folder = join(values.data, "sessions");
  const files = existsSync(folder)
    ? readdirSync(folder, { recursive: true, encoding: "utf8" })
        .filter((name) => name.endsWith(".jsonl"))
        .sort()
        .map((name) => join(folder, name))
    : [];
  if (files.length === 0) throw new Error(`no transcripts (*.jsonl) below ${folder}`);
  const bytes = files.reduce((sum, file) => sum + statSync(file).size, 0);
  const plain = (): void => files.forEach(parseOnly);
  const read = (): void => files.forEach((file) => readThrough(file, new TranscriptReader(() => undefined)));
  const whole = (): void => files.forEach((file) => void digestOf(file));
  for (const warmUp of [plain, read, whole]) warmUp();
  const times = Array.from({ length: ROUNDS }, () => [plain, read, whole].map(cpuMs));
  const [plainMs = 0, readMs = 0, wholeMs = 0] = [0, 1, 2].map((i) =>
    median(times.map((round) => round[i] ?? 0)),
  );
  const found = files.map((file) => ({ file, ...digestOf(file) }));
  const saved = found.flatMap(({ file, won }) =>
    won.filter(isWorthKeeping).map((struggle) => ({ file, struggle })),
  );
  if (values.list) for (const { file, struggle } of saved) printSolution(file, struggle);
  const labelled = readLabels(values.data);
  const durable = labelled.filter(({ isDurable }) => isDurable);
  const isFound = (label: LabelledStruggle): boolean =>
    saved.some(({ file, struggle }) => basename(file) === label.session && isSame(struggle, label));
  const hits = durable.filter(isFound).length;
  const unlabelled = saved.filter(
    ({ file, struggle }) =>
      !durable.some((label) => basename(file) === label.session && isSame(struggle, label)),
  ).length;
  return [
    {
      name: "cpu_ratio",
      value: readMs / plainMs,
      unit: "ratio",
      n: ROUNDS,
      note: "reading into events, against lines + JSON.parse",
    },
    {
      name: "capture_cpu_ratio",
      value: wholeMs / plainMs,
      unit: "ratio",
      n: ROUNDS,
      note: "the same with the digest: episode, cues, struggles",
    },
    { name: "mb_per_s", value: bytes / 1e6 / (wholeMs / 1000), unit: "MB/s", n: files.length },
    { name: "peak_rss_mb", value: process.resourceUsage().maxRSS / 1024, unit: "MB", n: 1 },
    { name: "sessions", value: files.length, unit: "count", n: files.length },
    {
      name: "episodes",
      value: found.filter(({ episode }) => episode !== "").length,
      unit: "count",
      n: files.length,
    },
    {
      name: "lost_lines",
      value: found.reduce((sum, { lostLines }) => sum + lostLines, 0),
      unit: "count",
      n: files.length,
    },
    {
      name: "struggle_recall",
      value: durable.length === 0 ? null : hits / durable.length,
      unit: "rate",
      n: durable.length,
      ci95: exactInterval(hits, durable.length),
    },
    { name: "struggles_found", value: saved.length, unit: "count", n: files.length },
    {
      name: "struggles_unlabelled",
      value: unlabelled,
      unit: "count",
      n: saved.length,
      note: "found and not among the durable labels: look at them with --list",
    },
  ];
}

function eachChunk(file: string, push: (chunk: Buffer) => void): void {
  const handle = openSync(file, "r");
  const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  for (let length = readSync(handle, chunk); length > 0; length = readSync(handle, chunk))
    push(chunk.subarray(0, length));
  closeSync(handle);
}

function parseOnly(file: string): void {
  const splitter = new LineSplitter((line) => {
    try {
      JSON.parse(line.toString("utf8"));
    } catch {
      // A broken line, as in the reader.
    }
  });
  eachChunk(file, (chunk) => splitter.push(chunk));
}

function readThrough(file: string, reader: TranscriptReader): void {
  eachChunk(file, (chunk) => reader.push(chunk));
}

function digestOf(file: string): { won: Struggle[]; episode: string; lostLines: number } {
  const digest = emptyDigest();
  const reader = new TranscriptReader((event) => foldEvent(digest, event));
  readThrough(file, reader);
  const episode = isWorthRecording(digest) ? renderEpisode(digest) : "";
  return { won: digest.won, episode, lostLines: reader.lostLines };
}

function cpuMs(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

function printSolution(file: string, struggle: Struggle): void {
  const { draft } = draftOfStruggle(struggle);
  console.log(
    `--- ${basename(file).slice(0, 60)}\n${draft.name}  [${(draft.trigger ?? []).join(", ")}]\n${draft.body}\n`,
  );
}

function readLabels(folder: string): LabelledStruggle[] {
  return readJsonLines<Record<string, unknown>>(join(folder, "episodes.jsonl")).map((label) => ({
    session: basename(typeof label["session_file"] === "string" ? label["session_file"] : ""),
    failing: (Array.isArray(label["failing"]) ? (label["failing"] as Record<string, unknown>[]) : []).map(
      ({ input }) => (typeof input === "string" ? input : JSON.stringify(input ?? "")),
    ),
    isDurable: label["durable"] === true,
  }));
}

/** The same struggle when one of its failed calls is one of those labelled. */
function isSame({ failed }: Struggle, label: LabelledStruggle): boolean {
  const fold = (text: string): string => text.replace(/[\s"\\{}]+/g, "").slice(0, 60);
  return failed.some(({ what }) =>
    label.failing.some(
      (failing) =>
        fold(failing) !== "" &&
        (fold(what).startsWith(fold(failing).slice(0, 40)) ||
          fold(failing).startsWith(fold(what).slice(0, 40))),
    ),
  );
}
