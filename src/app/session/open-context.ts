import { arrangeParts } from "../../inject/context-parts.ts";
import type { EventOutcome } from "../records/event-outcome.ts";
import type { SessionRecord } from "../records/session-state.ts";
import { openQuestions } from "./open-questions.ts";
import { openingNotice } from "./opening-notice.ts";
import { OPENING_PARTS } from "./opening-parts.ts";
import type { Situation } from "./situation.ts";
import { changesSince } from "./changes-since.ts";

/** Opens a fresh context, the main one of a session or that of a subagent, with all parts that have something to say. */
export async function openContext(
  situation: Situation,
  about: { agent: string | undefined; client: string; session: string },
): Promise<EventOutcome> {
  const { place, collection } = situation;
  const questions = about.agent === undefined ? await openQuestions(place, collection) : [];
  const opening = { situation, questions, ...about };
  const parts = await Promise.all(OPENING_PARTS.map((part) => part(opening)));
  const { text, told } = arrangeParts(parts.filter((part) => part !== undefined));
  const time = place.now().toISOString();
  const notice = about.agent === undefined ? openingNotice(opening) : undefined;
  const records: SessionRecord[] = [
    {
      kind: "told",
      time,
      ...(about.agent !== undefined && { agent: about.agent }),
      isBlock: true,
      chars: text.length,
      memories: told.flatMap(({ memories }) => memories),
    },
    ...told.flatMap((part) => part.records ?? []),
  ];
  if (notice !== undefined) records.push({ kind: "noticed", time, what: "pending" });
  return {
    answer: { ...(text !== "" && { context: text }), ...(notice && { notice: notice.text }) },
    records,
    decisions: told.flatMap(({ decisions }) => decisions),
    isCut: collection.isCut,
    afterwards: () => {
      notice?.afterwards();
      for (const part of told) part.afterwards?.();
    },
  };
}

/** A session that goes on in a context which already holds rules and map: only what changed since is told. */
export async function resumeContext(situation: Situation): Promise<EventOutcome> {
  const { text, memories, decisions, records } = await changesSince(situation, undefined);
  const { isCut } = situation.collection;
  if (text === "") return { answer: {}, records, decisions: [], isCut };
  const time = situation.place.now().toISOString();
  return {
    answer: { context: text },
    records: [{ kind: "told", time, isBlock: true, chars: text.length, memories }, ...records],
    decisions,
    isCut,
  };
}
