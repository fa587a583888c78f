import { expect, test } from "vitest";
import { TemporaryHeed } from "../temporary-heed.ts";

test("a rule laid into the user's own store is told with the command that looks over that store", async () => {
  const there = new TemporaryHeed();
  try {
    there.remember({ type: "feedback", name: "squash", description: "squash before merging" });
    await there.start("s1");
    there.remember({ type: "feedback", name: "straight", description: "push straight to main" });
    const { notice, context } = await there.event({
      kind: "session-start",
      source: "startup",
      session: "s2",
    });
    expect(context).not.toContain("push straight to main");
    expect(notice).toMatch(
      /^Your own store has 1 rule that was not approved .*"push straight to main"\. .*, or run heed trust --mine\.$/,
    );
  } finally {
    await there.remove();
  }
});
