import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { occurrences, readByModel, requestFor } from "../expectations.ts";
import { memoryFile, placeInUserStore, rule } from "../memory-files.ts";
import { PARTS } from "../product-parts.ts";
import { test } from "../scenario.ts";

const SHARED = rule("use-pnpm", "Use pnpm and never npm in this repository");
const OWN = rule("own-rule", "Own rules are in force");

test.skipIf(!PARTS.server)(
  "beside the client's own memory: what it holds is not said twice, and its index is left alone",
  async ({ sandbox, session }) => {
    const slug = sandbox.project.replaceAll(/[^A-Za-z0-9]/g, "-");
    const own = join(sandbox.home, ".claude", "projects", slug, "memory");
    const index = sandbox.write(join(own, "MEMORY.md"), `- [use-pnpm](use-pnpm.md): ${SHARED.description}\n`);
    sandbox.write(join(own, "use-pnpm.md"), memoryFile(SHARED));
    const before = readFileSync(index, "utf8");
    placeInUserStore(sandbox, SHARED, OWN);

    const record = await session({ prompts: ["hello"] });
    const text = readByModel(requestFor("hello", record));
    // The client itself shows its index: without that this scenario would show nothing.
    expect(text).toContain("[use-pnpm](use-pnpm.md)");
    expect(occurrences(SHARED.description, text)).toBe(1);
    expect(occurrences(OWN.description, text)).toBe(1);
    expect(readFileSync(index, "utf8")).toBe(before);
  },
);
