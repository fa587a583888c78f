import { linePart } from "./line-part.ts";
import type { OpeningPart } from "./opening-part.ts";

/** So many of what waits are named: more would be an interrogation. */
const MAX_NAMED = 3;
/** Clients that show heed's notices and dialogs to the user themselves. */
const ASKS_ITSELF: ReadonlySet<string> = new Set(["claude-code"]);

/**
 * What waits for the user's approval here, for the model of a client in which heed can show the user nothing, once in a
 * session: the user answers by a line that they type, and the model by nothing.
 */
export const waitingPart: OpeningPart = async ({ situation, questions, client, session }) => {
  const { mode, place, session: state } = situation;
  if (mode === "rules" || ASKS_ITSELF.has(client) || state.noticed.has("waiting")) return undefined;
  const lines = questions
    .filter(({ until, isQuiet, isEverywhere, session: asked }) => {
      const isAsked = until === undefined && isQuiet !== true;
      return isAsked && (isEverywhere !== true || asked === session);
    })
    .slice(0, MAX_NAMED)
    .map(({ code, text }) => `- ${text} (heed yes ${code}, heed no ${code})`);
  if (lines.length === 0) return undefined;
  const head =
    "These need the user's approval and are not in force. Tell the user once; they answer by typing:";
  const part = linePart([head, ...lines].join("\n"));
  const noticed = { kind: "noticed", time: place.now().toISOString(), what: "waiting" } as const;
  return (
    part && {
      ...part,
      render: (room) => {
        const rendered = part.render(room);
        return rendered && { ...rendered, told: { ...rendered.told, records: [noticed] } };
      },
    }
  );
};
