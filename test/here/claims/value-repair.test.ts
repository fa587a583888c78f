import { expect, test } from "vitest";
import type { Actor } from "../../../src/heed.ts";
import { TemporaryHeed } from "../../home/temporary-heed.ts";

const PERSON: Actor = { kind: "person" };
const there = TemporaryHeed.forEachTest();

test("of a text is written as claims are, without the quotes of the source", async () => {
  const at = (mode: string): Record<string, string> => ({ "src/run.ts": `export const MODE = "${mode}";\n` });
  there.commit(at("fast"));
  there.remember({
    type: "project",
    name: "mode",
    statement: "the MODE is fast",
    metadata: ["scope: { repo: '*' }", `claims: ["path:src/run.ts::MODE=fast"]`],
  });
  there.commit(at("slow"));
  await there.heed.maintenance.repair("mode", { isApplied: true, takesValues: true }, PERSON);
  const { metadata, verdict } = await there.heed.memories.show("mode");
  expect(metadata).toMatchObject({ statement: "the MODE is slow", claims: ["path:src/run.ts::MODE=slow"] });
  expect(verdict?.standing).toBe("fresh");
});

const CONFIRMED = () => there.heed.maintenance.verify("cap", { note: "asked Kim, still so" }, PERSON);
const EDITED = () => there.heed.memories.update("cap", { statement: "calls are tried 7 times" }, PERSON);
test.each([
  ["path:src/limits.ts::MAX_RETRIES=5", "MAX_RETRIES", CONFIRMED],
  ["path:src/limits.ts::MAX_RETRIES=5", "MAX_RETRIES", EDITED],
  ["config:package.json#config.tries=5", "config.tries", EDITED],
  ["dep:left-pad@^5", "left-pad", CONFIRMED],
])("of a value, %s, leaves the statement in doubt until somebody looks at it", async (claim, what, look) => {
  const at = (value: number): Record<string, string> => ({
    "src/limits.ts": `export const MAX_RETRIES = ${value};\n`,
    "package.json": `{"config": {"tries": ${value}}, "dependencies": {"left-pad": "^${value}.0.0"}}`,
  });
  there.commit(at(5));
  there.remember({
    type: "project",
    name: "cap",
    statement: "calls are tried five times",
    metadata: ["scope: { repo: '*' }", `claims: ${JSON.stringify([claim])}`],
  });
  there.commit(at(7));
  await there.heed.maintenance.repair("cap", { isApplied: true, takesValues: true }, PERSON);
  const doubt = `${what} was `;
  const { verdict } = await there.heed.memories.show("cap");
  expect(verdict).toMatchObject({ standing: "check", claims: { broken: [] } });
  expect([verdict?.words, verdict?.mark, await there.start()].every((words) => words?.includes(doubt))).toBe(
    true,
  );
  const { sections } = await there.heed.maintenance.health();
  const [found] = sections.flatMap(({ findings }) => findings.filter(({ subject }) => subject === "cap"));
  expect(found?.remedies.map(({ command }) => command)).toEqual(["edit", "check --confirm"]);
  await look();
  const after = await there.heed.memories.show("cap");
  expect(after.verdict?.standing).toBe("fresh");
  expect(after.metadata.claims).toHaveLength(1);
  expect(await there.start("s2")).not.toContain(doubt);
});
