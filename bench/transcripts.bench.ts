import { closeSync, existsSync, openSync, readdirSync, readSync, statSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { isWorthRecording, renderEpisode } from "../src/capture/render-episode.ts";
import { foldEvent } from "../src/capture/fold-event.ts";
import { emptySummary } from "../src/capture/session-summary.ts";
import { LineSplitter } from "../src/capture/transcript/line-splitter.ts";
import { TranscriptReader } from "../src/capture/transcript/transcript-reader.ts";
import type { Figure } from "./figure.ts";
import { median } from "./statistics.ts";

const ROUNDS = 7;
const CHUNK_BYTES = 256 * 1024;

/**
 * Reads real transcripts: throughput and memory, CPU time against reading the lines and parsing the JSON alone, and the
 * episodes built. `--list` prints them.
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
  if (values.list) for (const { file, episode } of found) console.log(`--- ${file}\n${episode}\n`);
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
      note: "the same with the digest and the episode",
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

function digestOf(file: string): { episode: string; lostLines: number } {
  const digest = emptySummary();
  const reader = new TranscriptReader((event) => foldEvent(digest, event));
  readThrough(file, reader);
  const episode = isWorthRecording(digest) ? renderEpisode(digest) : "";
  return { episode, lostLines: reader.lostLines };
}

function cpuMs(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
