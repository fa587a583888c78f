import type { HealthFinding } from "../api/upkeep-reports.ts";
import type { Section, HealthInput, WardGuard } from "./health-input.ts";
import { remedy } from "./health-input.ts";

/** A guard may be idle for so many days before anybody is asked about it. */
const IDLE_DAYS = 90;
const DAY_MS = 86_400_000;

/** Guards of which a person said that they fired wrongly, the most often wrong first. */
export function guardsWrong({ guards }: HealthInput): Section {
  const wrong = guards.filter((guard) => guard.wrong > 0);
  return {
    findings: wrong
      .toSorted((a, b) => b.wrong / b.fired - a.wrong / a.fired)
      .map((guard): HealthFinding => ({
        subject: nameOf(guard),
        words: `wrong ${guard.wrong} of ${guard.fired} times: ${guard.summary}`,
        remedies: [remedy("edit", guard.card.name)],
      })),
  };
}

/** Guards in force that never fired since they were written: what they stop may never happen, or they may not see it. */
export function guardsNeverFired({ guards, telemetry, place }: HealthInput): Section {
  const idle = guards.filter(({ fired, whyNot }) => fired === 0 && whyNot === undefined);
  if (idle.length === 0) return { findings: [] };
  const now = place.now().getTime();
  const known = telemetry.since === undefined ? 0 : (now - Date.parse(telemetry.since)) / DAY_MS;
  if (known < IDLE_DAYS)
    return {
      findings: [],
      withheld: `what heed does here is known for ${Math.floor(known)} days, ${IDLE_DAYS} are needed`,
    };
  return {
    findings: idle.flatMap((guard): HealthFinding[] => {
      const since = guard.card.updated ?? guard.card.created;
      const days = since === undefined ? known : (now - Date.parse(since)) / DAY_MS;
      if (days < IDLE_DAYS) return [];
      return [
        {
          subject: nameOf(guard),
          words: `not once in ${Math.floor(Math.min(days, known))} days: ${guard.summary}`,
          remedies: [{ command: "guard test", args: ["A COMMAND THAT IT SHOULD STOP"] }],
        },
      ];
    }),
  };
}

function nameOf({ card, number }: WardGuard): string {
  return number === 1 ? card.name : `${card.name} (guard ${number})`;
}
