import { describe, expect, test } from "vitest";
import type { MemoryToolCommand } from "../../src/heed.ts";
import { TemporaryHeed } from "../home/temporary-heed.ts";

const MODEL = { kind: "model" } as const;
const PERSON = { kind: "person" } as const;
const LIMIT = "/memories/project/limit.md";

const place = TemporaryHeed.forEachTest();

const run = (command: MemoryToolCommand, actor: { kind: "model" | "person" } = PERSON): Promise<string> =>
  place.heed.memoryTool.run(command, actor);

const withLimit = (): Promise<string> =>
  run({ command: "create", path: LIMIT, file_text: "Uploads are cut at 5 MB.\nThe gateway does it." });

describe("the memory tool of the API", () => {
  test("an empty directory shows the folders of the types", async () => {
    expect(await run({ command: "view", path: "/memories" })).toBe(
      [
        "Here're the files and directories up to 2 levels deep in /memories, excluding hidden items and node_modules:",
        "0B\t/memories",
        ...["feedback", "user", "project", "reference", "solution", "procedure"].map(
          (type) => `0B\t/memories/${type}/`,
        ),
      ].join("\n"),
    );
  });

  test("what is created is a memory of the folder's type, and is seen with numbered lines", async () => {
    expect(await withLimit()).toBe(`File created successfully at: ${LIMIT}`);
    const { metadata } = await place.heed.memories.show("limit");
    expect([metadata.type, metadata.description]).toEqual(["project", "Uploads are cut at 5 MB."]);
    const seen = await run({ command: "view", path: LIMIT });
    expect(seen).toMatch(
      /^Here's the content of \/memories\/project\/limit\.md with line numbers:\n {5}1\t---\n {5}2\tname: limit\n/,
    );
    expect(await run({ command: "view", path: LIMIT, view_range: [2, 2] })).toBe(
      `Here's the content of ${LIMIT} with line numbers:\n     2\tname: limit`,
    );
    const listed = await run({ command: "view", path: "/memories/project" });
    expect(listed.split("\n").slice(1)).toEqual([
      expect.stringMatching(/^\d+B\t\/memories\/project\/$/),
      expect.stringMatching(/^\d+B\t\/memories\/project\/limit\.md$/),
    ]);
  });

  test("a file that is there is not made again", async () => {
    await withLimit();
    expect(await withLimit()).toBe(`Error: File ${LIMIT} already exists`);
  });

  test("a text is replaced where it stands once", async () => {
    await withLimit();
    const injected = await run({
      command: "str_replace",
      path: LIMIT,
      old_str: "The gateway",
      new_str: "The proxy",
    });
    expect(injected).toBe("The memory file has been edited.");
    expect((await place.heed.memories.show("limit")).body).toContain("The proxy does it.");
  });

  test("a text that is not there, or there twice, is not replaced", async () => {
    await run({ command: "create", path: LIMIT, file_text: "Uploads are cut.\nalpha\nbeta\nalpha" });
    expect(await run({ command: "str_replace", path: LIMIT, old_str: "gamma", new_str: "x" })).toBe(
      `Error: No replacement was performed, old_str \`gamma\` did not appear verbatim in ${LIMIT}.`,
    );
    expect(await run({ command: "str_replace", path: LIMIT, old_str: "alpha", new_str: "x" })).toMatch(
      /^Error: No replacement was performed\. Multiple occurrences of old_str `alpha` in lines: \d+, \d+\. Please ensure it is unique$/,
    );
  });

  test("a line is inserted within the file alone", async () => {
    await withLimit();
    const { text } = await place.heed.memories.showFile("limit");
    const last = text.split("\n").length;
    expect(
      await run({
        command: "insert",
        path: LIMIT,
        insert_line: last - 1,
        insert_text: "Seen in May 2026.\n",
      }),
    ).toBe(`The file ${LIMIT} has been edited.`);
    expect((await place.heed.memories.show("limit")).body).toMatch(
      /The gateway does it\.\nSeen in May 2026\./,
    );
    expect(await run({ command: "insert", path: LIMIT, insert_line: 999, insert_text: "x" })).toMatch(
      /^Error: Invalid `insert_line` parameter: 999\. It should be within the range of lines of the file: \[0, \d+\]$/,
    );
  });

  test("what is deleted is removed with history, and can be restored", async () => {
    await withLimit();
    expect(await run({ command: "delete", path: LIMIT })).toBe(`Successfully deleted ${LIMIT}`);
    expect(await run({ command: "delete", path: LIMIT })).toBe(
      `Error: The path ${LIMIT} does not exist. Please provide a valid path.`,
    );
    await place.heed.memories.restore("limit", PERSON);
    expect(await run({ command: "view", path: LIMIT })).toContain("Uploads are cut");
  });

  test("a rename changes name and type, and overwrites nothing", async () => {
    await withLimit();
    await run({
      command: "create",
      path: "/memories/project/other.md",
      file_text: "The invoice job runs at 02:00 UTC.",
    });
    expect(await run({ command: "rename", old_path: LIMIT, new_path: "/memories/project/other.md" })).toBe(
      "Error: The destination /memories/project/other.md already exists",
    );
    expect(
      await run({ command: "rename", old_path: LIMIT, new_path: "/memories/project/upload-limit.md" }),
    ).toBe(`Successfully renamed ${LIMIT} to /memories/project/upload-limit.md`);
    expect(await run({ command: "rename", old_path: LIMIT, new_path: "/memories/project/x.md" })).toBe(
      `Error: The path ${LIMIT} does not exist. Please provide a valid path.`,
    );
  });

  test.each([
    ["/memories/../etc/passwd", "does not exist"],
    ["/memories/project/../../x.md", "does not exist"],
    ["/memories/%2e%2e/x.md", "does not exist"],
    ["/etc/passwd", "Path must start with /memories, got: /etc/passwd"],
    ["/memoriesx/a.md", "does not exist"],
    ["/memories/none", "does not exist"],
  ])("%s is refused", async (path, injected) => {
    const answer = await run({ command: "view", path });
    expect(answer).toMatch(/^Error: /);
    expect(answer).toContain(injected);
  });

  test("a gate's refusal is told with its remedy, and nothing is written", async () => {
    const answer = await run({
      command: "create",
      path: "/memories/reference/x.md",
      file_text: "it is somewhere\n".repeat(2000),
    });
    expect(answer).toMatch(/^Error: \/memories\/reference\/x\.md was not written: refused by schema: /);
    expect(await place.heed.memories.list()).toEqual([]);
  });

  test("what a model says of the user is not said to be written", async () => {
    const answer = await run(
      { command: "create", path: "/memories/user/vim.md", file_text: "The user prefers vim." },
      MODEL,
    );
    expect(answer).toMatch(
      /^Error: \/memories\/user\/vim\.md is not written yet: the user did not say this about themselves/,
    );
    expect(await place.heed.inbox.list()).toHaveLength(1);
  });

  test("a folder of no type is answered with those that there are", async () => {
    expect(await run({ command: "create", path: "/memories/notes.md", file_text: "x" })).toContain(
      "/memories/reference/ (where things are in external systems)",
    );
    expect(await run({ command: "delete", path: "/memories" })).toBe(
      "Error: /memories is a folder, and stays: name a file in it",
    );
  });

  test.each([
    [{ command: "fly", path: "/memories" }, "Error: Unknown command: fly"],
    [{ command: "__proto__", path: "/memories" }, "Error: Unknown command: __proto__"],
    [{ command: "create", path: LIMIT }, "Error: Missing or invalid parameter: file_text"],
    [{ command: "view", path: 3 }, "Error: Missing or invalid parameter: path"],
  ])("%j is answered, not thrown", async (command, injected) => {
    expect(await run(command as unknown as MemoryToolCommand)).toBe(injected);
  });
});
