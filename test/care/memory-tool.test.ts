import { beforeEach, describe, expect, test } from "vitest";
import type { MemoryToolCommand } from "../../src/heed.ts";
import { TemporaryHeed } from "../home/temporary-heed.ts";

const LIMIT = "/memories/project/limit.md";
const OTHER = "/memories/project/other.md";
const HEAD =
  "Here're the files and directories up to 2 levels deep in /memories, excluding hidden items and node_modules:\n";

const place = TemporaryHeed.forEachTest();

const run = (command: object, kind: "model" | "person" = "person"): Promise<string> =>
  place.heed.memoryTool.run(command as MemoryToolCommand, { kind });
const create = (path: string, text: string): Promise<string> =>
  run({ command: "create", path, file_text: text });
const body = async (): Promise<string> => (await place.heed.memories.show("limit")).body;

test("an empty directory shows the folders of the types", async () => {
  const types = ["feedback", "user", "project", "reference", "solution", "procedure"];
  const lines = ["0B\t/memories", ...types.map((type) => `0B\t/memories/${type}/`)];
  expect(await run({ command: "view", path: "/memories" })).toBe(HEAD + lines.join("\n"));
});

describe("a file", () => {
  beforeEach(async () => {
    await create(LIMIT, "Uploads are cut at 5 MB.\nalpha\nbeta\nalpha");
  });

  test("is a memory of its folder's type, listed, seen with numbered lines, and not made again", async () => {
    const { metadata } = await place.heed.memories.show("limit");
    expect([metadata.type, metadata.statement]).toEqual(["project", "Uploads are cut at 5 MB."]);
    const head = `Here's the content of ${LIMIT} with line numbers:\n`;
    const seen = await run({ command: "view", path: LIMIT });
    // What heed keeps beside the text is not part of the file.
    const lines = ["Uploads are cut at 5 MB.", "alpha", "beta", "alpha"];
    expect(seen).toBe(head + lines.map((line, i) => `     ${i + 1}\t${line}`).join("\n"));
    const range = { command: "view", path: LIMIT, view_range: [2, 2] };
    expect(await run(range)).toBe(`${head}     2\talpha`);
    expect(await run({ ...range, view_range: 2 })).toBe("Error: Missing or invalid parameter: view_range");
    const listed = await run({ command: "view", path: "/memories/project" });
    expect(listed).toMatch(/:\n\d+B\t\/memories\/project\/\n\d+B\t\/memories\/project\/limit\.md$/);
    expect(await create(LIMIT, "x")).toBe(`Error: File ${LIMIT} already exists`);
    expect(await create("/memories/reference/limit.md", "The limit is in the wiki.")).toBe(
      `Error: File ${LIMIT} already exists: edit it, or choose another name`,
    );
  });

  test("is edited where the old text stands once, and at a line that it has", async () => {
    const replace = (old: string): Promise<string> =>
      run({ command: "str_replace", path: LIMIT, old_str: old, new_str: "$& gamma" });
    expect(await replace("beta")).toBe(
      "The memory file has been edited. Here is the snippet showing the change (with line numbers):\n" +
        "     1\tUploads are cut at 5 MB.\n     2\talpha\n     3\t$& gamma\n     4\talpha",
    );
    expect(await body()).toContain("\n$& gamma\n");
    expect(await replace("delta")).toBe(
      `Error: No replacement was performed, old_str \`delta\` did not appear verbatim in ${LIMIT}.`,
    );
    expect(await replace("alpha")).toMatch(
      /^Error: No replacement was performed\. Multiple occurrences of old_str `alpha` in lines: \d+, \d+\. Please ensure it is unique$/,
    );
    const insert = (line: number): Promise<string> =>
      run({ command: "insert", path: LIMIT, insert_line: line, insert_text: "Seen in May 2026.\n" });
    expect(await insert(4)).toBe(`The file ${LIMIT} has been edited.`);
    expect(await body()).toMatch(/alpha\nSeen in May 2026\./);
    expect(await insert(999)).toMatch(
      /^Error: Invalid `insert_line` parameter: 999\. It should be within the range of lines of the file: \[0, \d+\]$/,
    );
  });

  test("is deleted with history, and renamed over nothing", async () => {
    expect(await run({ command: "delete", path: LIMIT })).toBe(`Successfully deleted ${LIMIT}`);
    expect(await run({ command: "delete", path: LIMIT })).toContain(
      `Error: The path ${LIMIT} does not exist`,
    );
    expect(await run({ command: "delete", path: "/memories/" })).toBe(
      "Error: Cannot delete the /memories directory itself",
    );
    await place.heed.memories.restore("limit", { kind: "person" });
    const created = await create(OTHER, "The invoice job runs at 02:00 UTC.");
    expect(created).toBe(`File created successfully at: ${OTHER}`);
    const rename = (to: string): Promise<string> => run({ command: "rename", old_path: LIMIT, new_path: to });
    expect(await rename(OTHER)).toBe(`Error: The destination ${OTHER} already exists`);
    const moved = "/memories/reference/upload-limit.md";
    expect(await rename(moved)).toBe(`Successfully renamed ${LIMIT} to ${moved}`);
    expect(await run({ command: "view", path: moved })).toContain("Uploads are cut");
  });
});

test.each<[command: object, answer: string]>([
  ...[
    ["/memories/../etc/passwd", "Path /memories/../etc/passwd would escape /memories directory"],
    ["/memories/project/../../x.md", "would escape /memories directory"],
    ["/memories/%2e%2e/x.md", "would escape /memories directory"],
    ["/etc/passwd", "Path must start with /memories, got: /etc/passwd"],
    ["/memoriesx/a.md", "Path must start with /memories, got: /memoriesx/a.md"],
    ["/memories/none", "does not exist"],
  ].map(([path, answer = ""]): [object, string] => [{ command: "view", path }, answer]),
  [{ command: "fly", path: "/memories" }, "Error: Unknown command: fly"],
  [{ command: "__proto__", path: "/memories" }, "Error: Unknown command: __proto__"],
  [{ command: "create", path: LIMIT }, "Error: Missing or invalid parameter: file_text"],
  [{ command: "view", path: 3 }, "Error: Missing or invalid parameter: path"],
  [{ command: "delete", path: "/memories" }, "Error: Cannot delete the /memories directory itself"],
])("%j is answered, not thrown", async (command, answer) => {
  expect(await run(command)).toMatch(/^Error: /);
  expect(await run(command)).toContain(answer);
});

test.each([
  "/memories/notes.md",
  "/memories/customer_service_guidelines.xml",
  "/memories/progress",
  "/memories/customers/acme/history.md",
])(
  "%s is made, listed, seen as it was written, edited, renamed and deleted where the model put it",
  async (path) => {
    const text = "The invoice job runs at 02:00 UTC each quarter.\nIt is owned by Mara.";
    expect(await create(path, text)).toBe(`File created successfully at: ${path}`);
    expect((await place.heed.memories.list()).map(({ type }) => type)).toEqual(["project"]);
    const [, listed = ""] =
      /\t(\/memories\/\S+\.md)$/m.exec(await run({ command: "view", path: "/memories" })) ?? [];
    const view = (at: string): Promise<string> => run({ command: "view", path: at });
    for (const at of [path, listed])
      expect(await view(at)).toBe(
        `Here's the content of ${at} with line numbers:\n${text.replace(/^/gm, (_, i: number) => `     ${i > 0 ? 2 : 1}\t`)}`,
      );
    // The statement that sessions read follows the first line.
    await run({ command: "str_replace", path, old_str: "quarter", new_str: "month" });
    const [memory] = await place.heed.memories.list();
    expect(memory?.statement).toBe("The invoice job runs at 02:00 UTC each month.");
    expect(await run({ command: "rename", old_path: path, new_path: "/memories/final.txt" })).toBe(
      `Successfully renamed ${path} to /memories/final.txt`,
    );
    expect(await view(path)).toBe(`Error: The path ${path} does not exist. Please provide a valid path.`);
    expect(await run({ command: "delete", path: "/memories/final.txt" })).toBe(
      "Successfully deleted /memories/final.txt",
    );
  },
);

test("a memory that others wrote is a file that begins with its statement", async () => {
  const draft = { type: "project", name: "freeze", statement: "no deploys on Fridays", body: "Ask Ines." };
  await place.heed.memories.write(draft, { kind: "person" });
  const path = "/memories/freeze.md";
  expect(await run({ command: "view", path })).toMatch(/:\n {5}1\tno deploys on Fridays\n[^]*\tAsk Ines\.$/);
  await run({ command: "str_replace", path, old_str: "Ines", new_str: "Mara" });
  const { metadata, body: kept } = await place.heed.memories.show("freeze");
  expect([metadata.statement, kept]).toEqual([draft.statement, expect.stringContaining("Ask Mara.")]);
});

test("what a gate refuses or holds back is told with the remedy", async () => {
  expect(await create("/memories/reference/x.md", "it is somewhere\n".repeat(2000))).toMatch(
    /^Error: \/memories\/reference\/x\.md was not written: refused by schema: /,
  );
  expect(await place.heed.memories.list()).toEqual([]);
  const about = { command: "create", path: "/memories/user/vim.md", file_text: "The user prefers vim." };
  expect(await run(about, "model")).toMatch(
    /^Error: \/memories\/user\/vim\.md is not written yet: it is inferred, not quoted/,
  );
  expect(await place.heed.inbox.list()).toHaveLength(1);
});
