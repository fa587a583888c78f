import { describe, expect, it } from "vitest";
import { planSync } from "../../../src/store/sync/sync-user-store.ts";

const memory = (id: string, text: string): string => `---\nname: n\nmetadata:\n  id: ${id}\n---\n${text}\n`;
const side = (files: Record<string, string>): Map<string, string> => new Map(Object.entries(files));
const A = "feedback/a.md";
const GONE = ".tombstones/feedback/a.md";
const [v0, v1, v2] = ["old", "ours", "theirs"].map((text) => memory("ID1", text)) as [string, string, string];

describe("what a sync does to one memory", () => {
  it.each<[string, Record<string, string>[], Record<string, string | null>, [number, number], string[]]>([
    ["changed there only", [{ [A]: v0 }, { [A]: v0 }, { [A]: v2 }], { [A]: v2 }, [1, 0], []],
    ["changed here only", [{ [A]: v0 }, { [A]: v1 }, { [A]: v0 }], {}, [0, 1], []],
    ["made there", [{}, {}, { [A]: v2 }], { [A]: v2 }, [1, 0], []],
    ["made here", [{}, { [A]: v1 }, {}], {}, [0, 1], []],
    ["the same on both sides", [{ [A]: v0 }, { [A]: v1 }, { [A]: v1 }], {}, [0, 0], []],
    ["edited on both sides", [{ [A]: v0 }, { [A]: v1 }, { [A]: v2 }], {}, [0, 1], ["edited on two sides"]],
    [
      "edited here, deleted there",
      [{ [A]: v0 }, { [A]: v1 }, {}],
      {},
      [0, 1],
      ["removed there and edited here"],
    ],
    [
      "deleted here, edited there",
      [{ [A]: v0 }, {}, { [A]: v2 }],
      { [A]: v2 },
      [1, 0],
      ["removed here and edited there"],
    ],
    ["deleted here, untouched there", [{ [A]: v0 }, {}, { [A]: v0 }], {}, [0, 1], []],
    [
      "renamed here, edited there",
      [{ [A]: v0 }, { "feedback/b.md": v0 }, { [A]: v2 }],
      { "feedback/b.md": v2 },
      [1, 1],
      [],
    ],
    [
      "renamed there, edited here",
      [{ [A]: v0 }, { [A]: v1 }, { "feedback/b.md": v0 }],
      { "feedback/b.md": v1, [A]: null },
      [1, 1],
      [],
    ],
    ["removed here, untouched there", [{ [A]: v0 }, { [GONE]: v1 }, { [A]: v0 }], {}, [0, 1], []],
    [
      "removed here, edited there",
      [{ [A]: v0 }, { [GONE]: v1 }, { [A]: v2 }],
      { [A]: v2, [GONE]: null },
      [1, 0],
      ["removed here and edited there"],
    ],
    [
      "removed there, edited here",
      [{ [A]: v0 }, { [A]: v1 }, { [GONE]: v2 }],
      {},
      [0, 1],
      ["removed there and edited here"],
    ],
    [
      "removed there, renamed here",
      [{ [A]: v0 }, { "feedback/b.md": v0 }, { [GONE]: v2 }],
      { [GONE]: v2, "feedback/b.md": null },
      [1, 0],
      [],
    ],
  ])("%s", (_, [base = {}, ours = {}, theirs = {}], files, [pulled, pushed], reasons) => {
    const plan = planSync(side(base), side(ours), side(theirs));
    expect(Object.fromEntries(plan.files)).toEqual(files);
    expect([plan.pulled, plan.pushed]).toEqual([pulled, pushed]);
    expect(plan.queued.map(({ reason }) => reason.split(":")[0])).toEqual(reasons);
  });

  it("keeps ours in place of two memories made under one name, and queues theirs", () => {
    const theirs = memory("ID2", "another");
    const plan = planSync(side({}), side({ [A]: v1 }), side({ [A]: theirs }));
    expect(plan.files.size).toBe(0);
    expect(plan.queued).toEqual([
      { file: A, text: theirs, kept: { file: A, text: v1 }, reason: "made on two sides under one name" },
    ]);
  });

  it("asks nothing about two memories that say the same", () => {
    const plan = planSync(side({}), side({ [A]: v1 }), side({ [A]: memory("ID2", "ours") }));
    expect(plan.queued).toEqual([]);
    expect(plan.files.size).toBe(0);
  });

  it("takes the identity of the remote's store when two were made apart, and merges later edits by lines", () => {
    const apart = planSync(
      side({}),
      side({ "config.yaml": "store: MINE\nmode: pull\n" }),
      side({ "config.yaml": "store: FIRST\n" }),
    );
    expect(apart.files.get("config.yaml")).toBe("store: FIRST\nmode: pull\n");
    const lines = ["store: S", "a: 1", "b: 2", "c: 3", ""];
    const edit = (from: string, to: string): string => lines.join("\n").replace(from, to);
    const later = planSync(
      side({ "config.yaml": lines.join("\n") }),
      side({ "config.yaml": edit("a: 1", "a: 9") }),
      side({ "config.yaml": edit("c: 3", "c: 9") }),
    );
    expect(later.files.get("config.yaml")).toBe("store: S\na: 9\nb: 2\nc: 9\n");
  });

  it("drops no line of what is ignored: the files would be pushed", () => {
    const { files } = planSync(
      side({ ".gitignore": "MEMORY.md\n" }),
      side({ ".gitignore": "MEMORY.md\n\n# mine\nprivate/\n" }),
      side({ ".gitignore": "MEMORY.md\ndrafts/\n" }),
    );
    expect(files.get(".gitignore")).toBe("MEMORY.md\n\n# mine\nprivate/\ndrafts/\n");
  });

  it.each([
    ["in conflict", A, "<<<<<<< HEAD\n"],
    ["emptied", A, ""],
    ["larger than heed reads", A, memory("ID1", "x".repeat(600_000))],
    ["no YAML", "config.yaml", "capture: on\nmode: [\n"],
  ])("keeps ours of a file that is %s over there, and gives it back", (_, file, text) => {
    const good = file === A ? v0 : "store: S\ncapture: off\n";
    const plan = planSync(side({ [file]: good }), side({ [file]: good }), side({ [file]: text }));
    expect([plan.files.size, plan.pulled, plan.pushed, plan.refused]).toEqual([0, 0, 1, [file]]);
    expect(planSync(side({}), side({}), side({ "project/new.md": "x".repeat(600_000) })).files.size).toBe(0);
  });
});
