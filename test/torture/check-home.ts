import { execFileSync } from "node:child_process";
import { existsSync, lstatSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { Heed } from "../../src/heed.ts";
import type { MemoryState } from "./memory-model.ts";
import type { TortureHome } from "./torture-home.ts";

interface Found {
  place: "living" | "removed";
  name: string;
  text: string;
}

/**
 * Looks over a home when no process works on it any more: each memory is as some process was told it is, no text that was
 * confirmed is lost, no file is torn, the index answers like one built again, and nothing is left behind.
 */
export async function checkHome(home: TortureHome): Promise<string[]> {
  const findings = home.model.faults.splice(0);
  const heed = home.open();
  // The next one at work finishes what a dead one began.
  await finishWork(home, heed, findings);
  const found = memoriesOf(home, findings);
  for (const [key, allowed] of home.model.allowed())
    checkMemory(key, allowed, found.get(key) ?? [], findings);
  checkTokens(home, found, findings);
  await checkIndex(home, heed, findings);
  await heed.close();
  checkLeftovers(home, findings);
  checkGit(home, findings);
  return findings;
}

async function finishWork(home: TortureHome, heed: Heed, findings: string[]): Promise<void> {
  const tookMs: number[] = [];
  for (const store of ["user", "project", "user", "project"] as const) {
    const startedAt = performance.now();
    const name = `after-${home.nextWorker()}-${store}`;
    const result = await heed.memories.write(
      {
        type: "reference",
        name,
        statement: `probe ${name}`,
        body: `probe ${name} at https://example.org/${name}`,
        store,
      },
      { kind: "import" },
    );
    if (result.outcome !== "written") findings.push(`a write afterwards was ${result.outcome}`);
    tookMs.push(performance.now() - startedAt);
  }
  // What a dead process left is waited for once; where the machine is busy, the next write takes as long.
  const [user = 0, project = 0, ...again] = tookMs;
  if (user + project > 9_000 && user + project > 3 * again.reduce((sum, ms) => sum + ms, 0))
    findings.push(`a write afterwards waited ${tookMs.map(Math.round).join(", ")} ms`);
  // What a dead one held is taken over by the next one that wants it.
  await heed.maintenance.tidy({ isApplied: true });
  await heed.setup.sync({ remote: home.remote });
  const { stores } = await heed.maintenance.check();
  for (const { file, severity, code, message } of stores.flatMap(({ problems }) => problems))
    if (severity === "error") findings.push(`check: ${file}: ${code}: ${message}`);
  await heed.close();
}

/** All files of both stores by the key in their text. */
function memoriesOf(home: TortureHome, findings: string[]): Map<string, Found[]> {
  const found = new Map<string, Found[]>();
  for (const root of [home.userStore, join(home.project, ".heed")]) {
    for (const file of filesBelow(root)) {
      if (!file.endsWith(".md") || basename(file) === "MEMORY.md") continue;
      const text = readFileSync(file, "utf8");
      const key = /^key-[\w-]+$/m.exec(text)?.[0];
      if (key === undefined) continue;
      if (!text.includes(`end of ${key}`)) findings.push(`TORN: ${file}`);
      const name = /^name: (.+)$/m.exec(text)?.[1] ?? "";
      const place = file.includes("/.tombstones/") ? "removed" : "living";
      found.set(key, [...(found.get(key) ?? []), { place, name, text }]);
    }
  }
  return found;
}

function filesBelow(root: string): string[] {
  return readdirSync(root, { recursive: true })
    .map((file) => join(root, String(file)))
    .filter((file) => !file.includes("/.git/") && lstatSync(file).isFile());
}

function checkMemory(
  key: string,
  allowed: readonly MemoryState[],
  found: readonly Found[],
  findings: string[],
): void {
  const living = found.filter(({ place }) => place === "living");
  if (living.length > 1) findings.push(`${key} lives ${living.length} times`);
  const isAsAllowed = allowed.some(({ place, name, tokens }) => {
    if (place === "absent") return living.length === 0;
    const here = found.filter((one) => one.place === place && one.name === name);
    return (
      (place === "living") === living.length > 0 &&
      here.some(({ text }) => tokens.every((token) => hasWord(text, token)))
    );
  });
  if (isAsAllowed) return;
  const wanted = allowed
    .map((state) => `${state.place} ${state.name} with ${state.tokens.join(" ")}`)
    .join(", or ");
  const is = found.map(
    ({ place, name, text }) => `${place} ${name} with ${(text.match(/token-[\w-]+/g) ?? []).join(" ")}`,
  );
  findings.push(`LOST: ${key} should be ${wanted}; is ${is.join(", ") || "nowhere"}`);
}

const hasWord = (text: string, word: string): boolean => new RegExp(`\\b${word}\\b`).test(text);

/** What was taken back or removed is still in the history: nothing that was confirmed is ever gone. */
function checkTokens(
  home: TortureHome,
  found: ReadonlyMap<string, readonly Found[]>,
  findings: string[],
): void {
  const seen = new Set([...found.values()].flat().flatMap(({ text }) => text.match(/token-[\w-]+/g) ?? []));
  const missing = [...home.model.tokens].filter((token) => !seen.has(token));
  if (missing.length === 0) return;
  const history = [
    execFileSync("git", ["cat-file", "--batch-all-objects", "--batch", "--unordered"], {
      cwd: home.userStore,
      env: home.env,
      maxBuffer: 2 ** 30,
    }).toString("latin1"),
    ...filesBelow(join(home.home, "state"))
      .filter((file) => file.includes("/changes/"))
      .map((file) => readFileSync(file, "latin1")),
  ].join("\n");
  const kept = new Set(history.match(/token-[\w-]+/g) ?? []);
  for (const token of missing)
    if (!kept.has(token)) findings.push(`LOST: ${token} is in no file and no history`);
}

/** The same questions to the index as it is and to one that is built from nothing. */
async function checkIndex(home: TortureHome, heed: Heed, findings: string[]): Promise<void> {
  const fresh = home.open({ HEED_CACHE_DIR: join(home.home, `cache-${home.nextWorker()}`) });
  await fresh.maintenance.reindex();
  const memories = await heed.memories.list();
  const rebuilt = await fresh.memories.list();
  // How fresh each is does not come from the index: a list leaves it out where a busy machine has no time for it.
  const [listed, wanted] = [memories, rebuilt].map((list) =>
    list.map((memory) => asText({ ...memory, signals: undefined })),
  ) as [string[], string[]];
  const other = [...listed, ...wanted].find((one) => !listed.includes(one) || !wanted.includes(one));
  if (other !== undefined || asText(listed) !== asText(wanted))
    findings.push(`DIFFERS: the index lists other memories than a rebuild: ${other ?? "in another order"}`);
  const names = memories.map(({ name }) => name);
  const queries = ["probe", "end of key", ...memories.slice(0, 12).map(({ statement }) => statement)];
  for (const query of queries) {
    const [one, other] = [
      await heed.memories.search({ query, limit: 10 }),
      await fresh.memories.search({ query, limit: 10 }),
    ];
    const rank = ({ hits }: typeof one): string =>
      asText(hits.map(({ metadata, score }) => [metadata.name, score.toFixed(6)]));
    if (rank(one) !== rank(other))
      findings.push(`DIFFERS: the index ranks "${query}" otherwise than a rebuild`);
  }
  if (new Set(names).size !== names.length) findings.push("two living memories have one name");
  await fresh.close();
}

const asText = (value: unknown): string => JSON.stringify(value);

function checkLeftovers(home: TortureHome, findings: string[]): void {
  const state = join(home.home, "state");
  for (const file of readdirSync(state, { recursive: true }).map(String)) {
    if (/(?:^|\/)(?:[\w.-]*lock)$/.test(file)) findings.push(`a lock is left: ${file}`);
    if (/(?:^|\/)intent\.json$/.test(file)) findings.push(`a change is unfinished: ${file}`);
  }
  for (const root of [home.userStore, join(home.project, ".heed")])
    for (const file of filesBelow(root)) if (file.endsWith(".tmp")) findings.push(`a draft is left: ${file}`);
}

function checkGit(home: TortureHome, findings: string[]): void {
  if (!existsSync(join(home.userStore, ".git"))) return;
  try {
    home.gitIn(home.userStore, "fsck", "--no-dangling", "--no-progress");
  } catch (error) {
    findings.push(`git fsck: ${String(error).slice(0, 500)}`);
  }
  const status = home.gitIn(home.userStore, "status", "--porcelain");
  if (status !== "") findings.push(`not in the history: ${status.slice(0, 300)}`);
}
