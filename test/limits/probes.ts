import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { contextOf, draftOf } from "../write/gates/gate-fixture.ts";
import { type Schema, HANDLE, NOTE, complaintsAbout } from "../../src/here/schema.ts";
import { foldEvent } from "../../src/past/capture/fold-event.ts";
import { emptyConversation } from "../../src/here/records/past-conversations.ts";
import { withinChars } from "../../src/past/conversations/search-conversations.ts";
import { readGivenGuards } from "../../src/write/ask-user.ts";
import { readSessionOn } from "../../src/past/transcripts/read-session.ts";
import { schemaGate, tagsGate } from "../../src/write/gates/schema-gate.ts";
import { checkClaim } from "../../src/freshness/check-claim.ts";
import { checkClaims, ClaimCache } from "../../src/freshness/claim-cache.ts";
import { WorkTree } from "../../src/freshness/work-tree.ts";
import { regexTest } from "../../src/guard/entry-tests.ts";
import { evaluateGuards } from "../../src/guard/evaluate-guards.ts";
import { GuardSet } from "../../src/guard/guard.ts";
import { parseGuards } from "../../src/guard/parse-guards.ts";
import { Budget, MAX_TEXT_STEPS } from "../../src/guard/shell/budget.ts";
import { type SessionEvent, openHeed } from "../../src/heed.ts";
import { parseClaim } from "../../src/memory/claims/parse-claim.ts";
import { splitSource, readFrontMatter } from "../../src/memory/codec/front-matter.ts";
import { parseMemories } from "../../src/memory/codec/parse-memory.ts";
import { FieldReader } from "../../src/machine/read-fields.ts";
import { matchesGlobs } from "../../src/memory/match-globs.ts";
import type { MemoryDraft } from "../../src/memory/memory.ts";
import { TypeTable } from "../../src/memory/memory-type.ts";
import { MEMORIES } from "../../src/facade/memories.ts";
import { readEvents } from "../../src/machine/state-file.ts";
import { readStoreConfig } from "../../src/store/config/store-config.ts";
import { readMemoryFile, walkStore } from "../../src/store/files/scan-store.ts";
import { boundInput } from "../../src/session/answer-event.ts";
import { translateEvent } from "../../src/surfaces/hooks/read-event.ts";

/** Whether an input of a size is taken whole. `folder` is an empty one of its own. */
export type Probe = (size: number, folder: string) => boolean | Promise<boolean>;

const types = new TypeTable();
const fits = (schema: Schema, value: unknown): boolean => complaintsAbout(schema, value, "").length === 0;

function frontMatter(yaml: string): boolean {
  const { values, problems } = readFrontMatter({ yaml, yamlLine: 2 });
  return values !== undefined && problems.every(({ severity }) => severity !== "error");
}

function isWritten(changes: Partial<MemoryDraft>): boolean {
  const verdict = schemaGate(draftOf(changes), contextOf("project"));
  return (verdict.refusals ?? []).length === 0;
}

const keepsAliases = (aliases: string[]): boolean =>
  tagsGate(draftOf({ aliases })).draft?.aliases?.length === aliases.length;
const isGuard = (raw: object): boolean => parseGuards(raw).problems.length === 0;
const event = (fields: object): SessionEvent | undefined =>
  translateEvent({ session_id: "s", cwd: "/", ...fields }, { env: {}, cwd: "/", whose: () => ({}) })?.event;
const nested = (depth: number): unknown => (depth === 0 ? "deep" : { in: nested(depth - 1) });

/** By the constant that they are about, as docs/reference/limits.md names it. */
export const PROBES: Readonly<Record<string, Probe>> = {
  "store/files/scan-store.ts MAX_FILE_BYTES": (size, root) => {
    const head = "---\nname: a\ndescription: b\nmetadata:\n  type: project\n---\n";
    writeFileSync(join(root, "a.md"), head + "x".repeat(size - head.length));
    const store = { id: "S", kind: "user", root, isTrusted: true, isReadOnly: false } as const;
    return readMemoryFile(store, "a.md", types).memory !== undefined;
  },
  "memory/codec/front-matter.ts MAX_FRONT_MATTER_CHARS": (size) =>
    !splitSource(`---\n${"x".repeat(size - 4)}\n---\nbody`).isUnclosed,
  "memory/codec/front-matter.ts MAX_LINES": (size) =>
    frontMatter(["a: {b: [1]}", ...Array.from({ length: size - 1 }, (_, i) => `k${i}: &a${i} 1`)].join("\n")),
  "memory/codec/read-yaml.ts MAX_NESTING": (size) => frontMatter(`a: ${"[".repeat(size)}${"]".repeat(size)}`),
  "memory/codec/read-yaml.ts MAX_YAML_ALIASES": (size) =>
    frontMatter(`a: &x one\nb: [${Array.from({ length: size - 1 }, () => "*x").join(", ")}]`),
  "machine/read-fields.ts MAX_TEXT_CHARS": (size) =>
    new FieldReader({ a: "x".repeat(size) }).text("a")?.length === size,
  "machine/read-fields.ts MAX_LIST_ITEMS": (size) =>
    new FieldReader({ a: Array.from({ length: size }, (_, i) => `t${i}`) }).list("a").length === size,
  "memory/codec/parse-memory.ts MAX_SECTIONS": (size) => {
    const text = Array.from({ length: size }, (_, i) => `## Section ${i}\n\ntext ${i}\n`).join("\n");
    const { memories, problems } = parseMemories(text, { file: "feedback/a.md", storeId: "S" }, types);
    return memories.length === size && !problems.some(({ code }) => code === "many-sections");
  },
  "store/files/scan-store.ts MAX_DEPTH": (size, root) => {
    const folder = join(root, ...Array.from({ length: size }, () => "d"));
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "a.md"), "a");
    const { files, problems } = walkStore(root);
    return files.length === 1 && problems.length === 0;
  },
  "store/config/store-config.ts MAX_CONFIG_BYTES": (size, root) => {
    writeFileSync(join(root, "config.yaml"), "store: S1\n".padEnd(size, "#"));
    return readStoreConfig(root, { state: root }).id === "S1";
  },
  "memory/limits.ts statementChars": (size) => isWritten({ statement: "x".repeat(size) }),
  "memory/limits.ts bodyChars": (size) => isWritten({ body: "x".repeat(size) }),
  "memory/limits.ts nameChars": (size) => isWritten({ name: "x".repeat(size) }),
  "memory/limits.ts listItems": (size) =>
    isWritten({ tags: Array.from({ length: size }, (_, i) => `t${i}`) }),
  "memory/limits.ts aliases": (size) => keepsAliases(Array.from({ length: size }, (_, i) => `a${i}`)),
  "memory/limits.ts aliasWords": (size) => keepsAliases([Array.from({ length: size }, () => "a").join(" ")]),
  "memory/limits.ts itemChars": (size) => isWritten({ tags: ["x".repeat(size)] }),
  "memory/limits.ts handleChars": (size) => fits(HANDLE, "x".repeat(size)),
  "memory/limits.ts shownAtOnce": async (size, root) => {
    const heed = openHeed({ cwd: root, env: { HOME: root, HEED_DIR: join(root, "store") } });
    await heed.setup.init("user");
    const { notShown } = await heed.memories.showAll(Array.from({ length: size }, (_, i) => `m${i}`));
    await heed.close();
    return notShown.every(({ code }) => code === "not-found");
  },
  "memory/limits.ts queryChars": (size) =>
    fits(MEMORIES.search.takes["request"] ?? {}, { query: "x".repeat(size) }),
  "memory/limits.ts reasonChars": (size) => fits(NOTE, "x".repeat(size)),
  "memory/limits.ts pathChars": (size) => matchesGlobs("x".repeat(size), ["x".repeat(size)]),
  "memory/limits.ts paths": (size) =>
    matchesGlobs("last", [...Array.from({ length: size - 1 }, (_, i) => `no${i}`), "last"]),
  "memory/limits.ts claimChars": (size) => {
    const head = 'path:a.ts::"';
    return parseClaim(`${head}${"x".repeat(size - head.length - 1)}"`).claim !== undefined;
  },
  "memory/limits.ts claims": async (size, root) => {
    writeFileSync(join(root, "a.ts"), "a");
    return (await checkedClaims(root, size)) === size;
  },
  "memory/claims/parse-claim.ts MAX_PATH_CHARS": (size) =>
    parseClaim(`path:${"x".repeat(size)}`).claim !== undefined,
  "memory/claims/parse-claim.ts MAX_SYMBOL_CHARS": (size) =>
    parseClaim(`path:a.ts::${"x".repeat(size)}`).claim !== undefined,
  "freshness/work-tree.ts MAX_FILE_BYTES": async (size, root) => {
    writeFileSync(join(root, "a.txt"), "needle".padEnd(size, "x"));
    const { claim } = parseClaim('path:a.txt::"needle"');
    if (!claim) return false;
    const machine = { root, env: {}, now: new Date() };
    return (await checkClaim(claim, new WorkTree(root), machine)).state === "kept";
  },
  "guard/parse-guards.ts MAX_GUARDS": (size) =>
    isGuard(Array.from({ length: size }, () => ({ command: "git push" }))),
  "guard/guard-fields.ts MAX_ENTRIES": (size) =>
    isGuard({ command: "git push", flags: Array.from({ length: size }, (_, i) => `--f${i}`) }),
  "guard/guard-fields.ts MAX_TEXT_CHARS": (size) => isGuard({ args: ["x".repeat(size)] }),
  "guard/parse-guards.ts MAX_SAY_CHARS": (size) => isGuard({ command: "git push", say: "x".repeat(size) }),
  "write/ask-user.ts MAX_GIVEN_CHARS": async (size) =>
    "guards" in
    (await readGivenGuards(`{command: git push}${" ".repeat(size - 19)}`, new TypeTable().get("feedback"))),
  "guard/entry-tests.ts MAX_PATTERN_CHARS": (size) => !("error" in regexTest("x".repeat(size))),
  "guard/entry-tests.ts MAX_PROGRAM_SIZE": (size) => {
    // An expression of exactly that many instructions, by trying.
    const wanted = (pattern: string): boolean => costOf(pattern) === size;
    for (let a = 1; a < 300; a++) {
      const pattern = `(?:${"x".repeat(Math.max(1, Math.floor((size - 60) / 10)))}){10}${"y".repeat(a)}`;
      if (pattern.length <= 300 && wanted(pattern)) return true;
    }
    return false;
  },
  "guard/shell/budget.ts MAX_TEXT_STEPS": (size) => new Budget(MAX_TEXT_STEPS).take(size),
  "guard/shell/read-shell.ts MAX_SHELL_CHARS": (size) => {
    const command = `git push --force ${"x".repeat(size)}`.slice(0, size);
    const guards = parseGuards({ command: "git push", flags: ["--force"] }).guards;
    const set = new GuardSet(guards.map(({ guard }) => ({ guard, scope: [] })));
    const call = { tool: "Bash", input: { command }, cwd: "/", roots: ["/"], home: "/" };
    const { action, cutShort } = evaluateGuards(call, set);
    return cutShort === undefined && action === "deny";
  },
  "past/conversations/search-conversations.ts MAX_SHOWN_CHARS": (size) => {
    const passages = ["x".repeat(size - 1), "y"].map((text) => ({ kind: "said", time: "", text }) as const);
    return withinChars(passages).length === 2;
  },
  "past/capture/fold-event.ts MAX_PASSAGES": (size) => {
    const conversation = emptyConversation();
    for (let i = 0; i < size; i++)
      foldEvent({ conversation }, { kind: "user", text: `this is turn ${i}`, time: "", id: `${i}` });
    return conversation.missing === undefined;
  },
  "past/capture/fold-event.ts MAX_CHARS": (size) => {
    const conversation = emptyConversation();
    const text = "this is a turn ".padEnd(size, "x");
    foldEvent({ conversation }, { kind: "user", text, time: "", id: "1" });
    return conversation.passages[0]?.text === text;
  },
  "session/answer-event.ts MAX_DEPTH": (size) =>
    JSON.stringify(boundInput(nested(size)).input) === JSON.stringify(nested(size)),
  "session/answer-event.ts MAX_ENTRIES": (size) =>
    (boundInput({ a: Array.from({ length: size }, (_, i) => i) }).input as { a: unknown[] }).a.length ===
    size,
  "session/answer-event.ts MAX_CHARS": (size) =>
    (boundInput({ a: "x".repeat(size) }).input as { a: string }).a.length === size,
  "surfaces/hooks/read-event.ts MAX_TEXT_CHARS": (size) => {
    const said = event({ hook_event_name: "UserPromptSubmit", prompt: "x".repeat(size) });
    return said?.kind === "prompt" && said.prompt.length === size;
  },
  "past/transcripts/read-session.ts MAX_LINE_BYTES": (size, root) => {
    writeFileSync(join(root, "s.jsonl"), `${JSON.stringify("x".repeat(size - 3))}\n`);
    return readSessionOn({ offsets: {}, format: "" }, join(root, "s.jsonl"), () => {}).lostLines === 0;
  },
  "machine/state-file.ts MAX_LOG_READ_BYTES": (size, root) => {
    const first = '{"n":1}\n';
    writeFileSync(join(root, "log"), first + "\n".repeat(size - first.length));
    return readEvents(join(root, "log"), { version: 1, key: "v" }).length === 1;
  },
};

function costOf(pattern: string): number {
  const read = regexTest(pattern);
  return "error" in read ? -1 : read.cost;
}

async function checkedClaims(root: string, count: number): Promise<number> {
  const context = {
    tree: new WorkTree(root),
    machine: { root, env: {}, now: new Date() },
    cache: new ClaimCache(join(root, "cache.json"), root),
    detached: undefined,
    deadlineAtMs: Infinity,
  };
  const claims = Array.from({ length: count }, () => "path:a.ts");
  const { checks } = await checkClaims(claims, context);
  return checks.filter(({ state }) => state === "kept").length;
}
