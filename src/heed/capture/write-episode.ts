import { createHash } from "node:crypto";
import { basename } from "node:path";
import { episodeTitle, isWorthRecording, renderEpisode } from "../../capture/episode/render-episode.ts";
import type { RepositoryState } from "../../capture/episode/render-episode.ts";
import type { SessionDigest } from "../../capture/session-digest.ts";
import { redactSecrets } from "../../memory/redact-secrets.ts";
import type { Actor } from "../../memory/actor.ts";
import { newId } from "../../memory/new-id.ts";
import type { Memory } from "../../memory/memory.ts";
import { runGit } from "../../store/git.ts";
import { learnRepository } from "../../store/repository-identity.ts";
import { openedStore } from "../opened-stores.ts";
import { initStore } from "../store-operations.ts";
import type { Workspace } from "../workspace.ts";
import { isoSeconds } from "../write-operations-memory.ts";
import { sessionKey } from "./capture-places.ts";

/** Episodes are absorbed into other memories after so many days. */
const DECAY_DAYS = 90;
/** What git says of a work tree is cut there. */
const GIT_TIMEOUT_MS = 3000;
const MAX_GIT_BYTES = 64 * 1024;

/**
 * Writes the episode of a session into the user's store, or brings it up to date; nothing when nothing happened.
 * Returns its name.
 */
export async function writeEpisode(
  workspace: Workspace,
  session: string,
  digest: SessionDigest,
  client: string,
): Promise<string | undefined> {
  if (!isWorthRecording(digest)) return undefined;
  const repository = await learnRepository(workspace.cwd, workspace.places);
  const state = await repositoryState(
    workspace,
    repository?.branch ?? digest.branch,
    repository !== undefined,
  );
  const store = openedStore(workspace, await initStoreOnce(workspace));
  const now = isoSeconds(workspace.now());
  const created = digest.started === "" ? now : isoSeconds(new Date(digest.started));
  const name = `${created.slice(0, 10)}-${sessionKey(session).replace(/^h-/, "").slice(0, 8)}`;
  const updated = digest.ended === "" ? now : isoSeconds(new Date(digest.ended));
  const description = redactSecrets(episodeTitle(digest));
  const body = redactSecrets(renderEpisode(digest, state));
  const actor: Actor = { kind: "hook", client, session };
  const file = `episodes/${name}.md`;
  const current = store.read(file).memory;
  if (current) {
    if (current.card.description === description && current.body.trim() === body.trim()) return name;
    await store.amend(file, { description, body, updated }, current.card.contentHash, {
      why: `episode ${name} goes on`,
      actor,
    });
    return name;
  }
  const memory: Memory = {
    id: newId(workspace.now()),
    name,
    description,
    type: "episode",
    created,
    updated,
    tags: [],
    aliases: [],
    trigger: [],
    confidence: "medium",
    source: "observed",
    status: "open",
    salience: "medium",
    scope: {
      repo: repository?.name ?? folderName(workspace.cwd),
      ...(state.branch !== "" && { branch: state.branch }),
      paths: [],
    },
    decayAfter: new Date(Date.parse(updated) + DECAY_DAYS * 86_400_000).toISOString().slice(0, 10),
    claims: [],
    links: [],
    origin: {
      ...(repository && { repo: repository.name }),
      ...(state.branch !== "" && { branch: state.branch }),
      ...(repository?.head && { commit: repository.head.slice(0, 12) }),
      session,
      client,
      actor: "hook",
    },
    body,
  };
  await store.create(memory, { why: `episode ${name}`, actor });
  return name;
}

/** Stands for a repository where there is none, so that the episode holds in its folder and not everywhere. */
export function folderName(cwd: string): string {
  return `folder:${basename(cwd)}-${createHash("sha256").update(cwd).digest("hex").slice(0, 12)}`;
}

async function initStoreOnce(workspace: Workspace): Promise<Awaited<ReturnType<typeof initStore>>> {
  return workspace.find().stores.find(({ kind }) => kind === "user") ?? (await initStore(workspace, "user"));
}

/** What is not committed; empty when git does not say in time. */
async function repositoryState(
  workspace: Workspace,
  branch: string,
  isRepository: boolean,
): Promise<RepositoryState> {
  if (!isRepository) return { branch: "", diffStat: "" };
  try {
    const { stdout } = await runGit(
      ["diff", "--stat=120", "--no-ext-diff", "--no-textconv", "--ignore-submodules=all", "HEAD"],
      { cwd: workspace.cwd, env: workspace.env, timeoutMs: GIT_TIMEOUT_MS, maxBytes: MAX_GIT_BYTES },
    );
    return { branch, diffStat: stdout.trimEnd() };
  } catch {
    return { branch, diffStat: "" };
  }
}
