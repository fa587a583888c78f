import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach } from "vitest";
import type { Actor, Heed, MemoryDraft, WriteResult } from "../../../src/heed.ts";
import { HeedError, openHeed } from "../../../src/heed.ts";
import { recordSession, turnRecord } from "../../../src/app/records/session-state.ts";
import { findPlaces } from "../../../src/platform/places.ts";

export const MODEL: Actor = { kind: "model", client: "claude-code", session: "session-1" };
export const PERSON: Actor = { kind: "person" };

/** A rule that passes every gate. */
export const RULE: MemoryDraft = {
  type: "feedback",
  name: "no-verify",
  description: "never use --no-verify when a pre-commit hook fails",
  body: "Never bypass the hooks.\n**Why:** a bypass shipped a broken migration.\n**How to apply:** fix the root cause.",
};

/** A statement about the user. */
export const CLAIM: MemoryDraft = {
  type: "user",
  name: "prefers-vim",
  description: "the user prefers vim over VS Code",
  body: "Give editor instructions for vim.",
};

/** A repository, an empty user store, and heed over both; the clock is set by hand. Each test finds it empty. */
export class WriteDesk {
  root!: string;
  userStore!: string;
  repository!: string;
  inbox!: string;
  heed!: Heed;
  now!: Date;
  #env!: Record<string, string>;

  constructor() {
    beforeEach(() => this.#begin());
    afterEach(() => this.#remove());
  }

  #begin(): void {
    this.root = mkdtempSync(join(tmpdir(), "heed-write-"));
    this.userStore = join(this.root, "user");
    this.repository = join(this.root, "api");
    this.inbox = join(this.root, "state", "inbox");
    // A Monday.
    this.now = new Date("2026-03-02T10:00:00Z");
    this.#env = {
      HOME: this.root,
      HEED_DIR: this.userStore,
      HEED_STATE_DIR: join(this.root, "state"),
      HEED_CACHE_DIR: join(this.root, "cache"),
      HEED_CONFIG_DIR: join(this.root, "config"),
    };
    mkdirSync(this.userStore);
    const git = (...args: string[]): Buffer => execFileSync("git", args, { cwd: this.root });
    git("init", "-q", "-b", "main", this.repository);
    git("-C", this.repository, "remote", "add", "origin", "https://github.com/acme/api.git");
    this.heed = openHeed({ cwd: this.repository, env: this.#env, now: () => this.now });
  }

  /** The user says something, a minute later. */
  userSays(text: string, session: string = "session-1"): void {
    this.now = new Date(this.now.getTime() + 60_000);
    recordSession(findPlaces(this.#env), session, [turnRecord(text, this.now.toISOString())]);
    this.now = new Date(this.now.getTime() + 60_000);
  }

  /** Makes a project store by hand, as a clone brings it, and returns its directory. */
  async makeProjectStore(isTrusted: boolean): Promise<string> {
    const store = join(this.repository, ".heed");
    mkdirSync(store);
    writeFileSync(join(store, "config.yaml"), "store: 01JD3Z8Q6T0V9W4X5Y6Z7A8B9C\n");
    if (isTrusted) await this.heed.setup.trust();
    return store;
  }

  async #remove(): Promise<void> {
    await this.heed.close();
    rmSync(this.root, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** The names of the gates that refused, or the outcome. */
export function gatesOf(result: WriteResult): string[] {
  return result.outcome === "refused" ? result.refusals.map(({ gate }) => gate) : [result.outcome];
}

/** The text of the file that was written. */
export function textOf(result: WriteResult): string {
  return "path" in result ? readFileSync(result.path, "utf8") : "";
}

/** Does what may be refused: a refusal is one way of saying no. */
export async function attempt(work: Promise<unknown>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (!(error instanceof HeedError)) throw error;
  }
}
