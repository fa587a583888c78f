import { expect, it } from "vitest";
import { EXIT, EXIT_OF_ERROR } from "../../../src/surfaces/cli/arguments/command.ts";

it("means what it always meant", () => {
  expect(EXIT).toEqual({ done: 0, refused: 1, usage: 2, notFound: 3, conflict: 4, outside: 5, internal: 70 });
  expect(EXIT_OF_ERROR).toEqual({
    "invalid-input": 2,
    ambiguous: 2,
    "not-found": 3,
    "no-store": 3,
    "gate-refused": 1,
    "read-only": 1,
    "broken-file": 1,
    conflict: 1,
    "changed-outside": 4,
    locked: 4,
    "git-failed": 5,
    "io-failed": 5,
    unreachable: 5,
  });
});
