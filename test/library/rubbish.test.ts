import { existsSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TemporaryHeed } from "../home/temporary-heed.ts";
import type { OpenOptions } from "../../src/heed.ts";
import { HeedError, METHODS, openHeed } from "../../src/heed.ts";
import { fillHome, MODEL, PERSON } from "./example-home.ts";
import { readApi } from "./read-api.ts";
import { ANY_CHARACTER } from "../any-character.ts";

// Whatever a method of the façade is called with, it answers, or rejects with a HeedError of a code that its comment
// names; and the stores are whole afterwards.

/** Codes that any method can come with: see `Heed`. */
const COMMON = ["io-failed", "git-failed", "locked"];
/** A call that takes longer hangs. */
const PATIENCE_MS = 20_000;

const injected = new Map(readApi().flatMap(({ methods }) => methods.map(({ path, codes }) => [path, codes])));

function cyclic(): object {
  const ring: Record<string, unknown> = { prompt: "x", kind: "person" };
  ring["self"] = ring;
  ring["input"] = ring;
  ring["guard"] = ring;
  return ring;
}

const rubbish = fc.oneof(
  fc.constantFrom<unknown>(null, undefined, 0, -1, 1.5, NaN, Infinity, 10n, true, false, Symbol("odd")),
  fc.constantFrom(..."¦ ¦\x00¦a\x00b¦../../x¦/¦-x¦--all¦\ud800¦\u202e¦heed:¦__proto__".split("¦")),
  fc.string({ unit: ANY_CHARACTER, maxLength: 40 }),
  fc.constantFrom("x".repeat(100_000), "x ".repeat(200_000), "[".repeat(50_000), "\n".repeat(50_000)),
  fc.constantFrom<unknown>([], [null], [[]], ["x", 7], new Date(NaN), /x/g, new Map(), () => "x"),
  fc.constantFrom<unknown>(Object.create(null), Object.create({ kind: "person" }), cyclic(), Object("x")),
);

/** What could pass one check, so that the next is met, and at times all of them. */
const fitting = fc.constantFrom<unknown>(
  "budget-board",
  "heed:no-force-push",
  "short-answers",
  "user",
  PERSON,
  MODEL,
  {},
  { query: "budget" },
  { prompt: "where is the board?" },
  { input: { command: "git push --force" } },
  { type: "reference", statement: "a page: https://example.com/page" },
  { outcome: "applied" },
  { text: "---\ndescription: x\n---\nx", ifHash: "x" },
  { kind: "stop", session: "s", cwd: "", client: "test", lastMessage: undefined },
);

const KEYS =
  "query limit types tags since stores reader store handle change guard input tool text ifHash type statement description body links scope claims expires name outcome note quote prompt receipt session kind cwd client deadlineMs limitMs filter from package remote token isApplied handles packages directory source";
/** An object with keys that mean something, and values that do not. */
const misfilled = fc.dictionary(fc.constantFrom(...KEYS.split(" ")), rubbish, { maxKeys: 4 });
/** One that would pass, with a field that does not. */
const halfFitting = fc
  .tuple(fitting, misfilled)
  .map(([whole, broken]) => (typeof whole === "object" ? { ...(whole as object), ...broken } : broken));

const argument = fc.oneof(rubbish, misfilled, halfFitting, fitting);

const home = new TemporaryHeed();
beforeAll(() => fillHome(home));
afterAll(() => home.remove());

/** Calls a method of the façade by its path. */
async function call(path: string, args: readonly unknown[]): Promise<unknown> {
  const [group = "", name = ""] = path.split(".");
  const methods = home.heed[group as "memories"] as unknown as Record<
    string,
    (...given: unknown[]) => unknown
  >;
  // What answers at once throws at once.
  return methods[name]?.(...args);
}

/** The code with which a call is refused; undefined when it is answered. Rejects with anything else that is thrown. */
async function refusalOf(path: string, args: readonly unknown[]): Promise<string | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error("it hangs")), PATIENCE_MS);
  });
  try {
    await Promise.race([call(path, args), late]);
    return undefined;
  } catch (error) {
    if (!(error instanceof HeedError) || error.message === "") throw error;
    return error.code;
  } finally {
    clearTimeout(timer);
  }
}

describe("called with anything", () => {
  it.each(Object.keys(METHODS))(
    "%s answers or says what is wrong",
    async (path) => {
      const allowed = [...(injected.get(path) ?? []), ...(path === "session.answer" ? [] : COMMON)];
      const property = fc.asyncProperty(fc.array(argument, { maxLength: 4 }), async (args) => {
        const code = await refusalOf(path, args);
        return code === undefined || allowed.includes(code);
      });
      // Methods without arguments take as long each time.
      const numRuns = Object.keys(METHODS[path]?.takes ?? {}).length === 0 ? 3 : 25;
      await expect(fc.assert(property, { numRuns })).resolves.toBeUndefined();
    },
    120_000,
  );

  it("leaves the stores whole", async () => {
    const { stores } = await home.heed.maintenance.check();
    const errors = stores.flatMap(({ problems }) => problems.filter(({ severity }) => severity === "error"));
    expect(errors).toEqual([]);
    const memories = await home.heed.memories.list({ isScopedHere: false });
    for (const { id } of memories)
      expect((await home.heed.memories.show(id, { reader: PERSON })).body).not.toBe("");
    expect((await home.heed.history.list()).length).toBeGreaterThan(0);
    expect(({} as Record<string, unknown>)["kind"]).toBeUndefined();
    expect(existsSync(join(home.folder, "x"))).toBe(false);
  });
});

describe("a wrong argument is told by its name, what it is, and what to give", () => {
  it.each<[string, unknown[], string]>([
    ["memories.show", [null], "handle is null: give the name of a memory, heed:name, or its id"],
    ["memories.search", [{}], "query is missing: give words to look for"],
    ["memories.search", [{ query: 7 }], "query is 7: give words to look for"],
    ["memories.search", [{ query: "x", limit: 1.5 }], "limit is 1.5: give a whole number from 1 on"],
    ["memories.list", [{ tags: ["a", 7] }], "filter.tags[1] is 7: give a text"],
    [
      "memories.remove",
      ["x", "y", { kind: "robot" }],
      'actor.kind is "robot": give one of person, model, hook, import',
    ],
    [
      "memories.write",
      [{ type: "user" }, PERSON],
      "draft.statement is missing: give a text: one line: what selection reads, what the map shows, a rule's statement",
    ],
    ["session.answer", [{ kind: "prompt", prompt: 7 }], "event.prompt is 7: give a text"],
    ["session.why", [{}], "about is an object: give an object with prompt or receipt"],
    [
      "guards.try",
      [{ input: cyclic() }],
      "call.input is an object that JSON cannot hold: give an object of texts, numbers, lists and objects",
    ],
  ])("%s(%j)", async (path, args, message) => {
    const argument = message.slice(0, message.indexOf(" "));
    await expect(call(path, args)).rejects.toMatchObject({
      name: "HeedError",
      code: "invalid-input",
      message,
      data: { argument },
    });
  });
});

describe("a wrong option of openHeed is told when it is opened", () => {
  it.each<[unknown, string]>([
    [null, "options is null: give an object with cwd, env, program, policy, now, isResident, onStale"],
    [{ cwd: 5 }, "cwd is 5: give the path of a directory"],
    [{ cwd: "a\0b" }, 'cwd is "a\\u0000b": give the path of a directory'],
    [{ env: "HOME=/" }, 'env is "HOME=/": give an object of texts'],
    [{ env: { HOME: 5 } }, "env.HOME is 5: give a text"],
    [{ program: 5 }, "program is 5: give the path of a program"],
    [{ now: "today" }, 'now is "today": give a function'],
    [{ isResident: "yes" }, 'isResident is "yes": give true or false'],
    [{ onStale: {} }, "onStale is an object: give a function"],
  ])("%j", (options, message) => {
    expect(() => openHeed(options as OpenOptions)).toThrow(
      expect.objectContaining({ name: "HeedError", code: "invalid-input", message }),
    );
  });
});
