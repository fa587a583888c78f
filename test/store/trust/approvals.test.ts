import { readFileSync, rmSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { contentHashOf } from "../../../src/store/files/scan-store.ts";
import { type ApprovedText, Approvals, changeApprovals } from "../../../src/store/consent.ts";
import { temporaryFolder } from "../temporary-store.ts";

let state: { folder: string };
beforeEach(() => {
  state = { folder: temporaryFolder() };
});

const approved = (text: string, id = "a"): ApprovedText => ({
  id,
  name: id,
  hash: contentHashOf(text),
  file: `feedback/${id}.md`,
  text,
});
const approve = (...texts: string[]): void => {
  for (const text of texts) changeApprovals(state, { approved: [approved(text)] });
};
const [h1, h2] = [contentHashOf("one"), contentHashOf("two")] as const;

describe("the texts of rules that were approved", () => {
  test("are the last one of each rule", () => {
    approve("one", "two");
    const known = new Approvals(state);
    expect([known.has("a", h1), known.has("a", h2)]).toEqual([false, true]);
  });

  test.each(["", "{", "[]", '{"version":1,"rules":[]}', '{"version":1,"rules":{"a":{"hash":"h1"}}}'])(
    "are none where their list is damaged: %j",
    (text) => {
      approve("one");
      writeFileSync(join(state.folder, "approved", "rules.json"), text);
      rmSync(join(state.folder, "approved", "rules.json.kept"));
      const approvals = new Approvals(state);
      expect([approvals.has("a", h1), approvals.newestOf("a"), approvals.isLost]).toEqual([
        false,
        undefined,
        !text.includes("hash"),
      ]);
    },
  );

  test("have no text where its copy is another one", () => {
    approve("one");
    const folder = join(state.folder, "approved");
    const [copy = ""] = readdirSync(folder).filter((name) => name.endsWith(".md"));
    writeFileSync(join(folder, copy), "two");
    expect(new Approvals(state).newestOf("a")).toBeUndefined();
  });

  test("are private, by whatever id a file gives itself", () => {
    changeApprovals(state, { approved: [approved("one", "../../outside")] });
    const folder = join(state.folder, "approved");
    expect(new Approvals(state).newestOf("../../outside")?.text).toBe("one");
    expect(readdirSync(state.folder)).toEqual(["approved"]);
    if (process.platform === "win32") return;
    for (const file of readdirSync(folder)) expect(statSync(join(folder, file)).mode & 0o077).toBe(0);
    expect(readFileSync(join(folder, "rules.json"), "utf8")).toContain("outside");
  });
});
