import { mkdirSync, readFileSync } from "node:fs";
import { beforeEach } from "vitest";
import { type Actor, type MemoryDraft, type WriteResult, HeedError } from "../../src/heed.ts";
import { TemporaryHeed } from "../home/temporary-heed.ts";

export const MODEL: Actor = { kind: "model", client: "claude-code", session: "session-1" };
export const PERSON: Actor = { kind: "person" };

/** A rule that passes every gate. */
export const RULE: MemoryDraft = {
  type: "feedback",
  name: "no-verify",
  statement: "never use --no-verify when a pre-commit hook fails",
  body: "Never bypass the hooks.\n**Why:** a bypass shipped a broken migration.\n**How to apply:** fix the root cause.",
};

/** A statement about the user. */
export const CLAIM: MemoryDraft = {
  type: "user",
  name: "prefers-vim",
  statement: "the user prefers vim over VS Code",
  body: "Give editor instructions for vim.",
};

/** A home with an empty user store, a repository with a remote, and heed over both, on a Monday. */
export function writeDesk(): TemporaryHeed {
  const desk = TemporaryHeed.forEachTest();
  beforeEach(() => {
    desk.now = "2026-03-02T10:00:00Z";
    desk.addOrigin("https://github.com/acme/api.git");
    mkdirSync(desk.userStore, { recursive: true });
  });
  return desk;
}

/** The names of the gates that refused, or the outcome. */
export function gatesOf(result: WriteResult): string[] {
  return result.outcome === "refused" ? result.refusals.map(({ gate }) => gate) : [result.outcome];
}

/** The hash of what was written, which the next change gives back. */
export const hashOf = (result: WriteResult): string =>
  "metadata" in result ? result.metadata.contentHash : "";

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
