import { mkdirSync } from "node:fs";
import { pooledRate } from "./bootstrap.ts";
import type { Figure } from "./figure.ts";
import type { InjectionData } from "./injection-data.ts";
import { replayStore } from "./replay.ts";
import { readAnswer, servedTexts, write } from "./turn-answers.ts";

const LOOKING = ["memory_search", "memory_show", "memory_check", "memory_history"];

/**
 * What a model has before it at the first prompt of a session, one file each, and what the answers to those opened:
 * `opened_for_nothing` of the prompts that need no memory; `had_needed` of the memories that must be known, those that
 * were told whole or opened. `{"opens": [handle], "searches": [query]}` answers a request.
 */
export async function askWhatIsOpened(
  { memories, prompts }: InjectionData,
  { requests, answers }: { requests?: string | undefined; answers?: string | undefined },
): Promise<Figure[]> {
  if (requests !== undefined) mkdirSync(requests, { recursive: true });
  const { instructions, tools } = servedTexts();
  const offered = tools.filter(({ name }) => LOOKING.includes(name));
  const counted = { idle: { successes: 0, trials: 0 }, needed: { successes: 0, trials: 0 } };
  for (const storeId of [...new Set(memories.map((memory) => memory.storeId))].sort()) {
    const store = await replayStore(memories.filter((memory) => memory.storeId === storeId));
    try {
      const { context: opening } = await store.opening();
      for (const label of prompts.filter((prompt) => prompt.storeId === storeId)) {
        const told = await store.tell(label.prompt);
        const content = told.context === "" ? label.prompt : `${label.prompt}\n\n${told.context}`;
        const system = `${instructions}\n\n${opening}`;
        const messages = [{ role: "user", content }];
        if (requests !== undefined) write(requests, label.id, { system, tools: offered, messages });
        const answer = answers === undefined ? undefined : readAnswer(answers, label.id);
        if (answer === undefined) continue;
        const opens = ((answer["opens"] ?? []) as string[]).map((handle) => store.idOf(handle));
        // What was not written yet at that prompt is no fault and no need.
        const opened = opens.filter((id) => id === undefined || !label.excluded.includes(id));
        if (label.relevant.length === 0) {
          counted.idle.trials += 1;
          counted.idle.successes += Number(opened.length > 0);
        }
        for (const { memoryId } of label.relevant.filter(({ grade }) => grade === 2)) {
          counted.needed.trials += 1;
          counted.needed.successes += Number(told.bodies.has(memoryId) || opened.includes(memoryId));
        }
      }
    } finally {
      await store.close();
    }
  }
  if (answers === undefined) return [];
  return [pooledRate("opened_for_nothing", [counted.idle]), pooledRate("had_needed", [counted.needed])];
}
