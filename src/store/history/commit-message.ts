import type { ChangeRecord } from "./change-record.ts";

/** Trailers of heed's commits. */
export const TRAILERS = {
  change: "Heed-Change",
  actor: "Heed-Actor",
  client: "Heed-Client",
  session: "Heed-Session",
  undoes: "Heed-Undoes",
} as const;

/** The message of a change's commit: what and why in one line, then who, as trailers. */
export function commitMessage(
  record: Pick<ChangeRecord, "summary" | "actor" | "undoes"> & { id?: string },
): string {
  const trailers = [
    [TRAILERS.change, record.id],
    [TRAILERS.actor, record.actor.kind],
    [TRAILERS.client, record.actor.client],
    [TRAILERS.session, record.actor.session],
    [TRAILERS.undoes, record.undoes],
  ].flatMap(([key, value]) =>
    // Of what is taken back each id counts.
    value ? [`${key}: ${oneLine(value).slice(0, key === TRAILERS.undoes ? undefined : 200)}`] : [],
  );
  return `${oneLine(record.summary) || "change"}\n\n${trailers.join("\n")}\n`;
}

function oneLine(text: string): string {
  return text.replace(/[\s\p{Cc}]+/gu, " ").trim();
}
