import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { invalidInput } from "../../machine/heed-error.ts";
import type { Environment } from "../../machine/places.ts";
import { isStoreFile } from "../history/commit-changes.ts";
import { UserRepository } from "../history/user-repository.ts";

const TIMEOUT_MS = 120_000;
const REF = "refs/heed/team";

/**
 * A shared store's repository: fetched by a person, never checked out; its memory files are laid beside it.
 * No link, submodule, filter or hook of it counts, and no path that leads elsewhere.
 */
export class TeamRepository {
  readonly #memories: string;
  readonly #repository: UserRepository;

  /** @param memories the folder for the memory files; git's own is beside it. */
  constructor(memories: string, env: Environment) {
    this.#memories = memories;
    this.#repository = new UserRepository(join(dirname(memories), "repository"), env);
  }

  /** Fetches what the address's main branch has now, without its history; gives the commit. */
  async fetch(address: string): Promise<string> {
    mkdirSync(this.#repository.root, { recursive: true, mode: 0o700 });
    await this.#repository.make();
    await this.#repository.git(
      ["fetch", "--quiet", "--no-tags", "--depth=1", "--force", "--", address, `HEAD:${REF}`],
      { withUserConfig: true, timeoutMs: TIMEOUT_MS },
    );
    const commit = await this.#repository.commitOf(REF);
    if (commit === undefined) throw invalidInput("address", address, `${address} has no commit yet`);
    return commit;
  }

  /** The texts of the memory files of a commit, by path: of its `.heed/` where it has one, else of all of it. */
  async memoriesAt(commit: string): Promise<Map<string, string>> {
    const tree = [...(await this.#repository.tree(commit)).values()].filter(({ mode }) =>
      mode.startsWith("100"),
    );
    const folder = tree.some(({ file }) => file.startsWith(".heed/")) ? ".heed/" : "";
    const files = tree.flatMap(({ file, blob }) => {
      const path = file.slice(folder.length);
      return file.startsWith(folder) && isStoreFile(path) ? [{ path, blob }] : [];
    });
    const texts = await this.#repository.texts(files.map(({ blob }) => blob));
    return new Map(files.map(({ path, blob }) => [path, texts.get(blob) ?? ""]));
  }

  /** Lays the memory files of a commit out, in the place of those of another one. */
  async layOut(commit: string): Promise<void> {
    const [next, last] = [`${this.#memories}.next`, `${this.#memories}.last`];
    for (const folder of [next, last]) rmSync(folder, { recursive: true, force: true });
    mkdirSync(next, { recursive: true, mode: 0o700 });
    for (const [path, text] of await this.memoriesAt(commit)) {
      mkdirSync(dirname(join(next, path)), { recursive: true, mode: 0o700 });
      writeFileSync(join(next, path), text, { mode: 0o600 });
    }
    if (existsSync(this.#memories)) renameSync(this.#memories, last);
    renameSync(next, this.#memories);
    rmSync(last, { recursive: true, force: true });
  }
}

/** An address git may be given, a path absolute. @throws HeedError `invalid-input` for other transports and options. */
export function wholeAddress(address: string, cwd: string): string {
  const refuse = (reason: string): never => {
    throw invalidInput("remote", address, `"${address}" is not a remote: ${reason}`);
  };
  if (address === "" || address.startsWith("-") || /[\0\n\r]/.test(address))
    refuse("give an address or a path");
  if (/^(https?|ssh|git|file):\/\//i.test(address)) return address;
  if (address.includes("://") || /^\w+::/.test(address)) refuse("use https, ssh, git, file or a path");
  const path = resolve(cwd, address);
  if (existsSync(path)) return path;
  if (/^[^/\\:]+:(?!\\)/.test(address)) return address;
  return refuse(`there is no directory ${path}; \`git init --bare\` makes a repository there`);
}
