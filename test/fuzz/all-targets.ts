import type { FuzzTarget } from "./fuzz-target.ts";
import { claims } from "./targets/claims.ts";
import { codec } from "./targets/codec.ts";
import { fences } from "./targets/fences.ts";
import { gitNames } from "./targets/git-names.ts";
import { guards, shell, toolInput } from "./targets/guards.ts";
import { hookInput } from "./targets/hook-input.ts";
import { mcpMessages } from "./targets/mcp-messages.ts";
import { shown } from "./targets/shown.ts";
import { sentences } from "./targets/sentences.ts";
import { transcripts } from "./targets/transcripts.ts";

/** Everything that reads what anybody may have written. */
export const TARGETS: readonly FuzzTarget[] = [
  codec,
  claims,
  guards,
  toolInput,
  shell,
  transcripts,
  hookInput,
  fences,
  mcpMessages,
  gitNames,
  sentences,
  shown,
];
