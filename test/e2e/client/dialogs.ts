import type { Terminal } from "./terminal.ts";

const BOX = /requests your input/;
const GONE_MS = 300;
const PERMISSION = /Do you want to proceed\?/;

/** Waits until a server's box is shown. */
export async function boxShown(terminal: Terminal): Promise<void> {
  await terminal.until(BOX);
}

/** Answers a server's box: one choice for each of its questions, in order, then Accept. Arrow keys, as a user presses them. */
export async function choose(terminal: Terminal, ...choices: readonly string[]): Promise<void> {
  await boxShown(terminal);
  for (const choice of choices) {
    const marked = new RegExp(`❯ ◯ [✓✗] ${choice}\\s`);
    // Pressed twice it would close the list again.
    await terminal.insist("right", "that the list is open", () => /❯ ◉ not now/.test(terminal.screen), 8000);
    await terminal.insist("down", `that "${choice}" is marked`, () => marked.test(terminal.screen));
    // Enter takes it and goes on to the next question.
    await terminal.insist("enter", `that "${choice}" is chosen`, () => !marked.test(terminal.screen));
  }
  await terminal.until(/❯ Accept/);
  await leave(terminal, BOX, "enter");
}

/** Leaves a server's box without an answer. */
export async function dismiss(terminal: Terminal): Promise<void> {
  await boxShown(terminal);
  await leave(terminal, BOX, "escape");
}

/** Lets a call run of which the client asks; `look` sees the question. */
export async function permit(terminal: Terminal, look?: (screen: string) => void): Promise<void> {
  await terminal.until(PERMISSION);
  look?.(terminal.screen);
  // Where the client's own check asks, No comes first, and neither has a number.
  const hasNumbers = /1\. Yes/.test(terminal.screen);
  if (!hasNumbers) await terminal.insist("down", "that Yes is marked", () => /❯ Yes/.test(terminal.screen));
  await leave(terminal, PERMISSION, hasNumbers ? "1" : "enter");
}

/** Stops a call of which the client asks, and with it the turn. */
export async function refuse(terminal: Terminal): Promise<void> {
  await terminal.until(PERMISSION);
  await leave(terminal, PERMISSION, "escape");
}

async function leave(terminal: Terminal, dialog: RegExp, key: string): Promise<void> {
  let goneSince = Infinity;
  // A client that draws a screen again may leave it out for a moment.
  await terminal.insist(key, "that the dialog is gone", () => {
    goneSince = dialog.test(terminal.screen) ? Infinity : Math.min(goneSince, performance.now());
    return performance.now() - goneSince > GONE_MS;
  });
}
