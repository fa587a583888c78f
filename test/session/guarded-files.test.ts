import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import type { EventAnswer } from "../../src/heed.ts";
import { TemporaryHeed, rule } from "../home/temporary-heed.ts";

const heed = TemporaryHeed.forEachTest();
const put = (path: string, text: string): string => heed.write(path, text);

beforeEach(() => {
  heed.remember(
    rule("keep-data", "Never delete the data", [
      "guard: { destroys: data/**, unless: { paths: [data/tmp/**] } }",
    ]),
    rule("keep-config", "Leave the config alone", ["guard: { writes: config/** }"]),
  );
  for (const name of ["data/a.csv", "data/it's b.csv", "data/tmp/x", "config/prod.yaml", "src/a.ts"])
    put(name, name);
  heed.commit();
  put("data/untracked.csv", "x");
});

/** A call of a shell that does something by a script, which no text shows. */
async function script(
  run: () => void,
  more: { background?: boolean; isOk?: boolean } = {},
): Promise<EventAnswer> {
  const input = { command: "bash build.sh", ...(more.background && { run_in_background: true }) };
  const before = await heed.event({ kind: "tool-use", tool: "Bash", input, tellsResult: true });
  expect(before.decision).toBeUndefined();
  if (more.background) {
    const started = await heed.event({ kind: "tool-result", tool: "Bash", input });
    run();
    return started;
  }
  run();
  return more.isOk === false
    ? heed.event({ kind: "tool-failure", tool: "Bash", input, error: "x" })
    : heed.event({ kind: "tool-result", tool: "Bash", input });
}
const inProject = (path: string): string => join(heed.project, path);

describe("guarded files after a call of which the text says nothing", () => {
  test("that are gone or empty are told to model and user, with the command that brings tracked ones back", async () => {
    const { context, notice } = await script(() => {
      rmSync(inProject("data/it's b.csv"));
      rmSync(inProject("data/untracked.csv"));
      put("data/a.csv", "");
    });
    expect(notice).toContain("guarded files (heed:keep-data) changed during the last call.");
    expect(notice).toContain("gone: data/it's b.csv, data/untracked.csv; empty: data/a.csv");
    expect(notice).toContain("git has no copy of data/untracked.csv.");
    expect(context).toContain(notice);
    const command = /git restore .*?(?= git has no)/.exec(notice ?? "")?.[0] ?? "false";
    execFileSync("sh", ["-c", command], { cwd: inProject("src") });
    expect(readFileSync(inProject("data/a.csv"), "utf8")).toBe("data/a.csv");
    expect(existsSync(inProject("data/it's b.csv"))).toBe(true);
  });

  test("that are gone are told also of a call that failed, or that committed the deletion", async () => {
    expect((await script(() => rmSync(inProject("data/a.csv")), { isOk: false })).notice).toContain(
      "gone: data/a.csv",
    );
    const { notice } = await script(() => {
      heed.commit({ config: null });
    });
    expect(notice).toContain("gone: config/prod.yaml");
    expect(notice).toContain("HEAD moved meanwhile.");
    execFileSync("sh", ["-c", /git restore .*?prod\.yaml/.exec(notice ?? "")?.[0] ?? "false"], {
      cwd: heed.project,
    });
    expect(existsSync(inProject("config/prod.yaml"))).toBe(true);
  });

  test("that are changed are told where the guard is against writing, and only there", async () => {
    expect((await script(() => put("config/prod.yaml", "other"))).notice).toContain(
      "changed: config/prod.yaml",
    );
    expect(await script(() => put("data/a.csv", "other"))).toEqual({});
  });

  test("nothing is said of others, of exceptions, or of what the user does between calls", async () => {
    expect(
      await script(() => {
        rmSync(inProject("src/a.ts"));
        rmSync(inProject("data/tmp/x"));
      }),
    ).toEqual({});
    rmSync(inProject("data/a.csv"));
    expect(await script(() => {})).toEqual({});
  });

  test("a call in the background is looked at with the next event", async () => {
    expect(await script(() => rmSync(inProject("data/a.csv")), { background: true })).toEqual({});
    const next = await heed.event({ kind: "prompt", prompt: "go on" });
    expect(next.notice).toContain("changed during a call in the background. gone: data/a.csv");
    expect((await heed.event({ kind: "prompt", prompt: "go on" })).notice).toBeUndefined();
  });

  test("a turn's end tells the user of a call in the background, and the next prompt the model", async () => {
    const stop = { kind: "stop", client: "claude-code", lastMessage: undefined } as const;
    await heed.event({ kind: "prompt", prompt: "build it", client: "claude-code" });
    await script(() => {}, { background: true });
    expect((await heed.event(stop)).notice).toBeUndefined();
    rmSync(inProject("data/a.csv"));
    expect((await heed.event(stop)).notice).toContain("gone: data/a.csv");
    const next = await heed.event({ kind: "prompt", prompt: "go on" });
    expect(next.context).toContain("changed during a call in the background. gone: data/a.csv");
    expect(next.notice).toBeUndefined();
  });

  test("where a client tells nothing of a call's result, model and user hear of it at the next prompt", async () => {
    const call = { tool: "Bash", input: { command: "bash build.sh" } };
    await heed.event({ kind: "tool-use", ...call, tellsResult: true });
    rmSync(inProject("data/a.csv"));
    expect(await heed.event({ kind: "tool-result", ...call, reach: "none" })).toEqual({});
    const next = await heed.event({ kind: "prompt", prompt: "go on" });
    expect(next.context).toContain("gone: data/a.csv");
    expect(next.notice).toContain("gone: data/a.csv");
  });

  test("more than 2,000 are said to whoever adds the guard, and only so many are looked at", async () => {
    const summary = async (): Promise<string> => (await heed.open().guards.replay("keep-data")).summary;
    for (let i = 0; i < 1997; i++) put(`data/many/${i}`, "x");
    expect(await summary()).not.toContain("files");
    put("data/many/z", "x");
    expect(await summary()).toContain("The guard is about more than 2,000 files: heed looks at that many");
  });

  test("many are named by their folder", async () => {
    for (let i = 0; i < 30; i++) put(`data/many/${i}.csv`, "x");
    heed.commit();
    const { notice } = await script(() => rmSync(inProject("data/many"), { recursive: true }));
    expect(notice).toContain("and 20 more");
    expect(notice?.length).toBeLessThan(1000);
    // What else was changed in the folder is not lost by the command.
    put("data/a.csv", "not committed");
    execFileSync("sh", ["-c", /cd .*-nul/.exec(notice ?? "")?.[0] ?? "false"], { cwd: heed.home });
    expect(existsSync(inProject("data/many/29.csv"))).toBe(true);
    expect(readFileSync(inProject("data/a.csv"), "utf8")).toBe("not committed");
  });
});
