import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { invalidInput } from "../../errors/heed-error.ts";
import type { UserRepository } from "../history/user-repository.ts";

const REMOTE = "origin";
/** Network commands end after this many milliseconds. */
const NETWORK_TIMEOUT_MS = 120_000;

/** The remote that a user store is carried to. */
export class SyncRemote {
  readonly address: string;
  readonly #repository: UserRepository;

  private constructor(repository: UserRepository, address: string) {
    this.#repository = repository;
    this.address = address;
  }

  /**
   * The remote of that address, which is recorded; without an address, the one that was recorded before.
   *
   * @throws HeedError `invalid-input` when there is none, or the address is of a kind that could run a program.
   */
  static async open(
    repository: UserRepository,
    address: string | undefined,
    cwd: string,
  ): Promise<SyncRemote> {
    const { stdout } = await repository.git(["config", "--get", `remote.${REMOTE}.url`], { okCodes: [0, 1] });
    const known = stdout.trim();
    if (address === undefined) {
      if (known !== "") return new SyncRemote(repository, known);
      throw invalidInput(
        "remote",
        undefined,
        "no remote is known yet: give its address or path once, heed remembers it",
      );
    }
    const wanted = wholeAddress(address.trim(), cwd);
    if (wanted !== known) {
      await repository.git(["config", `remote.${REMOTE}.url`, wanted]);
      await repository.git(["config", `remote.${REMOTE}.fetch`, `+refs/heads/*:refs/remotes/${REMOTE}/*`]);
    }
    return new SyncRemote(repository, wanted);
  }

  /** Fetches, and gives the commit of the remote's branch; undefined for an empty remote. */
  async fetch(branch: string): Promise<{ commit: string | undefined; branch: string }> {
    await this.#repository.git(
      ["fetch", "--quiet", "--no-tags", "--prune", REMOTE, `+refs/heads/*:refs/remotes/${REMOTE}/*`],
      { withUserConfig: true, timeoutMs: NETWORK_TIMEOUT_MS },
    );
    const { stdout } = await this.#repository.git([
      "for-each-ref",
      "--format=%(objectname) %(refname)",
      `refs/remotes/${REMOTE}`,
    ]);
    const heads = stdout.split("\n").flatMap((line) => {
      const match = /^(\S+) refs\/remotes\/origin\/(.+)$/.exec(line);
      return match && match[2] !== "HEAD" ? [{ commit: match[1] ?? "", branch: match[2] ?? "" }] : [];
    });
    const own = branch.replace("refs/heads/", "");
    const found = heads.find((head) => head.branch === own) ?? (heads.length === 1 ? heads[0] : undefined);
    if (found) return found;
    if (heads.length > 0) {
      throw invalidInput(
        "remote",
        this.address,
        `${this.address} has no branch "${own}" but ${heads.length} others: give heed a repository of its own`,
      );
    }
    return { commit: undefined, branch: own };
  }

  /** Pushes a commit; false when somebody else was faster, so that their change must be brought in first. */
  async push(commit: string, branch: string, seen: string | undefined): Promise<boolean> {
    try {
      await this.#repository.git(
        ["push", "--quiet", "--no-verify", REMOTE, `${commit}:refs/heads/${branch}`],
        {
          withUserConfig: true,
          timeoutMs: NETWORK_TIMEOUT_MS,
        },
      );
      return true;
    } catch (error) {
      const there = await this.fetch(`refs/heads/${branch}`);
      if (there.commit !== undefined && there.commit !== seen) return false;
      throw error;
    }
  }
}

/** A path is made absolute, since git runs elsewhere; anything that names a transport of its own is refused. */
function wholeAddress(address: string, cwd: string): string {
  const refuse = (reason: string): never => {
    throw invalidInput("remote", address, `"${address}" is no remote: ${reason}`);
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
