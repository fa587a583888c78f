import { expect, test } from "vitest";
import { RULE, SandboxHome } from "../sandbox-home.ts";
import { McpProcess } from "./mcp-process.ts";

test.each(["modern", "legacy"] as const)(
  "a %s client without hooks is told the rules by the server's instructions, where it was so connected",
  async (era) => {
    const home = new SandboxHome();
    home.write("store/feedback/keep-the-lockfile.md", RULE);
    const open = async (...args: string[]): Promise<string> =>
      JSON.stringify(await new McpProcess(home, era, undefined, { args }).open());
    const injected = await open("--with-rules");
    expect(injected).toContain("never edit package-lock.json by hand");
    // Before the rest, as clients cut what is long.
    expect(injected.indexOf("package-lock.json")).toBeLessThan(injected.indexOf("memory_search"));
    expect(await open()).not.toContain("package-lock.json");
  },
);
