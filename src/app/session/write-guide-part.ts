import { WRITE_GUIDE } from "../../memory/write-guide.ts";
import { linePart } from "./line-part.ts";
import type { OpeningPart } from "./opening-part.ts";

/** Clients of which it was seen, or is not known otherwise, that a server's instructions do not reach the model. */
const HIDES_INSTRUCTIONS: ReadonlySet<string> = new Set([
  "cline",
  "copilot",
  "crush",
  "cursor",
  "droid",
  "kimi",
  "vscode",
  "windsurf",
]);

/** When and what to write, for clients that do not show it otherwise. */
export const writeGuidePart: OpeningPart = async ({ situation: { mode }, agent, client }) =>
  agent !== undefined || mode === "rules" || !HIDES_INSTRUCTIONS.has(client)
    ? undefined
    : linePart(WRITE_GUIDE);
