import {
  hidesCharacters,
  LOOK_ALIKES,
  OPENING_ANGLE,
  withoutEntities,
  withoutInvisible,
} from "./hidden-characters.ts";

/** What a text does that no memory has to, and the words in which a person is told. What it orders is not read. */
export const HOSTILE_WORDS = {
  "role-tags": "it imitates the tags, turns or headings of heed or of a client",
  "hidden-characters": "it hides text in invisible or direction characters",
} as const;
export type HostileKind = keyof typeof HOSTILE_WORDS;

/** Texts are looked at to this length: what a store takes as one memory is shorter. */
const MAX_CHARS = 512 * 1024;

export function findHostile(text: string): HostileKind[] {
  const whole = text.slice(0, MAX_CHARS);
  return [
    ...(spoofsRole(whole) ? (["role-tags"] as const) : []),
    ...(hidesCharacters(whole) ? (["hidden-characters"] as const) : []),
  ];
}

/** How far behind a bracket the name of a tag is looked for, in characters. */
const TAG_WINDOW = 80;

/** Beginnings of tag names that only heed or a client writes; honest placeholders are left to the fence. */
const SPOOFED = (
  "heed systemreminder systemprompt systemmessage systeminstruction systemnote antml " +
  "functioncalls functionresult invokename toolresult tooluse userpromptsubmit usermessage " +
  "userprompt localcommandstdout commandname commandmessage persistedoutput tasknotification " +
  "assistantmessage assistantturn importantinstruction newinstruction"
).split(" ");
const SPOOFED_WORDS = ["system", "assistant", "human", "instructions", "thinking", "sys"];

/** The headings under which heed injects; a test holds them against what it writes. */
const OWN_VOICE = new RegExp(
  [
    "standing rules that (?:the user gave and )?heed keeps",
    "new or changed in what heed keeps here",
    "kept by heed, one line each",
    "what must be so by a stored memory is broken",
    "these need the user's approval and are not in force",
    "heed goes on with what was last good",
  ]
    .join("|")
    .replaceAll(" ", "\\W{1,8}"),
  "i",
);

/** Marks of turns and roles in the formats of models, at the places at which they would count. */
const MARKS: readonly RegExp[] = [
  /\[\/?INST\]|<<\/?SYS>>|<\|\s{0,2}(?:im_start|im_end|system|user|assistant|endoftext|eot_id|start_header_id|begin_of_text)\s{0,2}\|>/i,
  /(?:^|\n)[ \t]{0,8}(?:[*_#>-]{1,4}[ \t]?)?(?:human|assistant)[*_]{0,2}:[*_]{0,2}[ \t]+\S/i,
  /(?:^|\n)[ \t]{0,8}#{2,6}[ \t]*(?:system(?: prompt| message| instructions?)?|instruction|response|human|assistant|user input)[ \t]*:/i,
  /(?:^|\n)[ \t]{0,8}\[\s{0,3}(?:system|admin|administrator|developer|anthropic|openai)(?: (?:message|prompt|override|note|notice|instructions?))?\s{0,3}\][ \t]*:?/i,
  /[[{(]\s{0,3}\/?\s{0,3}(?:system[-_ ]?reminder|heed[-_ ](?:memories|episode|rules))\s{0,3}[\])}]/i,
  OWN_VOICE,
  /["']role["']\s{0,4}:\s{0,4}["'](?:system|developer|assistant)["']\s{0,4},\s{0,4}["']content["']/i,
];

/** Whether a text writes a tag or a mark of a turn that only heed or a client writes. */
function spoofsRole(text: string): boolean {
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

/** The letters up to the closing bracket, whatever is between them; look-alikes count as the letters that they look like. */
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
