import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { HeedError } from "../../../src/heed.ts";
import { TemporaryHeed } from "../temporary-heed.ts";
import { MODEL, PERSON } from "../writing/write-desk.ts";

// What the user gave goes out of force by their word alone, by whichever route a model tries it.
const SESSION = "session-1";
const STATEMENT = "never push on a Friday";
const NAME = "no-friday";

let place: TemporaryHeed;
let minute = 0;
beforeEach(async () => {
  minute = 0;
  place = new TemporaryHeed();
  await place.heed.setup.init("user");
  await say("never push on a Friday, the deploys break on weekends", "before");
  await place.heed.memories.write(
    { type: "feedback", name: NAME, description: STATEMENT, quote: STATEMENT },
    { ...MODEL, session: "before" },
  );
  await say("now fix the parser");
});
afterEach(() => place.remove());

function pass(): void {
  minute += 1;
  place.now = `2026-11-21T12:${String(minute).padStart(2, "0")}:00Z`;
}

async function say(prompt: string, session: string = SESSION): Promise<void> {
  pass();
  await place.event({ kind: "prompt", prompt, session });
  pass();
}

async function ask(lastMessage: string): Promise<void> {
  await place.event({ kind: "stop", lastMessage, session: SESSION } as never);
  pass();
}

async function isInForce(): Promise<boolean> {
  const block = (await place.start(`later-${minute}`)).replace(/<heed-map[^]*?<\/heed-map>/g, "");
  return block.includes(`- ${STATEMENT} [heed:`);
}

async function attempt(work: Promise<unknown>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (!(error instanceof HeedError)) throw error;
  }
}

const ROUTES: Record<string, () => Promise<unknown>> = {
  removed: () => place.heed.memories.remove(NAME, "in the way", MODEL),
  "removed from a shell that leaves its session out": () =>
    place.heed.memories.remove(NAME, "x", { kind: "model", client: "claude-code" }),
  "removed from a shell with a session of its own making": () =>
    place.heed.memories.remove(NAME, "x", { kind: "model", client: "claude-code", session: "zzz" }),
  "removed by a script": () => place.heed.memories.remove(NAME, "x", { kind: "model", client: "script" }),
  superseded: () => place.heed.memories.update(NAME, { status: "superseded" }, MODEL),
  expired: () => place.heed.memories.update(NAME, { expires: "2026-01-01" }, MODEL),
  "made a fact": () => place.heed.memories.update(NAME, { type: "project" }, MODEL),
  "made a solution": () => place.heed.memories.update(NAME, { type: "solution", trigger: ["x"] }, MODEL),
  "sent elsewhere": () => place.heed.memories.update(NAME, { scope: { paths: ["x/**"] } }, MODEL),
  "turned round": () => place.heed.memories.update(NAME, { description: "push on a Friday" }, MODEL),
  "worded by what was said of something else": () =>
    place.heed.memories.update(NAME, { description: "fix the parser" }, MODEL),
  "written over under its name": () =>
    place.heed.memories.write(
      { type: "project", description: "the parser is to be fixed", relation: { kind: "replaces", to: NAME } },
      MODEL,
    ),
  "edited away": async () => {
    const { card } = await place.heed.memories.show(NAME);
    const { text } = await place.heed.memories.showFile(NAME);
    await place.heed.memories.edit(
      NAME,
      {
        text: text.replace("type: feedback", "type: feedback\n  status: superseded"),
        ifHash: card.contentHash,
      },
      MODEL,
    );
  },
  "edited to hold elsewhere": async () => {
    const { card } = await place.heed.memories.show(NAME);
    const { text } = await place.heed.memories.showFile(NAME);
    await place.heed.memories.edit(
      NAME,
      {
        text: text.replace("type: feedback", "type: feedback\n  scope: { paths: [x/**] }"),
        ifHash: card.contentHash,
      },
      MODEL,
    );
  },
  undone: () => place.heed.history.undo({}, MODEL),
  "undone with its session": () => place.heed.history.rollBack({ session: "before", isApplied: true }, MODEL),
  "deleted by the memory tool": () =>
    place.heed.memoryTool.run({ command: "delete", path: `/memories/feedback/${NAME}.md` }, MODEL),
  "renamed into a fact by the memory tool": () =>
    place.heed.memoryTool.run(
      {
        command: "rename",
        old_path: `/memories/feedback/${NAME}.md`,
        new_path: `/memories/project/${NAME}.md`,
      },
      MODEL,
    ),
};

describe("a rule of the user's", () => {
  test("is in force to begin with", async () => {
    expect(await isInForce()).toBe(true);
  });

  test.each(Object.keys(ROUTES))("is not %s by a model on its own", async (name) => {
    await attempt(ROUTES[name]?.() ?? Promise.resolve());
    expect(await isInForce()).toBe(true);
  });

  test.each([
    "drop the rule on Fridays",
    "forget about pushing on a Friday",
    "the friday rule no longer holds, we have a weekend crew now",
    "we can push on Fridays again",
  ])("goes when the user says %j", async (said) => {
    await say(said);
    await place.heed.memories.remove(NAME, "the user said so", MODEL);
    expect(await isInForce()).toBe(false);
  });

  test.each(["superseded", "expired", "made a fact", "undone"])(
    "and is then %s in one step",
    async (name) => {
      await say("the rule about pushing on Fridays no longer holds");
      await ROUTES[name]?.();
      expect(await isInForce()).toBe(false);
    },
  );

  test("is worded anew in one step as the user words it", async () => {
    await say("actually it is Thursdays on which you must never push");
    const result = await place.heed.memories.update(NAME, { description: "never push on a Thursday" }, MODEL);
    expect(result.outcome).toBe("amended");
  });

  test("ends, or holds elsewhere, as they limit it", async () => {
    await say("the friday rule only holds until 2026-12-01");
    await place.heed.memories.update(NAME, { expires: "2026-12-01" }, MODEL);
    expect((await place.heed.memories.show(NAME)).card.expires).toContain("2026-12-01");
    await say("and the friday rule is only for the api folder");
    await place.heed.memories.update(NAME, { scope: { paths: ["api/**"] } }, MODEL);
    expect((await place.heed.memories.show(NAME)).card.scope.paths).toEqual(["api/**"]);
  });

  test.each([
    ["yes", false],
    ["yes, drop it", false],
    ["drop it", false],
    ["ja, weg damit", false],
    ["oui, supprime-la", false],
    ["sí, bórrala", false],
    ["no", true],
    ["keep it", true],
    ["yes, but keep it", true],
    ["no, don't drop it", true],
    ["yes, rename the variable", true],
    ["yes, never push on a Friday", true],
    ["behalte sie", true],
    ["non, garde-la", true],
    ["no, déjala", true],
  ])("stays or goes by the answer %j to a model that asked first: %s", async (reply, stays) => {
    await ask("The parser is fixed. Shall I drop the rule never to push on a Friday?");
    await say(reply);
    await attempt(place.heed.memories.remove(NAME, "the user said so", MODEL));
    expect(await isInForce()).toBe(stays);
  });

  test.each([
    ["yes", false],
    ["yes, forget it", false],
    ["no, keep it", true],
    ["keep it", true],
    ["ok, now the tests", true],
  ])("stays or goes by the answer %j to the wish that waits: %s", async (reply, stays) => {
    await expect(place.heed.memories.remove(NAME, "in the way", MODEL)).rejects.toMatchObject({
      code: "gate-refused",
      message: expect.stringContaining(`confirm forget-${NAME} with their answer as quote`) as string,
    });
    await say(reply);
    await attempt(place.heed.inbox.confirm(`forget-${NAME}`, { quote: reply }, MODEL));
    expect(await isInForce()).toBe(stays);
  });

  test("is asked about as what is to go, and stands in the inbox as that", async () => {
    await place.heed.memories.update(NAME, { expires: "2026-01-01" }, MODEL);
    await attempt(place.heed.memories.remove(NAME, "in the way", MODEL));
    const items = await place.heed.inbox.list();
    expect(items.map(({ name, description, quote }) => [name, description, quote])).toEqual([
      [`forget-${NAME}`, `to be forgotten: ${STATEMENT}`, undefined],
    ]);
    expect(await place.start("another")).toContain(
      `- whether this feedback is to go, which holds until they say so: ${STATEMENT} [forget-${NAME}]`,
    );
  });

  test("stays beside a twin that ends, or holds elsewhere", async () => {
    const twin = (metadata: string[]): void =>
      void place.remember({
        type: "feedback",
        name: "twin",
        description: STATEMENT,
        body: STATEMENT,
        metadata: ["source: user", ...metadata],
      });
    for (const metadata of ["expires: 2026-12-01", "scope: { paths: [x/**] }"]) {
      twin([metadata]);
      await attempt(place.heed.memories.remove(NAME, "a double", MODEL));
      const names = (await place.heed.memories.list()).map(({ name }) => name);
      expect([metadata, names.includes(NAME)]).toEqual([metadata, true]);
    }
  });

  test("goes by a yes to nothing but the question about it", async () => {
    await ask("Shall I drop the rule never to push on a Friday?");
    await say("let me think");
    await say("yes");
    await attempt(place.heed.memories.remove(NAME, "the user said so", MODEL));
    expect(await isInForce()).toBe(true);
  });

  test("and a wish is granted by a person, of whatever it is", async () => {
    for (const name of ["superseded", "expired", "made a fact"]) await ROUTES[name]?.();
    const [item] = await place.heed.inbox.list({ reader: PERSON });
    await place.heed.inbox.confirm(item?.name ?? "", {}, PERSON);
    expect(await isInForce()).toBe(false);
  });

  test("that waits to be superseded is superseded by the user's yes", async () => {
    await ROUTES["superseded"]?.();
    await place.heed.inbox.confirm(NAME, {}, PERSON);
    expect((await place.heed.memories.show(NAME)).card.status).toBe("superseded");
  });

  test("that was superseded or has ended comes back by their word alone", async () => {
    await place.heed.memories.update(NAME, { status: "superseded" }, PERSON);
    await place.heed.memories.update(NAME, { status: "confirmed" }, MODEL);
    expect(await isInForce()).toBe(false);
    await place.heed.memories.update(NAME, { status: "confirmed", expires: "2026-01-01" }, PERSON);
    await place.heed.memories.update(NAME, { expires: null }, MODEL);
    expect(await isInForce()).toBe(false);
    await say("we must never push on a Friday after all");
    await place.heed.memories.update(NAME, { expires: null }, MODEL);
    expect(await isInForce()).toBe(true);
  });
});

describe("what was kept in this very session", () => {
  const LATER = "keep every function under forty lines";
  beforeEach(async () => {
    await say("keep every function under forty lines, I review on a phone");
    await place.heed.memories.write(
      { type: "feedback", name: "short", description: LATER, quote: LATER },
      MODEL,
    );
  });
  const isKept = async (): Promise<boolean> => (await place.start(`then-${minute}`)).includes(LATER);

  test.each([
    "forget that",
    "no, forget that rule",
    "vergiss das",
    "oublie ça",
    "olvida eso",
    "das gilt nicht mehr",
  ])("goes by %j", async (said) => {
    await say(said);
    await place.heed.memories.remove("short", said, MODEL);
    expect(await isKept()).toBe(false);
  });

  test("is undone by it, and the older rule is not what it means", async () => {
    await say("forget that");
    await attempt(place.heed.memories.remove(NAME, "x", MODEL));
    expect(await isInForce()).toBe(true);
    await place.heed.history.undo({}, MODEL);
    expect(await isKept()).toBe(false);
  });

  test("stays where they spoke of the work since", async () => {
    await say("now the tests");
    await say("and the docs");
    await say("forget that");
    await attempt(place.heed.memories.remove("short", "x", MODEL));
    expect(await isKept()).toBe(true);
  });

  test("stays where another rule is the one that is named", async () => {
    await say("drop the rule on Fridays");
    await attempt(place.heed.memories.remove("short", "x", MODEL));
    expect(await isKept()).toBe(true);
  });

  test("a proposal of the model's own is withdrawn by it", async () => {
    await place.heed.memories.write(
      {
        type: "feedback",
        name: "own",
        description: "sort imports by length",
        source: "inferred",
        body: "Sort.\n**Why:** neat.",
      },
      MODEL,
    );
    await place.heed.inbox.reject("own", "not needed", MODEL);
    expect((await place.heed.inbox.list()).map(({ name }) => name)).not.toContain("own");
  });

  test("facts are the model's to put right", async () => {
    await place.heed.memories.write(
      {
        type: "project",
        name: "board",
        description: "the board of the parser is at https://board.test/p",
        body: "It is.",
      },
      PERSON,
    );
    await place.heed.memories.remove("board", "it is gone", MODEL);
    await expect(place.heed.memories.show("board")).rejects.toThrow("no memory is called");
  });
});

test.each([
  ["I fixed it. Shall I run the linter?", "yes", true],
  ["There is an unused import. Delete it?", "delete it", true],
  ["Shall I forget the rule never to push on a Friday?", "yes", false],
])("after %j, %j leaves the rule in force: %s", async (question, reply, isKept) => {
  await attempt(place.heed.memories.remove(NAME, "in the way", MODEL));
  const [item] = await place.heed.inbox.list();
  await ask(question);
  await say(reply);
  await attempt(place.heed.inbox.confirm(item?.name ?? "", { quote: reply }, MODEL));
  expect(await isInForce()).toBe(isKept);
});
