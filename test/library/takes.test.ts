import { expect, it } from "vitest";
import { METHODS } from "../../src/heed.ts";
import { readApi } from "./read-api.ts";

it("what is checked of a method is what its signature has, by the same names", () => {
  const checked = Object.entries(METHODS).map(([path, { takes }]) => {
    const names = Object.entries(takes).map(([one, { isOptional }]) => (isOptional ? `${one}?` : one));
    return `${path}: ${path.split(".").at(-1)}(${names.join(", ")})`;
  });
  const injected = readApi().flatMap(({ path, methods }) =>
    path === ""
      ? []
      : methods.map((one) => `${one.path}: ${one.signature.replace("onChange, changed", "onChange")}`),
  );
  // It must not reject, so it is called in a way of its own.
  const others = injected.filter((line) => !line.startsWith("session.answer"));
  expect(checked.toSorted()).toEqual(others.toSorted());
});
