import type { EventReport } from "../../heed.ts";

const MAX_NAMED = 20;

/** Why heed said something or nothing on an event, in lines (`HEED_DEBUG=1`). The caller has redacted the report. */
export function describeReport(report: EventReport): string {
  const { kind, mode, deadlineMs, elapsedMs, isCut, answer } = report;
  const injected = report.decisions.filter(({ form }) => form !== "none");
  const untold = report.decisions.filter(({ form }) => form === "none");
  const named = [...injected, ...untold].slice(0, MAX_NAMED);
  const rest = report.decisions.length - named.length;
  const lines = [
    `${kind}: ${elapsedMs.toFixed(1)} ms of ${deadlineMs}${isCut ? ", cut by the deadline" : ""}; mode ${mode}; ` +
      `${report.decisions.length} considered, ${injected.length} told`,
    ...named.map(
      ({ form, handle, chars, reason }) =>
        `  ${form} ${handle}${form === "none" ? "" : `, ${chars} characters`}: ${reason}`,
    ),
    ...(rest > 0 ? [`  and ${rest} more`] : []),
    `  answered: ${describeAnswer(answer)}`,
  ];
  return lines.map((line) => `heed: ${line}`).join("\n");
}

function describeAnswer({ context, notice, decision, receipt }: EventReport["answer"]): string {
  const parts = [
    ...(context === undefined ? [] : [`${context.length} characters for the model`]),
    ...(notice === undefined ? [] : [`${notice.length} characters for the user`]),
    ...(decision === undefined ? [] : [`${decision.action}: ${decision.reason}`]),
    ...(receipt === undefined ? [] : [`receipt ${receipt} (heed why --receipt ${receipt})`]),
  ];
  return parts.length === 0 ? "nothing" : parts.join("; ");
}
