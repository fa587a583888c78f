import { join } from "node:path";
import type { Workspace } from "../../src/app/place/place.ts";
import { openWorkspace } from "../../src/app/place/place.ts";
import { gitEnvironment } from "../git/git-sandbox.ts";
import { temporaryFolder } from "./temporary-store.ts";

/** A workspace with directories, a home and a git user of its own, and its environment for git. */
export function temporaryWorkspace(cwd: string = temporaryFolder()): {
  workspace: Workspace;
  env: Record<string, string>;
} {
  const base = temporaryFolder();
  const env = {
    ...gitEnvironment(),
    HEED_DIR: join(base, "store"),
    HEED_STATE_DIR: join(base, "state"),
    HEED_CACHE_DIR: join(base, "cache"),
    HEED_CONFIG_DIR: join(base, "config"),
  };
  return { workspace: openWorkspace({ cwd, env }), env };
}
