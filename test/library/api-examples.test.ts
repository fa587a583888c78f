import { describe, expect, it } from "vitest";
import { METHODS } from "../../src/heed.ts";
import { TemporaryHeed } from "../home/temporary-heed.ts";
import { exampleValues, fillHome } from "./example-home.ts";
import { readApi } from "./read-api.ts";

// Every method says what it does and what it can refuse; every group has an example that is run here as it stands.
// `// → value` is what an expression of an example must be.
const groups = readApi();
const methods = groups.flatMap(({ methods: all }) => all);

/** An example as the body of a function that gives each claim as [is, ought]. */
function withClaims(example: string): string {
  const lines = example
    .replace(/ as const\b/g, "")
    .split("\n")
    .map((line) => line.replace(/^(.*); \/\/ → (.*)$/, "claims.push([$1, $2]);"));
  return `const claims = [];\n${lines.join("\n")}\nreturn claims;`;
}

const AsyncFunction = (async () => {}).constructor as new (
  ...parts: string[]
) => (...values: unknown[]) => Promise<[unknown, unknown][]>;

describe("the comments of the façade", () => {
  it("are there for each method, and for no other", () => {
    expect(methods.map(({ path }) => path).toSorted()).toEqual(Object.keys(METHODS).toSorted());
  });

  it.each(methods.map((method) => [method.path, method] as const))("%s says what it does", (_, method) => {
    expect(method.summary).toMatch(/^[A-Z].{10,}\.$/);
    // Without such a line it comes with no other codes than every method.
    expect(method.throws).toMatch(/^$|^HeedError /);
  });
});

describe("the example of", () => {
  const place = TemporaryHeed.prepared(fillHome);

  it.each(groups.map(({ path, example }) => [path, example] as const))("%s runs", async (_, example) => {
    const values = await exampleValues(place);
    const claims = await new AsyncFunction(...Object.keys(values), withClaims(example))(
      ...Object.values(values),
    );
    expect(claims.length).toBeGreaterThan(0);
    for (const [is, ought] of claims) expect(is).toEqual(ought);
  });
});
