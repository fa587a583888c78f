import { execFileSync, spawn } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { type Heed, openHeed } from "../../src/heed.ts";
import { TemporaryHeed } from "../home/temporary-heed.ts";
import { MemoryModel } from "./memory-model.ts";
import type { Report } from "./memory-model.ts";
import { FAULT_PRELOAD, workerBundle } from "./worker-bundle.ts";
import type { SeededWords } from "./seeded-words.ts";

/** What a process of the torture is to do. */
export interface WorkerTask {
  cwd: string;
  /** Stands in all names that it gives. */
  worker: string;
  seed: number;
  operations: number;
  /** Memories that it makes first. */
  prepared: number;
  mix: "mixed" | "write" | "merge" | "tidy" | "undo" | "read" | "reindex";
  stores: readonly ("user" | "project")[];
  /** Where a merge goes to; without one there is none. */
  remote?: string;
}

/** What is to go wrong under it. */
export interface Fault {
  /** Which call, counted from 1; none only counts. */
  at?: number;
  /** `KILL`, or the code of the error. */
  code?: string;
  /** All later calls fail as well. */
  isSticky?: boolean;
  /** Calls that change something, or all. */
  kind: "changing" | "any";
}

/** How a worker is started. */
export interface WorkerStart {
  task: Omit<WorkerTask, "cwd" | "remote">;
  /** Merges go to the remote of the home. */
  hasRemote?: boolean;
  fault?: Fault;
  /** Variables that differ from the home's. */
  env?: Readonly<Record<string, string>>;
  cwd?: string;
}

/** What became of a worker. */
export interface WorkerEnd {
  reports: Report[];
  /** Undefined when it was killed. */
  exitCode: number | undefined;
  /** Calls of the file system that it made while faults were armed. */
  calls: number;
  stderr: string;
}

/** A worker that runs longer than this hangs, in milliseconds: many times what the largest run takes on a busy machine. */
const WORKER_MS = 3_600_000;

/** A home with a user store, a repository with a project store, and a remote, all in one folder. */
export class TortureHome extends TemporaryHeed {
  readonly remote: string = join(this.folder, "remote.git");
  readonly model: MemoryModel = new MemoryModel();
  #serial = 0;

  constructor() {
    super({ PATH: process.env["PATH"] ?? "" });
    mkdirSync(this.remote);
    this.gitIn(this.remote, "init", "-q", "--bare", "--template=", "-b", "main");
  }

  async prepare(): Promise<this> {
    const heed = this.open();
    await heed.setup.init("user");
    await heed.setup.init("project");
    await heed.close();
    return this;
  }

  /** With the clock of the machine, which the workers have too. */
  override open(env: Readonly<Record<string, string>> = {}): Heed {
    return openHeed({ cwd: this.project, env: { ...this.env, ...env } });
  }

  gitIn(cwd: string, ...args: string[]): string {
    return execFileSync("git", args, { cwd, env: this.env, encoding: "utf8", stdio: "pipe" });
  }

  /** A name for a worker that none had before. */
  nextWorker(): string {
    return `w${(this.#serial += 1)}`;
  }

  /** So many operations of all kinds on both stores, unless told otherwise. */
  task(random: SeededWords, operations: number, more: Partial<WorkerTask> = {}): WorkerStart["task"] {
    return {
      worker: this.nextWorker(),
      seed: random.below(2 ** 31),
      operations: Math.ceil(operations),
      prepared: 2,
      mix: "mixed",
      stores: ["user", "project"],
      ...more,
    };
  }

  /** Starts a worker and waits for its end; what it reported goes into the model. */
  async run(start: WorkerStart): Promise<WorkerEnd> {
    const task: WorkerTask = {
      ...start.task,
      cwd: start.cwd ?? this.project,
      ...(start.hasRemote === true && { remote: this.remote }),
    };
    const preload = start.fault ? ["--require", FAULT_PRELOAD] : [];
    const child = spawn(process.execPath, [...preload, await workerBundle(), JSON.stringify(task)], {
      stdio: ["ignore", "pipe", "pipe"],
      env: {
        ...this.env,
        ...start.env,
        HEED_FAULT_ROOT: this.folder,
        ...(start.fault && { HEED_FAULT: JSON.stringify(start.fault) }),
      },
      timeout: WORKER_MS,
      killSignal: "SIGKILL",
    });
    const reports: Report[] = [];
    let stderr = "";
    child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
    createInterface({ input: child.stdout }).on("line", (line) => {
      reports.push(JSON.parse(line) as Report);
    });
    const exitCode = await new Promise<number | undefined>((resolve, reject) => {
      child.once("error", reject);
      child.once("close", (code) => resolve(code ?? undefined));
    });
    this.model.take(reports, start.fault?.code !== undefined && start.fault.code !== "KILL");
    const counted = reports.find((report) => report.kind === "counted");
    return { reports, exitCode, stderr, calls: counted?.calls ?? 0 };
  }
}
