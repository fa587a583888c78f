// A process of the torture: does seeded operations through the façade on memories of its own, and prints what it begins
// and what heed confirmed. See memory-model.ts for what it prints, run-worker.ts for who starts it.
import { writeSync } from "node:fs";
import type { Heed } from "../../src/heed.ts";
import { HeedError, openHeed } from "../../src/heed.ts";
import type { MemoryState, Report } from "./memory-model.ts";
import { SeededWords } from "./seeded-words.ts";
import type { WorkerTask } from "./torture-home.ts";

const task = JSON.parse(process.argv[2] ?? "{}") as WorkerTask;
const random = new SeededWords(task.seed);
const ACTOR = { kind: "person" } as const;
const heed: Heed = openHeed({ cwd: task.cwd });
const fault = (globalThis as { heedFault?: { arm(): void; disarm(): number } }).heedFault;

interface Own {
  key: string;
  state: MemoryState;
  /** States before, so that an undo is known. */
  past: MemoryState[];
  body: string;
}

const own: Own[] = [];
let made = 0;
let written = 0;

function say(report: Report): void {
  writeSync(1, `${JSON.stringify(report)}\n`);
}

/**
 * Does one thing and tells; what heed refuses leaves the memory as it was. `stateAfter`: where what it came to shows only
 * once it is done.
 */
async function attempt(
  operation: string,
  memory: Own | undefined,
  next: MemoryState | undefined,
  act: () => Promise<unknown>,
  stateAfter: () => MemoryState | undefined = () => next,
): Promise<boolean> {
  const about = memory && next ? { key: memory.key, state: next } : {};
  say({ kind: "begin", operation, ...about });
  try {
    await act();
  } catch (error) {
    if (!(error instanceof HeedError)) {
      say({
        kind: "crashed",
        operation,
        message: error instanceof Error ? (error.stack ?? "") : String(error),
      });
      return false;
    }
    const { code, message } = error;
    say({ kind: "refused", operation, code, message, ...(memory && { key: memory.key }) });
    return false;
  }
  const state = stateAfter();
  if (memory && state && state !== memory.state) {
    memory.past.push(memory.state);
    memory.state = state;
  }
  say({ kind: "done", operation, ...(memory && state && { key: memory.key, state }) });
  return true;
}

function mustBe(outcome: { outcome: string; refusals?: unknown }, ...wanted: string[]): void {
  if (!wanted.includes(outcome.outcome))
    throw new Error(`${outcome.outcome}: ${JSON.stringify(outcome.refusals ?? "")}`);
}

async function write(): Promise<void> {
  const key = `key-${task.worker}-${(made += 1)}`;
  const token = newToken();
  const statement = `${random.words(5)} of ${key}`;
  const name = `memory-${key}`;
  const body = `${key}\n\nhttps://example.org/${key}\n${token}\n${random.words(12 + random.below(20))}\n\nend of ${key}`;
  const memory: Own = { key, body, past: [], state: { place: "absent", name, tokens: [] } };
  const store = task.stores[random.below(task.stores.length)] ?? "user";
  const next: MemoryState = { place: "living", name, tokens: [token] };
  const draft = { type: "reference", name, statement, body, store };
  const isDone = await attempt("write", memory, next, async () =>
    mustBe(await heed.memories.write(draft, ACTOR), "written"),
  );
  if (isDone) own.push(memory);
}

async function update(memory: Own): Promise<void> {
  const token = newToken();
  const { name, tokens } = memory.state;
  const body = memory.body.replace(/\n\nend of/, `\n${token} ${random.words(4)}\n\nend of`);
  const next: MemoryState = { place: "living", name, tokens: [...tokens, token] };
  const isDone = await attempt("update", memory, next, async () =>
    mustBe(await heed.memories.update(name, { body }, ACTOR), "amended"),
  );
  if (isDone) memory.body = body;
}

async function rename(memory: Own): Promise<void> {
  const name = `memory-${memory.key}-${random.word()}`;
  if (name === memory.state.name) return;
  await attempt("rename", memory, { ...memory.state, name }, () =>
    heed.memories.rename(memory.state.name, name, ACTOR),
  );
}

async function forget(memory: Own): Promise<void> {
  await attempt("forget", memory, { ...memory.state, place: "removed" }, () =>
    heed.memories.remove(memory.state.name, "no longer needed", ACTOR),
  );
}

async function restore(memory: Own): Promise<void> {
  await attempt("restore", memory, { ...memory.state, place: "living" }, () =>
    heed.memories.restore(memory.state.name, ACTOR),
  );
}

/**
 * Takes back the last change of a memory, by its id as `heed show NAME --log` shows it, or by the memory. Where an editor was the
 * last, its edit alone is taken back: what heed confirmed before stays, and so does what it knows of earlier changes.
 */
async function undo(memory: Own): Promise<void> {
  const before = memory.past.at(-1);
  if (!before || before.place === "absent") return;
  const { name: handle } = memory.state;
  const isById = random.below(2) === 0;
  let isOfEditor = false;
  const undoLast = async (): Promise<void> => {
    const [last] = isById ? await heed.history.list({ handle, limit: 1 }) : [];
    const { summary } = await heed.history.undo(isById ? { change: last?.id } : { handle }, ACTOR);
    isOfEditor = summary.includes(" outside heed");
  };
  const isDone = await attempt("undo", memory, before, undoLast, () => (isOfEditor ? memory.state : before));
  if (!isDone) return;
  if (!isOfEditor) memory.past.length = 0;
  if (memory.state.place !== "living") return;
  // What the text is now is read from the file: an update was taken back with its line.
  const isRead = await attempt("show", undefined, undefined, async () => {
    memory.body = (await heed.memories.show(memory.state.name, { reader: ACTOR })).body.trim();
  });
  if (!isRead) own.splice(own.indexOf(memory), 1);
}

function newToken(): string {
  return `token-${task.worker}-${(written += 1)}`;
}

const whole: Record<string, () => Promise<unknown>> = {
  tidy: () => heed.maintenance.tidy({ isApplied: true }),
  search: () => heed.memories.search({ query: random.words(3) }),
  list: () => heed.memories.list(),
  reindex: () => heed.maintenance.reindex(),
  check: () => heed.maintenance.check(),
  merge: () => heed.setup.sync({ remote: task.remote }),
};

const MIXES: Record<WorkerTask["mix"], readonly string[]> = {
  mixed: [
    "write",
    "write",
    "write",
    "update",
    "update",
    "update",
    "rename",
    "forget",
    "restore",
    "undo",
  ].concat(
    ["search", "search", "list", "tidy", "reindex", "check"],
    task.remote === undefined ? [] : ["merge"],
  ),
  write: ["write", "write", "update", "rename", "forget", "restore"],
  merge: ["write", "update", "merge", "merge"],
  tidy: ["tidy", "tidy", "write"],
  undo: ["update", "rename", "undo", "undo"],
  read: ["search", "list", "check"],
  reindex: ["reindex"],
};

async function step(): Promise<void> {
  const operation = random.pick(MIXES[task.mix]) ?? "write";
  const run = whole[operation];
  if (run) {
    await attempt(operation, undefined, undefined, run);
    return;
  }
  const living = own.filter(({ state }) => state.place === "living");
  const removed = own.filter(({ state }) => state.place === "removed");
  const memory = random.pick(operation === "restore" ? removed : living);
  if (operation === "write" || !memory) return write();
  const changes: Record<string, (memory: Own) => Promise<void>> = { update, rename, forget, restore, undo };
  await changes[operation]?.(memory);
}

async function main(): Promise<void> {
  // A few memories to work on, before anything is made to fail.
  for (let i = 0; i < task.prepared; i++) await write();
  for (const memory of own.filter((_, i) => i % 2 === 0)) await update(memory);
  await heed.close();
  fault?.arm();
  for (let i = 0; i < task.operations; i++) await step();
  try {
    await heed.close();
  } catch (error) {
    say({ kind: "crashed", operation: "close", message: String(error) });
  }
  const calls = fault?.disarm() ?? 0;
  say({ kind: "counted", calls });
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
