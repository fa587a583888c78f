import { join } from "node:path";
import { Place, openWorkspace } from "../../src/here/place.ts";
import { gitEnvironment } from "../machine/git-sandbox.ts";
import { temporaryFolder } from "../store/temporary-store.ts";

/** A place with directories, a home and a git user of its own, and its environment for git. */
export function temporaryPlace(cwd: string = temporaryFolder()): {
  place: Place;
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
  return { place: new Place(openWorkspace({ cwd, env })), env };
}
