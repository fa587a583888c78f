import { describe, expect, test } from "vitest";
import { foldEvent } from "../../../src/capture/fold-event.ts";
import { emptyDigest } from "../../../src/capture/digest/session-digest.ts";
import { draftOfStruggle } from "../../../src/capture/solutions/draft-of-struggle.ts";
import { isWorthKeeping } from "../../../src/capture/solutions/is-worth-keeping.ts";
import type { Struggle } from "../../../src/capture/solutions/struggle.ts";

/** A step: a command that ends well by its status, an edit, or what the agent says. */
type Step = { run: string } | { edit: string } | { says: string };

function won(...steps: readonly Step[]): Struggle[] {
  const digest = emptyDigest();
  for (const [i, step] of steps.entries()) {
    const [id, time] = [`c${i}`, `2026-11-21T11:00:${String(i).padStart(2, "0")}Z`];
    if ("says" in step) foldEvent(digest, { kind: "assistant", text: step.says, time });
    else {
      const [tool, input] =
        "run" in step ? ["Bash", { command: step.run }] : ["Edit", { file_path: step.edit, new_string: "x" }];
      foldEvent(digest, { kind: "tool", id, tool, input, time });
      foldEvent(digest, { kind: "result", id, outcome: "ok", text: "done", time });
    }
  }
  return digest.won.filter(isWorthKeeping);
}

const WRONG = { run: "wrangler deploy --env staging" };
const RIGHT = { run: "wrangler deploy --name api-staging" };

describe("a struggle that no status tells", () => {
  test("is won when the agent says that a step did not work, and that another way did", () => {
    const [struggle, ...others] = won(
      WRONG,
      { says: "That didn't work: the worker still runs with the production bindings." },
      RIGHT,
      { says: "That worked. The staging bindings are in place." },
    );
    expect(others).toEqual([]);
    const { draft } = draftOfStruggle(struggle as Struggle);
    expect(draft.body).toContain(
      "**Symptom:** wrangler deploy does not do what is wanted: That didn't work: the worker still runs with the production bindings.",
    );
    expect(draft.body).toContain(
      "- tried `wrangler deploy --env staging`; failed, because: That didn't work",
    );
    expect(draft.body).toContain("**Solution:** `wrangler deploy --name api-staging`");
    expect(draft.status).toBe("provisional");
  });

  test("is won at the third try at the same thing, in other words each time", () => {
    const [struggle] = won(
      { run: "aws s3 sync dist s3://site --delete" },
      { says: "Let me look at the headers." },
      { run: "aws s3 sync dist s3://site --delete --cache-control no-cache" },
      { run: "aws s3 sync dist s3://site --delete --metadata-directive REPLACE" },
      { says: "That did it: the pages are no longer cached." },
    );
    expect(struggle?.failed.map(({ what }) => what)).toEqual([
      "aws s3 sync dist s3://site --delete",
      "aws s3 sync dist s3://site --delete --cache-control no-cache",
    ]);
    expect(struggle?.solution.what).toContain("--metadata-directive");
  });

  test.each<[string, Step[]]>([
    [
      "nobody said that it worked",
      [WRONG, { says: "That didn't work." }, RIGHT, { says: "Next, the docs." }],
    ],
    ["it did not work either", [WRONG, { says: "That didn't work." }, RIGHT, { says: "Still not working." }]],
    [
      "files were changed: the diff tells",
      [
        WRONG,
        { says: "That didn't work, the config is off." },
        { edit: "a.toml" },
        RIGHT,
        { says: "That worked." },
      ],
    ],
    [
      "only a hope was told",
      [WRONG, { says: "That didn't work at all here." }, RIGHT, { says: "I hope that worked?" }],
    ],
    ["nothing went wrong", [WRONG, { says: "Deployed." }, RIGHT, { says: "That worked." }]],
    [
      "another program did it",
      [WRONG, { says: "That didn't work, it hangs." }, { run: "npm publish" }, { says: "That worked." }],
    ],
  ])("none when %s", (_why, steps) => {
    expect(won(...steps)).toEqual([]);
  });
});
