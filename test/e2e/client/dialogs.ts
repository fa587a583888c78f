import type { Terminal } from "./terminal.ts";

/** A box by which a server asks. */
const BOX = /requests your input/;
const PERMISSION = /Do you want to proceed\?/;

/** Waits until a server's box is shown. */
export async function boxShown(terminal: Terminal): Promise<void> {
  await terminal.until(BOX);
}

/** Answers a server's box: one choice for each of its questions, in order, then Accept. Keys as a user presses them. */
export async function choose(terminal: Terminal, ...choices: readonly string[]): Promise<void> {
  await boxShown(terminal);
  for (const choice of choices) {
    // Its first letter opens the list and marks it; Enter takes it and goes on to the next question.
    await terminal.press(choice.slice(0, 1));
    await terminal.until(new RegExp(`❯ ◯ ${choice}\\s`));
    await terminal.press("enter");
  }
  await terminal.until(/❯ Accept/);
  await terminal.press("enter");
  await boxGone(terminal);
}

/** Leaves a server's box without an answer. */
export async function dismiss(terminal: Terminal): Promise<void> {
  await boxShown(terminal);
  await terminal.press("escape");
  await boxGone(terminal);
}

/** Lets a call run of which the client asks. */
export async function permit(terminal: Terminal): Promise<void> {
  await terminal.until(PERMISSION);
  await terminal.press("1");
  await terminal.waitFor("that the call runs", () => !PERMISSION.test(terminal.screen));
}

/** Stops a call of which the client asks, and with it the turn. */
export async function refuse(terminal: Terminal): Promise<void> {
  await terminal.until(PERMISSION);
  await terminal.press("escape");
  await terminal.waitFor("that the call is stopped", () => !PERMISSION.test(terminal.screen));
}

async function boxGone(terminal: Terminal): Promise<void> {
  await terminal.waitFor("that the box is gone", () => !BOX.test(terminal.screen));
}
