import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Heed } from "../src/heed.ts";
import { openHeed } from "../src/heed.ts";
import { shortestHandleOf, shortNameOf } from "../src/memory/handle.ts";
import { TemporaryHeed } from "../test/home/temporary-heed.ts";
import type { LabelledMemory } from "./injection-data.ts";

/** What one prompt was given, by the ids of memories. */
export interface Injected {
  /** Told as a whole or in passages. */
  bodies: Set<string>;
  pointers: Set<string>;
  context: string;
}

/** A store of the data set, live: its memories in a user store of its own, nothing else in reach. */
export interface ReplayedStore {
  /** What a prompt is told as the first of a session, by the code that answers the client's hook. */
  tell(prompt: string): Promise<Injected>;
  /** The map that a fresh session is given: its text, and the ids of the memories that it names. */
  map(): Promise<{ text: string; ids: Set<string> }>;
  /** What a fresh session is given: the text, and the ids of the rules whose statement is in it. */
  opening(): Promise<{ context: string; rules: Set<string> }>;
  idOf(handle: string): string | undefined;
  close(): Promise<void>;
}

/** Opens a store of memories in a temporary home, as the resident server has it. */
export async function replayStore(memories: readonly LabelledMemory[]): Promise<ReplayedStore> {
  const place = new TemporaryHeed({ PATH: process.env["PATH"] ?? "" });
  const heed = openHeed({ cwd: place.project, env: place.env, isResident: true });
  await heed.setup.init("user");
  for (const memory of memories) writeFileSync(join(place.userStore, memory.file), memory.text);
  await heed.maintenance.reindex();
  // What came past heed is data until somebody looked at it.
  await heed.setup.trust({ store: "user" });
  const idByName = await namesToIds(heed);
  return {
    async tell(prompt): Promise<Injected> {
      // A dry run leaves no session behind: the same code answers, without receipts on disk.
      const { receipt, context } = await heed.session.why({ prompt });
      const injected: Injected = { bodies: new Set(), pointers: new Set(), context };
      for (const { form, name } of receipt.decisions) {
        const id = idByName.get(name);
        if (id === undefined) continue;
        if (form === "body" || form === "passages") injected.bodies.add(id);
        if (form === "pointer") injected.pointers.add(id);
      }
      return injected;
    },
    async map(): Promise<{ text: string; ids: Set<string> }> {
      const { text, handles } = await heed.session.map();
      const names = handles.map((handle) => handle.replace(/^heed:/, ""));
      return { text, ids: new Set(names.flatMap((name) => idByName.get(name) ?? [])) };
    },
    async opening(): Promise<{ context: string; rules: Set<string> }> {
      const { context = "" } = await place.event({ kind: "session-start", source: "startup" }, heed);
      const shown = [...idByName].filter(([handle]) =>
        [`[heed:${handle}]`, `[${handle}]`].some((one) => context.includes(one)),
      );
      return { context, rules: new Set(shown.map(([, id]) => id)) };
    },
    idOf: (handle) => idByName.get(handle.replace(/^heed:/, "").trim()),
    async close(): Promise<void> {
      await heed.close();
      await place.remove();
    },
  };
}

/** By name and shown handle. Memories are filed under their id, so the file tells which memory a decision is about. */
async function namesToIds(heed: Heed): Promise<Map<string, string>> {
  const memories = await heed.memories.list({ isScopedHere: false });
  return new Map(
    memories.flatMap((metadata) =>
      [metadata.name, shortNameOf(metadata), shortestHandleOf(metadata)].map((name) => [
        name,
        metadata.file.replace(/\.md$/, ""),
      ]),
    ),
  );
}
