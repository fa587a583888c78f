import { expect, it } from "vitest";
import { METHODS } from "../../src/heed.ts";
import { ANSWER } from "../../src/facade/session.ts";
import { readApi } from "./read-api.ts";

it("what is checked of a method is what its signature has, by the same names", () => {
  const all = { ...METHODS, "session.answer": { takes: ANSWER } };
  const checked = Object.entries(all).map(([path, { takes }]) => {
    const names = Object.entries(takes).map(([one, { isOptional }]) => (isOptional ? `${one}?` : one));
    return `${path}: ${path.split(".").at(-1)}(${names.join(", ")})`;
  });
  const injected = readApi().flatMap(({ path, methods }) =>
    path === ""
      ? []
      : methods.map((one) => `${one.path}: ${one.signature.replace("onChange, changed", "onChange")}`),
  );
  expect(checked.toSorted()).toEqual(injected.toSorted());
});
