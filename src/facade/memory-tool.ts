import { anyText, open } from "../here/schema.ts";
import { actor } from "./arguments.ts";
import { method } from "../here/call.ts";

const command = {
  ...open({ command: anyText }),
  give: "a command of the memory tool: an object with command and path",
};

export const MEMORY_TOOL = {
  /**
   * Answers a command of the memory tool. `/memories` holds a folder a type, each memory a file of it; what is written
   * passes the gates. The answer is the tool's result: what the API's own tool says, and after `Error: ` what was refused,
   * with the remedy. It does not reject for what a model can send.
   *
   * @throws HeedError `invalid-input` for what is no command at all.
   */
  run: method({ command, actor }, () => import("../care/run-memory-tool.ts"), "runMemoryTool"),
};
