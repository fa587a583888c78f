import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Actor, Heed, MemoryDraft, WriteResult } from "../../src/heed.ts";
import { openHeed } from "../../src/heed.ts";
import { recordSession, turnRecord } from "../../src/heed/session-state.ts";
import { findPlaces } from "../../src/store/places.ts";
import { trustStore } from "../../src/store/store-registry.ts";

const MODEL: Actor = { kind: "model", client: "claude-code", session: "session-1" };
const PERSON: Actor = { kind: "person" };

const RULE: MemoryDraft = {
  type: "feedback",
  name: "no-verify",
  description: "never use --no-verify when a pre-commit hook fails",
  body: "Never bypass the hooks.\n**Why:** a bypass shipped a broken migration.\n**How to apply:** fix the root cause.",
};
const CLAIM: MemoryDraft = {
  type: "user",
  name: "prefers-vim",
  description: "the user prefers vim over VS Code",
  body: "Give editor instructions for vim.",
};

let root: string;
let env: Record<string, string>;
let now: Date;
let heed: Heed;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "heed-write-"));
  env = {
    HOME: root,
    HEED_DIR: join(root, "user"),
    HEED_STATE_DIR: join(root, "state"),
    HEED_CACHE_DIR: join(root, "cache"),
    HEED_CONFIG_DIR: join(root, "config"),
  };
  mkdirSync(join(root, "user"));
  const repository = join(root, "api");
  execFileSync("git", ["init", "-q", "-b", "main", repository]);
  execFileSync("git", ["-C", repository, "remote", "add", "origin", "https://github.com/acme/api.git"]);
  // A Monday.
  now = new Date("2026-03-02T10:00:00Z");
  heed = openHeed({ cwd: repository, env, now: () => now });
});

afterEach(async () => {
  await heed.close();
  rmSync(root, { recursive: true, force: true, maxRetries: 3 });
});

function gatesOf(result: WriteResult): string[] {
  return result.outcome === "refused" ? result.refusals.map(({ gate }) => gate) : [result.outcome];
}

function textOf(result: WriteResult): string {
  return "path" in result ? readFileSync(result.path, "utf8") : "";
}

/** The user says something, a minute later. */
function userSays(text: string, session: string = "session-1"): void {
  now = new Date(now.getTime() + 60_000);
  recordSession(findPlaces(env), session, [turnRecord(text, now.toISOString())]);
  now = new Date(now.getTime() + 60_000);
}

function makeProjectStore(isTrusted: boolean): string {
  const store = join(root, "api", ".heed");
  mkdirSync(store);
  writeFileSync(join(store, "config.yaml"), "store: 01JD3Z8Q6T0V9W4X5Y6Z7A8B9C\n");
  if (isTrusted) trustStore(findPlaces(env), "01JD3Z8Q6T0V9W4X5Y6Z7A8B9C", store);
  return store;
}

describe("writing a memory", () => {
  it("makes a file that says what was written, where and by whom", async () => {
    const result = await heed.write({ ...RULE, tags: ["git", "pre-commit", "hooks"] }, MODEL);
    expect(result).toMatchObject({
      outcome: "written",
      path: join(root, "user", "feedback", "no-verify.md"),
      announcement:
        "remembered as a rule (feedback): never use --no-verify when a pre-commit hook fails [heed:no-verify]",
      warnings: [],
    });
    const text = textOf(result);
    expect(text).toContain("name: no-verify\n");
    expect(text).toContain("type: feedback");
    expect(text).toMatch(/id: [0-9A-Z]{26}\n/);
    expect(text).toContain("created: 2026-03-02T10:00:00Z");
    expect(text).toContain("repo: github.com/acme/api");
    expect(text).toContain("session: session-1");
    expect(text).toContain("actor: model");
    expect(text).toContain("**Why:** a bypass shipped a broken migration.");
  });

  it("makes a name of the description", async () => {
    const result = await heed.write({ ...RULE, name: undefined as never }, MODEL);
    expect(result).toMatchObject({ card: { name: "never-use-no-verify-when-a-pre-commit-hook-fails" } });
  });

  it("says everything that is wrong at once, and writes nothing", async () => {
    const result = await heed.write(
      { type: "projct", description: "goes live next sprint", body: "It goes live next sprint." },
      MODEL,
    );
    expect(gatesOf(result)).toEqual(["schema", "relative-dates"]);
    expect(readdirSync(join(root, "user"))).toEqual([]);
  });

  it("writes dates as they are on the day of writing, and ends the memory with them", async () => {
    const result = await heed.write(
      {
        type: "project",
        description: "merge freeze until Thursday for the mobile release",
        body: "No merges to main until Thursday: the mobile team cuts its release.",
      },
      MODEL,
    );
    expect(result).toMatchObject({
      outcome: "written",
      card: { description: "merge freeze until 2026-03-05 for the mobile release", expires: "2026-03-05" },
    });
    expect(textOf(result)).toContain("No merges to main until 2026-03-05:");
  });

  it("proposes what would pass where a date is open", async () => {
    const result = await heed.write(
      {
        type: "project",
        description: "the importer dates from last summer",
        body: "It was rewritten last summer.",
      },
      MODEL,
    );
    expect(result).toMatchObject({
      outcome: "refused",
      refusals: [
        {
          gate: "relative-dates",
          proposal: {
            description: "the importer dates from summer 2025",
            body: "It was rewritten summer 2025.",
          },
        },
      ],
    });
  });

  it("does not say again what CLAUDE.md says", async () => {
    writeFileSync(join(root, "api", "CLAUDE.md"), `# Rules\n- ${RULE.description}.\n`);
    expect(await heed.write(RULE, MODEL)).toMatchObject({
      outcome: "refused",
      refusals: [{ gate: "derivable", reason: expect.stringContaining("CLAUDE.md:2") as string }],
    });
    expect(gatesOf(await heed.write({ ...RULE, isNotDerivable: true }, MODEL))).toEqual(["derivable"]);
  });

  it("questions what the repository says, and takes the writer's word", async () => {
    const draft = {
      type: "project",
      description: "parseUrl is defined in src/net/url.ts",
      body: "See src/net/url.ts.",
    };
    expect(gatesOf(await heed.write(draft, MODEL))).toEqual(["derivable"]);
    expect(gatesOf(await heed.write({ ...draft, isNotDerivable: true }, MODEL))).toEqual(["written"]);
  });

  it("ignores no guard of a model", async () => {
    const draft = { ...RULE, guard: { tool: "Bash", action: "deny" } } as MemoryDraft;
    expect(gatesOf(await heed.write(draft, MODEL))).toEqual(["schema"]);
  });
});

describe("the store of a memory", () => {
  it("is the project's for what is about the repository, the user's for what is about the person", async () => {
    const store = makeProjectStore(true);
    expect(await heed.write(RULE, MODEL)).toMatchObject({ path: join(store, "feedback", "no-verify.md") });
    expect(await heed.write(CLAIM, PERSON)).toMatchObject({
      path: join(root, "user", "user", "prefers-vim.md"),
    });
    const personal = {
      ...RULE,
      name: "explain",
      description: "explain React since the user is new to React",
    };
    expect(await heed.write({ ...personal, source: "instructed" }, MODEL)).toMatchObject({
      path: join(root, "user", "feedback", "explain.md"),
    });
  });

  it("is never an untrusted one", async () => {
    const store = makeProjectStore(false);
    expect(await heed.write(RULE, MODEL)).toMatchObject({
      path: join(root, "user", "feedback", "no-verify.md"),
    });
    expect(gatesOf(await heed.write({ ...RULE, name: "other", store: "project" }, MODEL))).toEqual([
      "store-trust",
    ]);
    expect(readdirSync(store)).toEqual(["config.yaml"]);
  });

  it("is named when it is not here", async () => {
    await expect(heed.write({ ...RULE, store: "project" }, MODEL)).rejects.toMatchObject({
      code: "no-store",
      data: { store: "project" },
    });
  });
});

describe("a name or title that exists", () => {
  it("amends that memory, shown as a diff, and keeps what the file has besides", async () => {
    const first = await heed.write(RULE, MODEL);
    const path = "path" in first ? first.path : "";
    writeFileSync(path, textOf(first).replace("metadata:\n", "metadata:\n  owner: ana # keep\n"));
    now = new Date("2026-03-03T10:00:00Z");
    const body = `${RULE.body}\nAsk before any exception.`;
    const result = await heed.write({ ...RULE, name: "No Verify", body }, MODEL);
    expect(result).toMatchObject({ outcome: "amended", card: { name: "no-verify" } });
    expect("diff" in result && result.diff).toContain("+Ask before any exception.");
    expect(textOf(result)).toContain("owner: ana # keep");
    expect(textOf(result)).toContain("created: 2026-03-02T10:00:00Z");
    expect(textOf(result)).toContain("updated: 2026-03-03T10:00:00Z");
    expect(readdirSync(join(root, "user", "feedback"))).toEqual(["no-verify.md"]);
  });

  it("knows the title in any case", async () => {
    await heed.write(RULE, MODEL);
    const draft = {
      ...RULE,
      name: "another",
      description: "Never use --no-verify when a pre-commit hook fails!",
    };
    expect(await heed.write(draft, MODEL)).toMatchObject({ outcome: "amended", card: { name: "no-verify" } });
  });

  it("changes nothing when nothing is said anew", async () => {
    await heed.write(RULE, MODEL);
    now = new Date("2026-03-03T10:00:00Z");
    const result = await heed.write(RULE, MODEL);
    expect(result.outcome).toBe("unchanged");
    expect(textOf(result)).toContain("updated: 2026-03-02T10:00:00Z");
  });

  it("loses no section in silence", async () => {
    await heed.write(RULE, MODEL);
    const body = "Never bypass the hooks.\n**Why:** a bypass shipped a broken migration.";
    const refused = await heed.write({ ...RULE, body }, MODEL);
    expect(gatesOf(refused)).toContain("amendment");
    const proposal =
      refused.outcome === "refused"
        ? refused.refusals.find(({ gate }) => gate === "amendment")?.proposal
        : {};
    expect(await heed.write({ ...RULE, ...proposal }, MODEL)).toMatchObject({ outcome: "unchanged" });
  });
});

describe("memories alike", () => {
  it("are shown, and written as another one only when told so", async () => {
    await heed.write(RULE, MODEL);
    const twin = {
      ...RULE,
      name: "hooks",
      description: "do not bypass pre-commit hooks with --no-verify",
      body: RULE.body.replace("Never bypass the hooks.", "Fix the cause instead of passing --no-verify."),
    };
    const refused = await heed.write(twin, MODEL);
    expect(gatesOf(refused)).toEqual(["duplicate"]);
    expect(refused).toMatchObject({ refusals: [{ duplicates: [{ name: "no-verify" }] }] });
    expect(gatesOf(await heed.write({ ...twin, isDistinct: true }, MODEL))).toEqual(["written"]);
  });

  it("that say the opposite are shown as a contradiction", async () => {
    await heed.write(
      { type: "project", description: "API timeout is 30 seconds", body: "The gateway cuts then." },
      MODEL,
    );
    const other = {
      type: "project",
      description: "API timeout is 60 seconds",
      body: "The gateway cuts then.",
    };
    expect(gatesOf(await heed.write(other, MODEL))).toEqual(["contradiction"]);
    const linked = { ...other, links: [{ rel: "supersedes" as const, to: "api-timeout-is-30-seconds" }] };
    expect(gatesOf(await heed.write(linked, MODEL))).toEqual(["written"]);
  });

  it("count when they were removed, too", async () => {
    await heed.write(RULE, MODEL);
    await heed.remove("no-verify", "the hooks are gone", PERSON);
    const refused = await heed.write(RULE, MODEL);
    expect(refused).toMatchObject({
      refusals: [
        {
          gate: "duplicate",
          reason: expect.stringContaining("the hooks are gone") as string,
          duplicates: [{ removed: { reason: "the hooks are gone" } }],
        },
      ],
    });
    await heed.restore("no-verify", PERSON);
    expect(gatesOf(await heed.write(RULE, MODEL))).toEqual(["unchanged"]);
  });
});

describe("a claim about the user", () => {
  const INBOX = (): string => join(root, "state", "inbox");

  it("is a person's word at once", async () => {
    expect(await heed.write(CLAIM, PERSON)).toMatchObject({
      outcome: "written",
      card: { status: "confirmed" },
    });
  });

  it.each([
    ["a model", MODEL],
    ["a hook", { kind: "hook" }],
    ["an import", { kind: "import" }],
  ] as [string, Actor][])("waits when %s writes it, whatever it says of its source", async (_who, actor) => {
    const result = await heed.write({ ...CLAIM, source: "instructed", status: "confirmed" }, actor);
    expect(result).toMatchObject({ outcome: "pending", name: "prefers-vim" });
    expect(readdirSync(join(root, "user"))).toEqual([]);
    expect(await heed.pending()).toMatchObject([
      { name: "prefers-vim", type: "user", proposedAt: "2026-03-02T10:00:00.000Z" },
    ]);
    expect(statSync(join(INBOX(), "prefers-vim.md")).mode & 0o777).toBe(0o600);
  });

  it("waits under another type when nobody said it", async () => {
    const draft = {
      ...RULE,
      name: "terse",
      description: "the user prefers terse answers",
      source: "inferred" as const,
    };
    expect(gatesOf(await heed.write(draft, MODEL))).toEqual(["pending"]);
    expect(gatesOf(await heed.write({ ...draft, source: "instructed" }, MODEL))).toEqual(["written"]);
  });

  it("waits when it is a rule that an import brings", async () => {
    expect(gatesOf(await heed.write(RULE, { kind: "import" }))).toEqual(["pending"]);
  });

  it("counts when the user has said so after it was proposed", async () => {
    userSays("I like vim, remember it");
    await heed.write(CLAIM, MODEL);
    expect(gatesOf(await heed.confirm("prefers-vim", { quote: "I like vim" }, MODEL))).toEqual(["user-word"]);
    userSays("yes, save that");
    const result = await heed.confirm("heed:prefers-vim", { quote: "Yes, save that." }, MODEL);
    expect(result).toMatchObject({ outcome: "written", card: { status: "confirmed", source: "observed" } });
    expect("announcement" in result && result.announcement).toMatch(
      /^confirmed about you \(user\): the user prefers vim/,
    );
    expect(textOf(result)).toContain("created: 2026-03-02T10:02:00Z");
    expect(await heed.pending()).toEqual([]);
  });

  it.each([
    ["no quote", undefined, "yes"],
    ["an empty quote", "  ", "yes"],
    ["words that nobody said", "yes please", "fix the tests"],
    ["a part of a word", "ok", "show me the token"],
    ["a no", "save", "no, don't save that"],
    ["a no after a yes", "ok", "ok, but do not remember it"],
    ["a turn about something else", "fix the tests", "fix the tests in the parser"],
    ["a slash command", "yes", "/commit yes"],
    ["a task notification", "yes", "<task-notification>yes</task-notification>"],
  ])("does not count with %s", async (_what, quote, turn) => {
    await heed.write(CLAIM, MODEL);
    userSays(turn);
    const result = await heed.confirm("prefers-vim", quote === undefined ? {} : { quote }, MODEL);
    expect(gatesOf(result)).toEqual(["user-word"]);
    expect(result).toMatchObject({
      refusals: [{ remedy: expect.stringContaining("heed confirm prefers-vim") as string }],
    });
    expect(await heed.pending()).toHaveLength(1);
  });

  it("does not count by a turn of another session, and never by a hook", async () => {
    await heed.write(CLAIM, MODEL);
    userSays("yes", "session-2");
    expect(gatesOf(await heed.confirm("prefers-vim", { quote: "yes" }, MODEL))).toEqual(["user-word"]);
    expect(gatesOf(await heed.confirm("prefers-vim", { quote: "yes" }, { kind: "hook" }))).toEqual([
      "user-word",
    ]);
  });

  it("is confirmed by a person without a quote", async () => {
    await heed.write(CLAIM, MODEL);
    expect(gatesOf(await heed.confirm("prefers-vim", {}, PERSON))).toEqual(["written"]);
  });

  it("that was rejected is not proposed again", async () => {
    await heed.write(CLAIM, MODEL);
    await heed.reject("prefers-vim", "I use Helix now", PERSON);
    expect(await heed.pending()).toEqual([]);
    const again = await heed.write({ ...CLAIM, isDistinct: true }, MODEL);
    expect(again).toMatchObject({
      outcome: "refused",
      refusals: [{ gate: "duplicate", reason: expect.stringContaining("I use Helix now") as string }],
    });
    expect(gatesOf(await heed.write({ ...CLAIM, isDistinct: true }, PERSON))).toEqual(["written"]);
  });

  it("changed by a model waits beside the one that stands", async () => {
    await heed.write(CLAIM, PERSON);
    const changed = await heed.update(
      "prefers-vim",
      { description: "the user prefers Helix over vim" },
      MODEL,
    );
    expect(changed).toMatchObject({
      outcome: "pending",
      diff: expect.stringContaining("+description") as string,
    });
    expect(await heed.pending()).toMatchObject([{ target: "prefers-vim" }]);
    const result = await heed.confirm("prefers-vim", {}, PERSON);
    expect(result).toMatchObject({
      outcome: "amended",
      card: { description: "the user prefers Helix over vim" },
    });
  });

  it("is not confirmed over a memory that has changed since", async () => {
    await heed.write(CLAIM, PERSON);
    await heed.update("prefers-vim", { description: "the user prefers Helix over vim" }, MODEL);
    await heed.update("prefers-vim", { description: "the user prefers Emacs over vim" }, PERSON);
    await expect(heed.confirm("prefers-vim", {}, PERSON)).rejects.toMatchObject({ code: "changed-outside" });
  });
});
