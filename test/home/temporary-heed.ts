import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, isAbsolute, join, relative } from "node:path";
import { afterAll, afterEach, beforeEach } from "vitest";
import type { CaptureReport, EventAnswer, Heed, SessionEvent } from "../../src/heed.ts";
import { openHeed } from "../../src/heed.ts";
import { recordSession } from "../../src/here/records/session-state.ts";
import { findGitDirectory, readHead } from "../../src/machine/git-directory.ts";
import { type Places, findPlaces } from "../../src/machine/places.ts";
import { readStoreConfig, stateOfStore } from "../../src/store/config/store-config.ts";
import { approvalsFile, approveOwnChange } from "../../src/store/consent.ts";
import { TypeTable } from "../../src/memory/memory-type.ts";
import { SessionWriter } from "../past/session-writer.ts";

/** A memory as a person would write it by hand. */
export interface HandWritten {
  type: string;
  name: string;
  statement: string;
  body?: string;
  /** Further lines of `metadata`, as YAML. */
  metadata?: readonly string[];
}

/** Tests run beside others on a busy machine: what they show is not how fast an event is answered. */
const EVENT_DEADLINE_MS = 15_000;

type WithoutBase<T> = T extends unknown ? Omit<T, "session" | "cwd" | "client"> : never;
/** An event without what is the same for all of a test. */
export type EventPart = WithoutBase<SessionEvent> & { session?: string; cwd?: string; client?: string };

/** A home, a repository and heed over both, in a folder of its own. */
export class TemporaryHeed {
  readonly #given: Record<string, string>;
  folder!: string;
  home!: string;
  project!: string;
  userStore!: string;
  state!: string;
  env!: Record<string, string>;
  /** The clock: an ISO time. */
  now!: string;
  /** What the test lays into the user's store comes as approved: until the first session. */
  #isApproving = false;
  #heed: Heed | undefined;

  constructor(env: Record<string, string> = {}, isForEachTest = false) {
    this.#given = env;
    if (!isForEachTest) this.#begin();
  }

  /** One for a file of tests, or a group of them: each test finds it empty, in a folder of its own. */
  static forEachTest(env: Record<string, string> = {}): TemporaryHeed {
    const place = new TemporaryHeed(env, true);
    beforeEach(() => place.#begin());
    afterEach(() => place.remove());
    return place;
  }

  /**
   * The same, prepared once: each test works on a copy, in a folder of its own. Memories that it is to hold need a scope
   * that does not follow from the folder: a remote, or everywhere.
   */
  static prepared(
    prepare: (place: TemporaryHeed) => Promise<unknown>,
    env?: Record<string, string>,
  ): TemporaryHeed {
    const place = TemporaryHeed.forEachTest(env);
    let template: TemporaryHeed | undefined;
    beforeEach(async () => {
      if (!template) {
        template = new TemporaryHeed(env);
        await prepare(template);
        await template.heed.close();
      }
      place.#copy(template);
    });
    afterAll(() => template?.remove());
    return place;
  }

  /** The same, with the user's own store made. */
  static withUserStore(env?: Record<string, string>): TemporaryHeed {
    return TemporaryHeed.prepared((place) => place.heed.setup.init("user"), env);
  }

  /** Takes over what another one has, with the names and texts that follow from its folder. */
  #copy(from: TemporaryHeed): void {
    for (const part of ["home", "project"])
      cpSync(join(from.folder, part), join(this.folder, part), { recursive: true, preserveTimestamps: true });
    const stateOf = ({ env, userStore }: TemporaryHeed): string =>
      stateOfStore(findPlaces(env), userStore).folder;
    const copied = join(this.state, "stores", basename(stateOf(from)));
    if (existsSync(copied)) renameSync(copied, stateOf(this));
    for (const name of readdirSync(this.state, { recursive: true, encoding: "utf8" })) {
      if (!/\.(?:jsonl?|kept)$/.test(name)) continue;
      const file = join(this.state, name);
      const text = readFileSync(file, "utf8");
      if (text.includes(from.folder)) writeFileSync(file, text.replaceAll(from.folder, this.folder));
    }
    // What is known of a repository by its inode is learnt again.
    for (const name of ["repositories.json", "repositories.json.kept"])
      rmSync(join(this.state, name), { force: true });
    this.now = from.now;
  }

  #begin(): void {
    this.folder = realpathSync(mkdtempSync(join(tmpdir(), "heed-")));
    this.home = join(this.folder, "home");
    this.project = join(this.folder, "project");
    this.userStore = join(this.home, "memory");
    this.state = join(this.home, "state");
    this.now = "2026-11-21T12:00:00Z";
    this.env = {
      HOME: this.home,
      HEED_DIR: this.userStore,
      HEED_STATE_DIR: this.state,
      HEED_CACHE_DIR: join(this.home, "cache"),
      // A busy machine does not change what a test sees.
      HEED_RECHECK_MS: "5000",
      HEED_CONFIG_DIR: join(this.home, "config"),
      ...this.#given,
    };
    this.#heed = undefined;
    this.#isApproving = false;
    initRepository(this.project);
  }

  get heed(): Heed {
    return (this.#heed ??= this.open());
  }

  /** The organisation's policy; there is none until a test writes one. */
  get policy(): string {
    return join(this.folder, "policy.yaml");
  }

  /** Another heed over the same folders, as another process has it. */
  open(env: Record<string, string> = {}): Heed {
    const { policy } = this;
    return openHeed({
      cwd: this.project,
      env: { ...this.env, ...env },
      now: () => new Date(this.now),
      policy,
    });
  }

  git(...args: string[]): string {
    const who = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org"];
    return execFileSync("git", [...who, ...args], { cwd: this.project, encoding: "utf8" });
  }

  /** Writes files of the project, removes those that are null, and commits all that is there. */
  commit(files: Readonly<Record<string, string | null>> = {}, message = "change"): string {
    for (const [path, text] of Object.entries(files))
      if (text === null) rmSync(join(this.project, path), { recursive: true });
      else this.write(path, text);
    this.git("add", "-A");
    this.git("commit", "-q", "--allow-empty", "-m", message);
    return commitAt(this.project);
  }

  /** Makes the project one that is known by its origin, as `git remote add` does. */
  addOrigin(url: string): void {
    this.configure(`[remote "origin"]\n\turl = ${url}\n\tfetch = +refs/heads/*:refs/remotes/origin/*\n`);
  }

  /** Adds to the configuration of the project's repository: without a process. */
  configure(text: string): void {
    appendFileSync(join(this.project, ".git/config"), text);
  }

  /** Writes a file under the project, or at an absolute path; returns its path. */
  write(path: string, text: string): string {
    const file = isAbsolute(path) ? path : join(this.project, path);
    const isUsers = file.startsWith(`${this.userStore}/`);
    if (isUsers && makeStore(this.userStore, this.env["HEED_STATE_DIR"])) this.#isApproving = true;
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(file, text);
    if (isUsers && this.#isApproving) approveLaid(this.userStore, file, this.env["HEED_STATE_DIR"]);
    return file;
  }

  remember(...memories: readonly HandWritten[]): string[] {
    return memories.map((memory) =>
      this.write(join(this.userStore, memory.type, `${memory.name}.md`), memoryFile(memory)),
    );
  }

  /** Sends an event of session `s1` in the project, and begins what it leaves to do; another heed may answer it. */
  async event(part: EventPart, heed: Heed = this.heed): Promise<EventAnswer> {
    if (part.kind === "session-start") this.#isApproving = false;
    const event = { session: "s1", cwd: this.project, client: "test", ...part };
    const answer = await heed.session.answer(event, { deadlineMs: EVENT_DEADLINE_MS });
    await new Promise((resolve) => setImmediate(resolve));
    return answer;
  }

  /** How a session begins: what model and user are told. */
  begin(session = "s1", more: object = {}, heed: Heed = this.heed): Promise<EventAnswer> {
    return this.event({ kind: "session-start", source: "startup", session, ...more }, heed);
  }

  /** A call of the shell. */
  shell(command: string, more: object = {}, heed: Heed = this.heed): Promise<EventAnswer> {
    return this.event({ kind: "tool-use", tool: "Bash", input: { command }, ...more }, heed);
  }

  /** Where Claude Code keeps its own memory of a project. */
  clientMemory(project: string = this.project): string {
    const name = project.replaceAll(/[^A-Za-z0-9]/g, "-");
    return join(this.home, ".claude/projects", name, "memory");
  }

  /** A transcript where Claude Code keeps it, begun at ten. */
  conversation(session: string, day: string, cwd: string = this.project): SessionWriter {
    const file = join(this.home, ".claude/projects/p", `${session}.jsonl`);
    return new SessionWriter(file, { session, cwd, now: `${day}T10:00:00Z` });
  }

  async start(
    session = "s1",
    source: "startup" | "resume" | "clear" | "compact" | "fork" = "startup",
  ): Promise<string> {
    return (await this.event({ kind: "session-start", source, session })).context ?? "";
  }

  /** Makes a session one whose context was opened, with nothing in it: what an event brings then comes alone. */
  opened(session = "s1"): void {
    recordSession(findPlaces(this.env), session, [
      { kind: "injected", time: this.now, isBlock: true, chars: 0, memories: [] },
    ]);
  }

  async prompt(prompt: string, session = "s1"): Promise<string> {
    return (await this.event({ kind: "prompt", prompt, session })).context ?? "";
  }

  /** The user types, a minute after what was before; what heed tells them. */
  async say(prompt: string, session = "session-1"): Promise<string> {
    this.now = new Date(Date.parse(this.now) + 60_000).toISOString();
    return (await this.event({ kind: "prompt", prompt, session })).notice ?? "";
  }

  /** A transcript, as Claude Code writes it. */
  transcript(
    session: string,
    { now = "2026-11-21T11:00:00Z", cwd = this.project }: { now?: string; cwd?: string | undefined } = {},
  ): SessionWriter {
    return new SessionWriter(join(this.home, "projects", `${session}.jsonl`), { session, cwd, now });
  }

  /** A client tells how a turn or a session ends, and what was recorded of it is captured. */
  async endsWith(
    { session, file, cwd = this.project }: { session: string; file: string; cwd?: string },
    kind: "stop" | "compaction" | "session-end" = "session-end",
  ): Promise<CaptureReport> {
    const more = { stop: { lastMessage: undefined }, compaction: {}, "session-end": { reason: "other" } }[
      kind
    ];
    await this.event({ kind, session, cwd, transcriptPath: file, ...more } as EventPart);
    return this.heed.learning.capture();
  }

  async remove(): Promise<void> {
    if (this.#heed !== undefined && existsSync(this.userStore)) keepUncommitted(this.userStore);
    await this.#heed?.close();
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 10 });
  }
}

/** Has closing leave a store's last changes uncommitted, by a detached head: nobody looks at it any more. */
export function keepUncommitted(userStore: string): void {
  mkdirSync(join(userStore, ".git"), { recursive: true });
  writeFileSync(join(userStore, ".git/HEAD"), `${"0".repeat(40)}\n`);
}

/** The commit at hand, read without a process. */
export function commitAt(folder: string): string {
  const directory = findGitDirectory(folder);
  return (directory && readHead(directory).commit) ?? "";
}

/** An empty repository on `main`, as `git init` makes it: without a process, and without samples of hooks. */
export function initRepository(root: string): void {
  for (const folder of ["objects/info", "objects/pack", "refs/heads", "refs/tags"])
    mkdirSync(join(root, ".git", folder), { recursive: true });
  writeFileSync(join(root, ".git/HEAD"), "ref: refs/heads/main\n");
  writeFileSync(
    join(root, ".git/config"),
    "[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = false\n\tlogallrefupdates = true\n",
  );
}

/** Makes a folder of files a store of the user's where none is known: what lies in any other waits for a look. */
export function makeStore(root: string, state: string = join(dirname(root), "state")): boolean {
  mkdirSync(root, { recursive: true, mode: 0o700 });
  const [config, registry] = [join(root, "config.yaml"), join(state, "stores.json")];
  if (!existsSync(config)) writeFileSync(config, "# made by a test\n");
  if (existsSync(registry)) return false;
  mkdirSync(state, { recursive: true, mode: 0o700 });
  const known = { version: 1, trusted: { user: [realpathSync(root)] }, attached: [] };
  writeFileSync(registry, JSON.stringify(known));
  const approvals = approvalsFile(stateOfStore({ state } as Places, root));
  mkdirSync(dirname(approvals), { recursive: true, mode: 0o700 });
  writeFileSync(approvals, '{"format":1,"rules":{}}');
  return true;
}

/** Approves a rule whose file was laid into the user's store, as if it had been written through heed. */
export function approveLaid(root: string, path: string, state: string = join(dirname(root), "state")): void {
  const places = { state } as Places;
  const { id = "user", types } = readStoreConfig(root, places);
  const ref = { id, kind: "user", root, isTrusted: true, isReadOnly: false } as const;
  const file = relative(root, path);
  approveOwnChange(
    { ref, state: stateOfStore(places, root), types: new TypeTable(types) },
    { files: [{ file, before: null, after: readFileSync(path, "utf8") }], actor: { kind: "person" } },
  );
}

/** The text of a memory's file. */
export function memoryFile({ type, name, statement, body, metadata = [] }: HandWritten): string {
  const created = metadata.find((line) => line.startsWith("created:"));
  const more = metadata.filter((line) => line !== created);
  return [
    "---",
    `name: ${name}`,
    `description: ${JSON.stringify(statement)}`,
    "metadata:",
    ...[`type: ${type}`, created ?? "created: 2026-05-02T10:23:00Z", ...more].map((line) => `  ${line}`),
    "---",
    body ?? `${statement}.`,
    "",
  ].join("\n");
}

/** A rule with Why and How to apply. */
export function rule(name: string, statement: string, metadata: readonly string[] = []): HandWritten {
  return {
    type: "feedback",
    name,
    statement,
    body: `${statement}.\n\n**Why:** it went wrong once.\n**How to apply:** every time.`,
    metadata,
  };
}
