import { describe, expect, test } from "vitest";
import { secretGate } from "../../src/curate/text-gates.ts";
import { contextOf, draftOf } from "./gate-fixture.ts";

const TOKEN = `ghp_${"aB3dE5fG7hI9jK1lM2nO4pQ6rS8tU0vW".repeat(2).slice(0, 36)}`;

describe("the secret gate", () => {
  test("names what and where, never the value, and proposes the redacted draft", async () => {
    const draft = draftOf({
      description: `releases are cut with ${TOKEN}`,
      body: `Cut releases weekly.\nThe token is ${TOKEN}.`,
      tags: ["release", TOKEN],
    });
    const { refusals = [] } = await secretGate.check(draft, contextOf("project"));
    expect(refusals).toMatchObject([
      {
        gate: "secret",
        reason: expect.stringContaining(
          "github-token in the description, github-token in line 2 of the text, github-token in line 2 of the tags",
        ) as string,
        remedy: expect.stringContaining("where the secret is kept") as string,
        proposal: {
          description: "releases are cut with [redacted: github-token]",
          body: "Cut releases weekly.\nThe token is [redacted: github-token].",
          tags: ["release", "[redacted: github-token]"],
        },
      },
    ]);
    expect(JSON.stringify(refusals)).not.toContain(TOKEN);
  });

  test.each([
    ["name", TOKEN],
    ["description", TOKEN],
    ["body", TOKEN],
    ["tags", ["release", TOKEN]],
    ["aliases", ["release", TOKEN]],
    ["trigger", ["release", TOKEN]],
  ] as const)("looks at the %s", async (key, value) => {
    const { refusals = [] } = await secretGate.check(draftOf({ [key]: value }), contextOf("project"));
    expect(refusals).toMatchObject([{ gate: "secret" }]);
    expect(JSON.stringify(refusals)).not.toContain(TOKEN);
  });

  test("its proposal passes", async () => {
    const [refusal] =
      (await secretGate.check(draftOf({ body: `It is ${TOKEN}.` }), contextOf("project"))).refusals ?? [];
    const mended = draftOf(refusal?.proposal ?? {});
    expect(await secretGate.check(mended, contextOf("project"))).toEqual({});
  });

  test("keys that only the file has are looked at as well", async () => {
    const text = `---\nname: a\nmetadata:\n  note: ${TOKEN}\n---\nText.`;
    const { refusals = [] } = await secretGate.check(draftOf(), contextOf("project", { text }));
    expect(refusals).toMatchObject([
      { reason: expect.stringContaining("github-token in line 4 of the file") as string },
    ]);
  });
});
