import { expect, test } from "vitest";
import { TemporaryHeed } from "../home/temporary-heed.ts";

const PERSON = { kind: "person" } as const;
const MODEL = { kind: "model", session: "s1", client: "test" } as const;
const DESCRIPTION = "Release the parser to the registry";
const draft = (steps = "1. npm test\n2. npm version patch") => ({
  type: "procedure",
  statement: DESCRIPTION,
  body: `${DESCRIPTION}\n\n**Steps:**\n${steps}\n\n**Check:** npm view shows it`,
});

const place = TemporaryHeed.withUserStore();

test("waits for the user's click, whatever is quoted: the steps are a model's words", async () => {
  const said = "keep how to release the parser to the registry as a procedure";
  await place.prompt(said);
  const written = await place.heed.memories.write({ ...draft(), quote: said }, MODEL);
  expect(written).toMatchObject({ outcome: "pending" });
  const [question] = await place.heed.consent.questions();
  expect(question).toMatchObject({ kind: "keep", choices: ["keep", "do not keep"] });
  expect(question!.text).toBe(
    `Keep "${DESCRIPTION}" as a procedure in this repository? Steps: ⏎ 1. npm test ⏎ 2. npm version patch ⏎ Check: npm view shows it`,
  );
  expect(question!.detail).toBe(`You said: "${said}"`);
  expect(question!.isQuiet).toBe(false);
});

test("that is too long for a dialog is asked where it can be read whole", async () => {
  await place.heed.memories.write(draft(`1. ${"look at it ".repeat(150)}`), MODEL);
  expect(await place.heed.consent.questions()).toMatchObject([{ isQuiet: true }]);
});

test("is one line in the map, and whole when asked for; a prompt that is about it brings a line at most", async () => {
  await place.heed.memories.write({ ...draft(), name: "release" }, PERSON);
  const start = await place.start();
  expect(start).toContain(`procedure:\n- ${DESCRIPTION} (more) [heed:release]`);
  expect(start).not.toContain("npm version");
  const onPrompt = await place.prompt(`${DESCRIPTION} now, release parser registry`, "s2");
  expect(onPrompt).toContain("heed:release");
  expect(onPrompt).not.toContain("npm version");
  expect((await place.heed.memories.show("release")).body).toContain("npm version patch");
});

test("changes in part, and only as the user approves it; tags are free, its end is asked", async () => {
  await place.heed.memories.write({ ...draft(), name: "release" }, PERSON);
  const changed = await place.heed.memories.update(
    "release",
    { sections: { steps: "1. npm run all" } },
    MODEL,
  );
  expect(changed).toMatchObject({ outcome: "pending" });
  expect((await place.heed.memories.show("release")).body).toContain("npm version patch");
  const [question] = await place.heed.consent.questions();
  expect(question!.text).toContain(`Change the procedure "${DESCRIPTION}"? Steps:`);
  expect(question!.text).toContain("1. npm run all ⏎ Check: npm view shows it");
  await place.heed.inbox.confirm(question!.name, {}, PERSON);
  expect((await place.heed.memories.show("release")).body).toBe(
    `${DESCRIPTION}\n\n**Steps:**\n1. npm run all\n\n**Check:** npm view shows it`,
  );
  const tagged = await place.heed.memories.update("release", { tags: ["npm", "release", "tag"] }, MODEL);
  expect(tagged).toMatchObject({ outcome: "amended" });
  await expect(place.heed.memories.remove("release", "old", MODEL)).rejects.toMatchObject({
    code: "gate-refused",
  });
});

test("needs steps, and is refused with what would pass", async () => {
  const result = await place.heed.memories.write({ type: "procedure", statement: DESCRIPTION }, PERSON);
  expect(result).toMatchObject({ refusals: [{ gate: "schema", reason: "a procedure memory needs Steps" }] });
});

test("shows every line that a yes puts into force, and as the user's only what they said", async () => {
  const quotes = ["release it", "3. npm publish --access public"].map(
    (words) => `> "${words}" (from notes.md)`,
  );
  await place.heed.memories.write({ ...draft(), body: `${draft().body}\n\n${quotes.join("\n")}` }, MODEL);
  const [question] = await place.heed.consent.questions();
  expect(question!.detail).toBeUndefined();
  expect(question!.text).toContain('"3. npm publish --access public" (from notes.md)');
  expect((await place.heed.inbox.list())[0]!.quote).toBeUndefined();
});
