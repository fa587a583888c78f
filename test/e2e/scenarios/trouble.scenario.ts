import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect } from "vitest";
import type { Sandbox } from "../client/sandbox.ts";
import { serversOf } from "../client/sandbox-process.ts";
import type { SessionRecord } from "../client/session.ts";
import { contextOf, readByModel, requestFor } from "../expectations.ts";
import { manyRules, placeInUserStore, rule } from "../memory-files.ts";
import { test } from "../scenario.ts";

/**
 * Longest wait, in milliseconds, for a request when something of heed is broken: the time limits of its hooks together
 * with the start of the client on a busy machine, and less than the 30 seconds after which the client gives up itself.
 */
const HARMLESS_MS = 20_000;
const OWN = rule("own-rule", "Own rules are in force");

/** The session went on: each prompt was answered in time, and nothing of the trouble was told to the model. */
function expectPrompts(record: SessionRecord, prompts: readonly string[]): void {
  for (const [index, prompt] of prompts.entries()) {
    const request = requestFor(prompt, record);
    expect(request.atMs - record.promptsSentAtMs[index]!).toBeLessThan(HARMLESS_MS);
    expect(contextOf(request)).not.toMatch(/\bat \S+ \(.*:\d+:\d+\)|ENOENT|EACCES|HeedError|node:internal/);
  }
  expect(record.events.filter((event) => event.type === "result" && event.is_error === true)).toEqual([]);
}

/** Moreover, the user saw nothing of it. */
function expectUnharmed(record: SessionRecord, prompts: readonly string[]): void {
  expectPrompts(record, prompts);
  // A hook that fails shows its stderr to the user in the middle of the work.
  expect(record.hooks.filter((hook) => hook.outcome === "error" || hook.stderr !== "")).toEqual([]);
}

describe("the session goes on", () => {
  test("without any store", async ({ session }) => {
    const record = await session({ prompts: ["one", "two"] });
    expectUnharmed(record, ["one", "two"]);
    expect(record.hooks.filter((hook) => hook.outcome !== "success")).toEqual([]);
    expect(record.hooks.filter((hook) => hook.context !== "")).toEqual([]);
  });

  test.for<[what: string, damage: (sandbox: Sandbox) => void]>([
    [
      "broken files",
      (sandbox) => {
        const files = {
          "feedback/broken.md": "---\nname: [unclosed\n  : : :\n---\nBROKEN\n",
          "feedback/unclosed.md": "---\nname: never-closed\n",
          "feedback/binary.md": "\u0000\u0001\u0002".repeat(1000),
          "feedback/empty.md": "",
          "config.yaml": "mode: [\n",
        };
        for (const [file, text] of Object.entries(files)) sandbox.write(`${sandbox.userStore}/${file}`, text);
      },
    ],
    [
      "a file whose reading never ends",
      ({ userStore }) => void execFileSync("mkfifo", [join(userStore, "feedback", "pipe.md")]),
    ],
    [
      // Git carries symbolic links: a clone can bring these.
      "a project store whose files are links to endless devices",
      ({ project }) => {
        mkdirSync(join(project, ".heed", "feedback"), { recursive: true });
        for (const name of ["config.yaml", "feedback/zero.md", ".index.json", "MEMORY.md"])
          symlinkSync("/dev/zero", join(project, ".heed", name));
      },
    ],
    [
      "a project store that is a link to the whole file system",
      ({ project }) => symlinkSync("/", join(project, ".heed")),
    ],
    [
      "a huge file and a deep tree",
      (sandbox) => {
        sandbox.write(
          `${sandbox.userStore}/project/huge.md`,
          `---\nname: huge\n---\n${"words ".repeat(4_000_000)}`,
        );
        sandbox.write(`${sandbox.userStore}/${"deep/".repeat(200)}rule.md`, "---\nname: deep\n---\ndeep\n");
      },
    ],
  ])("with %s, and what is sound is in force", async ([, damage], { sandbox, session }) => {
    placeInUserStore(sandbox, OWN);
    damage(sandbox);
    const record = await session({ prompts: ["one", "two"] });
    expectUnharmed(record, ["one", "two"]);
    expect(contextOf(requestFor("one", record))).toContain(OWN.description);
  });

  test("with a store that is a file", async ({ sandbox, session }) => {
    sandbox.write(sandbox.userStore, "not a directory\n");
    const record = await session({ prompts: ["one"] });
    expectUnharmed(record, ["one"]);
  });

  test.skipIf(process.getuid?.() === 0)(
    "with a store that must not be read",
    async ({ sandbox, session }) => {
      const [file = ""] = placeInUserStore(sandbox, OWN);
      chmodSync(file, 0o000);
      chmodSync(sandbox.userStore, 0o000);
      try {
        expectUnharmed(await session({ prompts: ["one"] }), ["one"]);
      } finally {
        chmodSync(sandbox.userStore, 0o700);
      }
    },
  );

  test("with a prompt of a million characters", async ({ sandbox, session }) => {
    placeInUserStore(sandbox, OWN);
    const long = "why does the build fail with ENOSPC? ".repeat(27_000);
    const record = await session({ prompts: ["one", long, "three"] });
    expectUnharmed(record, ["one", long, "three"]);
  });

  test("when the store disappears in the middle", async ({ sandbox, session }) => {
    placeInUserStore(sandbox, OWN);
    const remove = (): void => rmSync(sandbox.userStore, { recursive: true });
    const record = await session({ prompts: ["one", { text: "two", before: remove }, "three"] });
    expectUnharmed(record, ["one", "two", "three"]);
  });

  test("when the server is killed", async ({ sandbox, session }) => {
    placeInUserStore(sandbox, OWN);
    const killed: number[] = [];
    const kill = (): void => {
      for (const { pid } of serversOf(sandbox.home)) {
        process.kill(pid, "SIGKILL");
        killed.push(pid);
      }
    };
    const record = await session({ prompts: ["one", { text: "two", before: kill }, "three"] });
    expect(killed).toHaveLength(1);
    // The client starts it again, and may first see that the connection is gone.
    const [torn, ...more] = record.hooks.filter((hook) => hook.outcome !== "success");
    expect(more).toEqual([]);
    expect(torn?.stderr ?? "Connection closed").toBe("Connection closed");
    expect(record.hooks.findLast((hook) => hook.event === "UserPromptSubmit")?.outcome).toBe("success");
    expectPrompts(record, ["one", "two", "three"]);
  });

  test("when the server hangs, which costs no more than its deadline", async ({ sandbox, session }) => {
    placeInUserStore(sandbox, OWN);
    const stopped: number[] = [];
    const stop = (): void => {
      for (const { pid } of serversOf(sandbox.home)) {
        process.kill(pid, "SIGSTOP");
        stopped.push(pid);
      }
    };
    const resume = (): { text: string } => {
      for (const pid of stopped) process.kill(pid, "SIGCONT");
      return { text: "ok" };
    };
    const record = await session({
      prompts: ["one", { text: "two", before: stop }],
      turns: [{ text: "ok" }, resume],
    });
    expect(stopped).toHaveLength(1);
    expectUnharmed(record, ["one", "two"]);
    expect(record.hooks.findLast((hook) => hook.event === "UserPromptSubmit")?.outcome).toBe("cancelled");
  });
});

test("a full store with everything wrong at once says the same to the model as its sound part", async ({
  sandbox,
  session,
}) => {
  const rules = manyRules(5);
  placeInUserStore(sandbox, ...rules);
  const sound = await session({ prompts: ["one"] });
  for (let i = 0; i < 50; i++)
    sandbox.write(`${sandbox.userStore}/feedback/broken-${i}.md`, `---\n{{{${i}\n---\n`);
  const mixed = await session({ prompts: ["one"] });
  const rulesIn = (record: SessionRecord): string[] =>
    readByModel(requestFor("one", record)).match(/^- Rule \d+.*$/gm) ?? [];
  expect(rulesIn(mixed)).toEqual(rulesIn(sound));
  expect(rulesIn(mixed)).toHaveLength(5);
});
