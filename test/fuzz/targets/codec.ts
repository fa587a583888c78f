import { isDeepStrictEqual } from "node:util";
import { amendMemory, encodeMemory } from "../../../src/memory/codec/encode-memory.ts";
import { HeedError } from "../../../src/machine/heed-error.ts";
import { TypeTable } from "../../../src/memory/memory-type.ts";
import { parseMemories, parseMemory } from "../../../src/memory/codec/parse-memory.ts";
import { type FuzzTarget, must } from "../fuzz-target.ts";

const TYPES = new TypeTable();
const PLACE = { file: "feedback/x.md", storeId: "S" };

/** Memory files: whatever is read can be written and read again as the same, and amended without losing its text. */
export const codec: FuzzTarget = {
  name: "codec",
  seeds: [
    "---\nname: a-rule\ndescription: never do it\nmetadata:\n  type: feedback\n  tags: [git, hook]\n  guard: { tool: Bash, flags: [-n] }\n---\nNever.\n**Why:** it broke.\n",
    '---\nname: "x"\ndescription: >\n  folded\n  text\ntype: project\nscopes:\n  - api\nlinks: [{rel: related, to: other}]\n---\n\nBody\n',
    "---\r\ntitle: Windows\r\ncategory: semantic\r\n---\r\n## One\r\ntext\r\n## Two\r\nmore\r\n",
    "## Solution: it\nSymptom: x\n\n## Other\ny\n",
    "---\na: &x [1, 2]\nb: *x\n---\n",
  ],
  words: (
    "---\n¦metadata:¦  type: feedback¦name: ¦description: ¦tags: [¦guard:¦claims:¦links:¦&a ¦*a¦" +
    "<<: *a¦- ¦expires: 2026-01-01¦id: 01JD3Z8Q6T0V9W4X5Y6Z7A8B9C"
  ).split("¦"),
  cases: 150,
  check(input) {
    parseMemories(input, PLACE, TYPES);
    const { memory, problems } = parseMemory(input, PLACE, TYPES);
    for (const { message, remedy, line } of problems) {
      must(message !== "" && remedy !== "", "a problem says what and what to do");
      must(
        line === undefined || (line >= 1 && line <= input.split(/\r\n?|\n/).length + 1),
        "a problem's line is one of the file",
      );
    }
    const hasError = problems.some(({ severity }) => severity === "error");
    must(memory !== undefined || hasError, "an error wherever there is no memory");
    if (!memory || hasError) return;
    const text = refused(() => encodeMemory(memory, TYPES));
    if (text === undefined) return;
    const again = parseMemory(text, PLACE, TYPES).memory;
    must(
      isDeepStrictEqual(again, memory),
      `what is written is read as the same: ${JSON.stringify(again)} for ${JSON.stringify(memory)}`,
    );
    must(encodeMemory(memory, TYPES) === text, "writing is steady");
    const amended = refused(() => amendMemory(input, { tags: ["fuzz"] }));
    if (amended === undefined) return;
    const after = parseMemory(amended, PLACE, TYPES).memory;
    must(after?.tags.join() === "fuzz", "an amendment is read back");
    must(after?.body === memory.body && after.name === memory.name, "an amendment of tags keeps the rest");
  },
};

/** The result, or undefined where a HeedError says why not. */
function refused<T>(run: () => T): T | undefined {
  try {
    return run();
  } catch (error) {
    if (error instanceof HeedError) return undefined;
    throw error;
  }
}
