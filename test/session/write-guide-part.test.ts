import { expect, test } from "vitest";
import { TemporaryHeed } from "../home/temporary-heed.ts";

const home = TemporaryHeed.withUserStore();

test("clients that do not show a server's instructions are told when to write", async () => {
  const start = async (client: string): Promise<string> =>
    (await home.event({ kind: "session-start", source: "startup", session: client, client })).context ?? "";
  expect(await start("copilot")).toContain("Later sessions know nothing of this one");
  expect(await start("claude-code")).not.toContain("Later sessions");
});
