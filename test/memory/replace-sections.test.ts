import { expect, test } from "vitest";
import { readSections, replaceSections } from "../../src/memory/codec/sections.ts";

const BODY =
  "The database is on another port here.\n**Symptom:** ECONNREFUSED\n**Failed:** restarting it\n**Solution:** PGPORT=5433\n**Why:** compose maps the port";

test("one part is replaced, the statement and the others stay", () => {
  const better = replaceSections(BODY, { solution: "PGPORT=5433 npm run db:migrate" });
  expect(readSections(better)).toEqual({
    statement: "The database is on another port here.",
    sections: { ...readSections(BODY).sections, solution: "PGPORT=5433 npm run db:migrate" },
    rest: "",
  });
});

test("what stands below other headings is kept", () => {
  const better = replaceSections(`${BODY}\n\n## Seen on\n\nthe build machine`, { failed: "a new port" });
  expect(better).toContain("**Failed:** a new port");
  expect(better.endsWith("## Seen on\n\nthe build machine")).toBe(true);
});

test("steps stand below their label and are read back; null takes a part away", () => {
  const steps = "1. stop the queue\n2. run the migration\n3. start the queue";
  const better = replaceSections(BODY, { solution: steps, failed: null, "how-to-apply": "in that order" });
  expect(better).toContain("**Solution:**\n1. stop the queue");
  expect(readSections(better).sections).toEqual({
    symptom: "ECONNREFUSED",
    solution: steps,
    why: "compose maps the port",
    "how-to-apply": "in that order",
  });
  expect(replaceSections(better, {})).toBe(better);
});

test("a part that is replaced stays where it stands, a new one comes last", () => {
  const procedure =
    "Release.\n\n**How to apply:** each Friday\n\n**Steps:**\n1. tag\n\n**Check:** the tag is there";
  const changed = replaceSections(procedure, { steps: "1. test\n2. tag", failed: "tag first" });
  expect(changed).toBe(
    "Release.\n\n**How to apply:** each Friday\n\n**Steps:**\n1. test\n2. tag\n\n**Check:** the tag is there\n\n**Failed:** tag first",
  );
});
