/** What clients wrap around a person's words, or put before and after them. */
const PUT_IN =
  /<(hook_context|hook_result|system-reminder|system_reminder|qwen:[\w-]+|environment_context|environment_details)\b[^>\n]{0,200}>/i;
const WRAPPER = /^\s*<(user_input|user_message|user_query|task)\b[^>\n]{0,200}>\n?([\s\S]*?)\n?<\/\1>/i;
/** So many wrappers are taken off; a text with more is no prompt. */
const MAX_TAKEN_OFF = 20;

/**
 * A prompt without what its client put in: the context that hooks gave it, reminders, and the tags and quotation marks
 * around the whole. Recalling over these, heed would recall its own words.
 */
export function cleanPrompt(prompt: string): string {
  let text = prompt;
  for (let i = 0; i < MAX_TAKEN_OFF; i++) {
    const open = PUT_IN.exec(text);
    if (open === null) break;
    const close = `</${open[1]?.toLowerCase()}>`;
    const end = text.toLowerCase().indexOf(close, open.index);
    text = text.slice(0, open.index) + (end < 0 ? "" : text.slice(end + close.length));
  }
  text = WRAPPER.exec(text)?.[2] ?? text;
  // opencode's `run` quotes its argument.
  const quoted = /^\s*"([^"]*)"\s*$/.exec(text)?.[1];
  return quoted ?? (text === prompt ? text : text.trim());
}
