import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeEach } from "vitest";
import { type DiffReport, type CheckDiffRequest, openHeed } from "../../src/heed.ts";
import { git, gitEnvironment } from "../machine/git-sandbox.ts";
import { temporaryFolder } from "../store/temporary-store.ts";

/** A repository with a store, made anew for each test, whose changes are checked. */
export class ChangedRepository {
  root = "";
  env: Record<string, string> = {};

  constructor() {
    beforeEach(() => {
      this.root = temporaryFolder();
      const home = temporaryFolder();
      this.env = {
        ...gitEnvironment(),
        HEED_DIR: join(home, "memory"),
        HEED_STATE_DIR: join(home, "state"),
        HEED_CACHE_DIR: join(home, "cache"),
        HEED_CONFIG_DIR: join(home, "config"),
      };
      this.git("init", "-q", "-b", "main", ".");
      this.put(".heed/config.yaml", "store: S1\n");
    });
  }

  git(...args: string[]): string {
    return git(this.root, this.env, ...args);
  }

  put(path: string, text: string): void {
    mkdirSync(dirname(join(this.root, path)), { recursive: true });
    writeFileSync(join(this.root, path), text);
  }

  commit(): string {
    this.git("add", "-A");
    this.git("commit", "-qm", "step");
    return this.git("rev-parse", "HEAD").trim();
  }

  async check(request: CheckDiffRequest, cwd = this.root): Promise<DiffReport> {
    const heed = openHeed({ cwd, env: this.env });
    try {
      return await heed.maintenance.checkDiff(request, { kind: "person" });
    } finally {
      await heed.close();
    }
  }
}
