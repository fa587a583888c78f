import { OPENING_ANGLE, withoutEntities, LOOK_ALIKES } from "./look-alikes.ts";
import { withoutInvisible } from "./hidden-characters.ts";

/** How far behind a bracket the name of a tag is looked for, in characters. */
const TAG_WINDOW = 80;

/**
 * Beginnings of tag names that only heed or a client writes, letters only. Placeholders of honest text
 * (`<user>`, `<command>`) are left to the fence.
 */
const SPOOFED = (
  "heed systemreminder systemprompt systemmessage systeminstruction systemnote antml " +
  "functioncalls functionresult invokename toolresult tooluse userpromptsubmit usermessage " +
  "userprompt localcommandstdout commandname commandmessage persistedoutput tasknotification " +
  "assistantmessage assistantturn importantinstruction newinstruction"
).split(" ");
/** Whole names. */
const SPOOFED_WORDS = ["system", "assistant", "human", "instructions", "thinking", "sys"];

/** Marks of turns and roles in the formats of models, at the places at which they would count. */
const MARKS: readonly RegExp[] = [
  /\[\/?INST\]|<<\/?SYS>>|<\|\s{0,2}(?:im_start|im_end|system|user|assistant|endoftext|eot_id|start_header_id|begin_of_text)\s{0,2}\|>/i,
  /(?:^|\n)[ \t]{0,8}(?:[*_#>-]{1,4}[ \t]?)?(?:human|assistant)[*_]{0,2}:[*_]{0,2}[ \t]+\S/i,
  /(?:^|\n)[ \t]{0,8}#{2,6}[ \t]*(?:system(?: prompt| message| instructions?)?|instruction|response|human|assistant|user input)[ \t]*:/i,
  /(?:^|\n)[ \t]{0,8}\[\s{0,3}(?:system|admin|administrator|developer|anthropic|openai)(?: (?:message|prompt|override|note|notice|instructions?))?\s{0,3}\][ \t]*:?/i,
  /[[{(]\s{0,3}\/?\s{0,3}(?:system[-_ ]?reminder|heed[-_ ](?:memories|episode|rules))\s{0,3}[\])}]/i,
  /["']role["']\s{0,4}:\s{0,4}["'](?:system|developer|assistant)["']\s{0,4},\s{0,4}["']content["']/i,
];

/** Whether a text writes a tag or a mark of a turn that only heed or a client writes. */
export function spoofsRole(text: string): boolean {
  const visible = withoutInvisible(text);
  if (MARKS.some((mark) => mark.test(visible))) return true;
  for (const { index, 0: bracket } of visible.matchAll(OPENING_ANGLE)) {
    const from = index + bracket.length;
    if (isSpoofed(withoutEntities(visible.slice(from, from + TAG_WINDOW)))) return true;
  }
  return false;
}

function isSpoofed(following: string): boolean {
  const name = letterNameOf(following);
  return (
    SPOOFED.some((tag) => name.startsWith(tag)) ||
    SPOOFED_WORDS.some((word) => name === word || name === `${word}s`)
  );
}

/** The letters up to the closing bracket, whatever stands between them, look-alikes read as what they look like. */
function letterNameOf(following: string): string {
  let name = "";
  for (const char of following.normalize("NFKD").toLowerCase()) {
    const letter = LOOK_ALIKES[char] ?? char;
    if (letter >= "a" && letter <= "z") name += letter;
    else if (char === ">" || char === "＞" || char === "<" || (char === "\n" && name !== "")) break;
    else if (/[\p{L}\p{N}]/u.test(char)) return SPOOFED.some((tag) => name.startsWith(tag)) ? name : "";
    if (name.length > 30) break;
  }
  return name;
}
