import { join } from "node:path";
import { beforeEach } from "vitest";
import { type HandWritten, memoryFile, rule, type TemporaryHeed } from "../../home/temporary-heed.ts";

/** A repository with a rule, a guard and a store that was not made here, before each test; and a clone where somebody else works. */
export class TheirClone {
  readonly #place: TemporaryHeed;

  constructor(place: TemporaryHeed) {
    this.#place = place;
    beforeEach(() => {
      place.write(".heed/config.yaml", "store: 01JD3Z8Q6T0V9W4X5Y6Z7A8B9C\n");
      const guard = "guard: { command: git commit, flags: [--no-verify] }";
      const guarded = rule("keep-hooks", "never use --no-verify on a commit", [guard]);
      this.put(place.project, guarded, rule("test-first", "run the tests before a commit"));
      this.commit(place.project, "rules");
      place.git("clone", "-q", place.project, this.folder);
    });
  }

  get folder(): string {
    return join(this.#place.folder, "theirs");
  }

  put = (folder: string, ...memories: HandWritten[]): void => {
    for (const memory of memories)
      this.#place.write(join(folder, ".heed", memory.type, `${memory.name}.md`), memoryFile(memory));
  };

  commit = (folder: string, message: string): void => {
    this.#place.git("-C", folder, "add", "-A");
    this.#place.git("-C", folder, "commit", "-qm", message);
  };

  /** Somebody else commits, and it is pulled here. */
  pulled = (change: () => void): void => {
    change();
    this.commit(this.folder, "theirs");
    this.#place.git("pull", "-q", "--no-rebase", this.folder, "main");
  };
}
