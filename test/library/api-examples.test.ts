import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openHeed } from "../../src/heed.ts";
import { ExampleHome } from "./example-home.ts";
import { facadeMethods } from "./facade-methods.ts";
import { readApi } from "./read-api.ts";

// Every method says what it does, what it can refuse, and has an example that is run here as it stands. `// → value` is
// what an expression of an example must be.
const injected = readApi().flatMap(({ methods }) => methods);
const examples = new ExampleHome();
let shared: ReturnType<ExampleHome["again"]>;
beforeAll(async () => {
  await examples.fill();
  shared = examples.again();
}, 60_000);
afterAll(async () => {
  await shared.home.remove();
  await examples.remove();
});

/** Methods that change nothing: their examples share a home, but where they act as somebody first. */
const READS = new Set(
  (
    "list summaries show showAll showFile search overview types readDraft blame diff questions nextDialog try why map opening " +
    "receipts newest check health sources stores repositoryLabel reviewTrust status plan"
  ).split(" "),
);

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
    const methods = facadeMethods(openHeed()).map(({ path }) => path);
    expect(injected.map(({ path }) => path).toSorted()).toEqual(methods.toSorted());
  });

  it.each(injected.map((method) => [method.path, method] as const))(
    "%s says all there is to know",
    (_, method) => {
      expect(method.summary).toMatch(/^[A-Z].{10,}\.$/);
      // Without such a line it comes with no other codes than every method.
      expect(method.throws).toMatch(/^$|^HeedError /);
      expect(method.example).not.toBe("");
      expect(method.example.split("\n").length).toBeLessThanOrEqual(3);
    },
  );
});

describe("the example of", () => {
  it.each(injected.map(({ path, example }) => [path, example] as const))("%s runs", async (path, example) => {
    const isReading = READS.has(path.slice(path.lastIndexOf(".") + 1));
    const isShared = isReading && !/\b(?:person|model)\b/.test(example);
    const { home, values } = isShared ? shared : examples.again();
    try {
      const run = new AsyncFunction(...Object.keys(values), withClaims(example));
      for (const [is, ought] of await run(...Object.values(values))) expect(is).toEqual(ought);
    } finally {
      if (!isShared) await home.remove();
    }
  });
});
