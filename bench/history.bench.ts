import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { TemporaryHeed } from "../test/home/temporary-heed.ts";
import { type Figure, rateFigure } from "./figure.ts";
import { type Message, sessionOf, writeChats } from "./past-chats.ts";
import { readUnlabelledTurns } from "./extraction-data.ts";

/** A bug report whose deciding rule was settled in the last of these chats; an earlier one was amended by it. */
interface Task {
  task_id: string;
  bug_report: string;
  conversations: Message[][];
}

const INJECTED = "A past conversation seems to be about this";

/**
 * Coding tasks whose deciding rule was settled in one of many past chats (the shape of SDE-bench): whether a search with
 * the bug report finds that chat, and whether the line about it is told on the bug report, against real prompts of other
 * projects. Transcripts are written as Claude Code writes them and read, searched and told by the library as in a session,
 * all of them in one history. `--turns DIR`: unlabelled turns (default: see turnsBeside); of these every third is asked
 * (`--every N`). `--list` prints what was missed or told for nothing.
 */
export async function run(args: string[]): Promise<Figure[]> {
  const { values } = parseArgs({
    args,
    options: {
      data: { type: "string" },
      turns: { type: "string" },
      every: { type: "string", default: "3" },
      list: { type: "boolean", default: false },
    },
  });
  if (values.data === undefined) throw new Error("give --data DIR, a folder with sde.json");
  const data = JSON.parse(readFileSync(join(values.data, "sde.json"), "utf8")) as {
    tasks: Task[];
    decoys: { id: string; turns: Message[] }[];
  };
  const decoys = data.decoys.map(({ turns }) => turns);
  const miss = (text: string): void => {
    if (values.list) console.log(text);
  };
  const chats = [...decoys, ...data.tasks.flatMap(({ conversations }) => conversations)];
  let atFirst = 0;
  let atThird = 0;
  let injected = 0;
  let injectedForNothing = 0;
  const turns = readUnlabelledTurns(values.data, values.turns);
  const every = Math.max(1, Number(values.every) || 1);
  const prompts = turns.filter((_, i) => i % every === 0);
  const machine = new TemporaryHeed();
  machine.now = new Date().toISOString();
  mkdirSync(machine.userStore, { recursive: true });
  writeChats(machine.home, machine.project, chats);
  try {
    const { conversations: past } = machine.heed;
    await past.search();
    for (const { task_id: task, bug_report: report, conversations } of data.tasks) {
      const found = await past.search({ text: report, limit: 3 });
      const sessions = found.conversations.map(({ session }) => session);
      const own = conversations.map((chat) => sessionOf(chats.indexOf(chat)));
      const place = sessions.indexOf(own.at(-1) ?? "");
      if (place === 0) atFirst += 1;
      else miss(`${task}: its chat is at ${place}`);
      if (place >= 0) atThird += 1;
      const context = await machine.prompt(report, `asks-${task}`);
      if (context.includes(INJECTED) && context.includes(own.at(-1) ?? "?")) injected += 1;
      else miss(`${task}: not told${context.includes(INJECTED) ? `, but ${context}` : ""}`);
    }
    for (const [i, { prompt }] of prompts.entries()) {
      const context = await machine.prompt(prompt, `other-${i}`);
      if (!context.includes(INJECTED)) continue;
      injectedForNothing += 1;
      miss(`told for nothing: ${prompt.slice(0, 200).replaceAll("\n", " ")}`);
    }
  } finally {
    await machine.remove();
  }
  const n = data.tasks.length;
  return [
    share("conversation_hit_at_1", atFirst, n),
    share("conversation_hit_at_3", atThird, n),
    share("told_rate", injected, n),
    share("told_false_rate", injectedForNothing, prompts.length),
  ];
}

const share = (name: string, count: number, n: number): Figure => rateFigure(name, count, n, "share");
