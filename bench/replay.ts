import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Heed } from "../src/heed.ts";
import { openHeed } from "../src/heed.ts";
import type { LabelledMemory } from "./injection-data.ts";

/** What one prompt was given, by the ids of memories. */
export interface Told {
  /** Told as a whole or in passages. */
  bodies: Set<string>;
  pointers: Set<string>;
  /** The gate's estimate for each memory that it weighed, told or not. */
  probabilities: Map<string, number>;
}

/** A store of the data set, live: its memories in a user store of its own, nothing else in reach. */
export interface ReplayedStore {
  /** What a prompt is told as the first of a session, by the code that answers the client's hook. */
  tell(prompt: string): Promise<Told>;
  /** The ids of the rules whose statement a fresh session is given. */
  rules(): Promise<Set<string>>;
  close(): Promise<void>;
}

/** A sentence model that takes part, as the user would have put it. */
export interface ReplayedModel {
  directory: string;
  /** Where its engine lies, when not in the same directory. */
  engine?: string | undefined;
}

/** Opens a store of memories in a temporary home, with a model as the server of a session has one. */
export async function replayStore(
  memories: readonly LabelledMemory[],
  model?: ReplayedModel,
): Promise<ReplayedStore> {
  const home = mkdtempSync(join(tmpdir(), "heed-inject-"));
  const project = join(home, "project");
  mkdirSync(project);
  const heed = openHeed({
    cwd: project,
    env: {
      HOME: home,
      HEED_DIR: join(home, "memory"),
      PATH: process.env["PATH"],
      HEED_SEMANTIC_DIR: "off",
      ...(model && placeModel(model, home)),
    },
    isResident: model !== undefined,
  });
  await heed.setup.init("user");
  for (const memory of memories) writeFileSync(join(home, "memory", memory.file), memory.text);
  await heed.upkeep.reindex();
  const idByName = await namesToIds(heed);
  if (model) await untilEncoded(heed);
  return {
    async tell(prompt): Promise<Told> {
      const told: Told = { bodies: new Set(), pointers: new Set(), probabilities: new Map() };
      // A rehearsal leaves no session behind: the same code answers, without receipts on disk.
      const { receipt } = await rehearse(heed, prompt, model !== undefined);
      for (const { form, name, probability } of receipt.decisions) {
        const id = idByName.get(name);
        if (id === undefined) continue;
        if (form === "body" || form === "passages") told.bodies.add(id);
        if (form === "pointer") told.pointers.add(id);
        if (probability !== undefined) told.probabilities.set(id, probability);
      }
      return told;
    },
    async rules(): Promise<Set<string>> {
      const { context = "" } = await heed.session.answer(
        { kind: "session-start", source: "startup", session: "bench", cwd: project, client: "bench" },
        { deadlineMs: 10_000 },
      );
      const shown = [...idByName].filter(([name]) => context.includes(`[heed:${name}]`));
      return new Set(shown.map(([, id]) => id));
    },
    async close(): Promise<void> {
      await heed.close();
      rmSync(home, { recursive: true, force: true });
    },
  };
}

/** Points heed at a model, and at an engine that lies elsewhere. */
function placeModel({ directory, engine }: ReplayedModel, home: string): Record<string, string> {
  const models = join(home, "models");
  mkdirSync(models);
  if (engine !== undefined) symlinkSync(resolve(engine), join(models, "engine"));
  return { HEED_SEMANTIC_DIR: resolve(directory), HEED_MODELS_DIR: models };
}

/** On a busy machine a prompt's vector may come too late for it: asked again, it is there. */
const ATTEMPTS = 20;

async function rehearse(
  heed: Heed,
  prompt: string,
  withMeaning: boolean,
): ReturnType<Heed["session"]["why"]> {
  for (let attempt = 1; ; attempt++) {
    const explanation = await heed.session.why({ prompt });
    const { decisions } = explanation.receipt;
    const isMeant = decisions.some(({ terms }) => terms?.["nearness"] !== undefined);
    // Without a candidate there is nothing to be near to, and only the model's own would be missing.
    if (!withMeaning || isMeant || attempt === ATTEMPTS || (decisions.length === 0 && attempt > 1))
      return explanation;
    await sleep(20);
  }
}

/** The model gives memories their vectors while nobody waits; here somebody does. */
async function untilEncoded(heed: Heed): Promise<void> {
  const types = new Set(
    heed.memories.types().flatMap(({ name, injection }) => (ON_PROMPT.has(injection) ? [name] : [])),
  );
  const facts = (await heed.memories.list({ isScopedHere: false })).filter(({ type }) => types.has(type));
  const wanted = new Set(facts.map(({ contentHash }) => contentHash)).size;
  for (let i = 0; i < 3000; i++) {
    await heed.session.why({ prompt: "what is known about this project and the way it is built" });
    const { state, reason, stores } = await heed.setup.semantic.status();
    if (state !== "found") throw new Error(`the model takes no part: ${reason}`);
    if (stores.reduce((sum, { vectors }) => sum + vectors, 0) >= wanted) return;
    await sleep(100);
  }
  throw new Error("the memories got no vectors within five minutes");
}

const ON_PROMPT = new Set(["personal", "related", "mentioned", "symptom"]);

/** Memories are filed under their id, so the file tells which memory a decision is about. */
async function namesToIds(heed: Heed): Promise<Map<string, string>> {
  const cards = await heed.memories.list({ isScopedHere: false });
  return new Map(cards.map((card) => [card.name, card.file.replace(/\.md$/, "")]));
}
