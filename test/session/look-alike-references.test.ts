import { beforeEach, describe, expect, test } from "vitest";
import { TemporaryHeed } from "../home/temporary-heed.ts";

const SERVICES = ["auth", "billing", "carts", "delivery", "exports", "fraud"];
const statementOf = (name: string): string =>
  `dashboard of the ${name} service: https://grafana.acme.example/d/${name}`;

const there = TemporaryHeed.withUserStore();

describe("six references that differ in one word", () => {
  beforeEach(async () => {
    there.addOrigin("https://github.com/acme/api.git");
    for (const name of SERVICES) {
      const model = { kind: "model", client: "claude-code", session: "s0" } as const;
      const draft = { type: "reference", statement: statementOf(name) };
      await there.heed.memories.write(draft, model);
    }
  });

  test("are six memories, each under a handle of its own", async () => {
    const memories = await there.heed.memories.list();
    expect(memories.map(({ statement }) => statement).toSorted()).toEqual(SERVICES.map(statementOf));
    expect(new Set(memories.map(({ name }) => name)).size).toBe(SERVICES.length);
  });

  test.each(SERVICES)("a prompt about %s brings that one", async (name) => {
    const context = await there.prompt(`Open the dashboard of the ${name} service for me`);
    expect(context).toContain(statementOf(name));
    const named = SERVICES.filter((one) => context.includes(`https://grafana.acme.example/d/${one}`));
    expect(named).toEqual([name]);
  });

  test.each([
    "latency of billing is up, where do I look? the dashboard?",
    "where is the billing dashboard?",
    "show me the billing service's dashboard and say what is wrong",
  ])("so does: %s", async (prompt) => {
    const context = await there.prompt(prompt);
    expect(context).toContain(statementOf("billing"));
    expect(context).not.toContain(statementOf("auth"));
  });

  test("so does one in a session that knows them by its map, where their line holds no addresses", async () => {
    const start = await there.start("s1");
    const context = await there.prompt("Open the dashboard of the fraud service for me", "s1");
    expect(start).not.toContain("https://grafana.acme.example/d/fraud");
    expect(context).toContain(statementOf("fraud"));
    expect(context).not.toContain(statementOf("auth"));
  });
});
