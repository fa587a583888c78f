import { object, text, described } from "../../../here/schema.ts";
import { type Tool, tool, toolResult } from "./add-tool.ts";
import { answeredDialog, dialogPlace, offerDialog } from "./offer-dialog.ts";

/** The tool by which a model asks for one call that a guard stopped. A model never allows anything itself. */
export const allowTool: Tool = tool({
  name: "memory_allow",
  title: "Ask for a stopped call",
  description:
    "Ask the user whether one tool call that a guard stopped may run after all, once. Use it only when the user wants " +
    "that call. Give the code from the guard's message. The user decides in a dialog of the client; without one the " +
    "answer says what they can type.",
  input: object({ code: described(text(undefined, 20), "The code from the guard's message") }),
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true },
  isOfSession: true,
  run: async ({ code }, call) => {
    const { server, ctx, heed } = call;
    const answered = await answeredDialog(ctx);
    if (answered !== undefined) return answered;
    const next = `The user can type: heed allow ${code}. Do not try the call before that.`;
    const there = dialogPlace(call);
    if (there === undefined) return { value: { outcome: "waits", next } };
    const about = { ...there, call: code.toLowerCase() };
    return offerDialog(server, ctx, heed, about, (announcements) =>
      toolResult(
        announcements.length === 0
          ? { outcome: "waits", next }
          : {
              outcome: "answered",
              announcement: announcements.join(" "),
              next: "Where the user allowed it, make the call again now, exactly as it was.",
            },
      ),
    );
  },
});
