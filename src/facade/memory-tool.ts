import type { MemoryToolCommand } from "../here/api/written-memory.ts";
import { anyText, open, type Methods } from "../here/api/schema.ts";
import type { Actor } from "../memory/memory.ts";
import { actor } from "./arguments.ts";
import { method } from "../here/call.ts";

/** A store as the directory of the memory tool of Anthropic's API, for agents that people write themselves. */
export interface MemoryToolApi {
  /**
   * Answers a command of the memory tool. `/memories` holds a folder a type, each memory a file of it; what is written
   * passes the gates. The answer is the tool's result: what the API's own tool says, and after `Error: ` what was refused,
   * with the remedy. It does not reject for what a model can send.
   *
   * @throws HeedError `invalid-input` for what is no command at all.
   * @example
   * const told = await heed.memoryTool.run({ command: "view", path: "/memories/none.md" }, { kind: "model" });
   * told; // → "Error: The path /memories/none.md does not exist. Please provide a valid path."
   */
  run(command: MemoryToolCommand, actor: Actor): Promise<string>;
}

const command = {
  ...open({ command: anyText }),
  give: "a command of the memory tool: an object with command and path",
};

/** Its method: what it takes, and where it is. @internal */
export const MEMORY_TOOL: Methods<MemoryToolApi> = {
  run: method({ command, actor }, () => import("../care/run-memory-tool.ts"), "runMemoryTool"),
};
