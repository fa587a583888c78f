import { OPENING_ANGLE, withoutEntities, LOOK_ALIKES, withoutInvisible } from "./hidden-characters.ts";

const EARLIER =
  "(?:(?:all|any|every|each|of|the|these|those|your|my|its|our|and|or|previous(?:ly)?|prior|above|earlier|preceding|foregoing|existing|current|original|initial|other|given|system|developer|safety|security|user(?:'s)?)\\s+){1,6}";
const ORDERS =
  "(?:instructions?|directions?|directives?|prompts?|rules?|guidelines?|guardrails?|polic(?:y|ies)|constraints?|restrictions?|commands?|messages?|context|programming|training|safeguards?|orders)";
const DROP =
  "(?:ignore|disregard|forget|override|overrule|bypass|neglect|discard|drop|dismiss|abandon|skip|delete|erase|do\\s+not\\s+(?:follow|obey|heed)|don't\\s+(?:follow|obey|heed)|stop\\s+(?:following|obeying)|pay\\s+no\\s+attention\\s+to)";

const DROP_HINTS =
  "ignore|disregard|forget|override|overrule|bypass|neglect|discard|drop|dismiss|abandon|skip|delete|erase|do not|don't|stop|pay no";

/** Orders to a model against its instructions, by what each begins with. For the forms of text that findHostile makes. */
const ORDERS_BY_BEGINNING: Readonly<Record<string, RegExp>> = {
  "previous|prior|earlier|above|all other":
    /\b(?:previous|prior|earlier|above|all other)\s+(?:instructions?|rules|prompts?|guidelines)\s+(?:(?:are|is|were|have been)\s+)?(?:now\s+)?(?:void|null|obsolete|invalid|cancell?ed|superseded|revoked|no longer (?:valid|apply|in (?:force|effect)))/iy,
  // A new role.
  "you are|you're":
    /\byou(?:'re|\s+are)\s+(?:now|no\s+longer|actually|hereby|henceforth)\s+(?:an?\s+|in\s+|the\s+)?(?:\w+\s+){0,3}?(?:dan\b|jailbroken|unrestricted|unfiltered|uncensored|developer mode|god mode|admin(?:istrator)? mode|free from|bound by|claude|chatgpt|gpt|an? ai\b|assistant|agent|model|evil|root)/iy,
  "enter|enable|activate|switch|engage":
    /\b(?:enter|enable|activate|switch (?:in)?to|engage)\s+(?:\w+\s+)?(?:developer|god|admin|debug|jailbreak|dan|unrestricted|maintenance|sudo)\s+mode\b(?=[^.\n]{0,80}\b(?:you|ignore|without|all|no)\b)/iy,
  "act as|act like|behave|respond|pretend|roleplay":
    /\b(?:act|behave|respond|pretend|roleplay)\s+(?:as\s+(?:if|though)\s+you\s+(?:are|were|have|had)|as|to be)\s+(?:an?\s+)?(?:\w+\s+)?(?:unrestricted|unfiltered|uncensored|jailbroken|dan\b|no (?:rules|restrictions|limits|guidelines))/iy,
  // Orders from above.
  "new |updated|real |actual|hidden|secret|override|priority":
    /(?<=(?:^|[\n.:>*#\]-])\s{0,4}(?:(?:important|urgent|critical|attention|note)[\s:!,-]{1,4})?)(?:new|updated|real|actual|hidden|secret|override|priority)\s+(?:system\s+|user\s+|developer\s+)?(?:instructions?|directives?|orders?|prompt)\s*(?:for\s+(?:the\s+)?(?:ai|assistant|agent|model|claude)[^:\n]{0,30})?:/iy,
  "system|developer|admin|anthropic|openai|root":
    /\b(?:system|developer|admin(?:istrator)?|anthropic|openai|root)\s+(?:override|overrule|directive|notice|alert|command|message|instruction)s?\s*[:!]/iy,
  "attention|dear|hey|note to|message|instruction|listen":
    /\b(?:attention|dear|hey|note to|message (?:to|for)|instructions? (?:to|for)|listen,?)\s+(?:the\s+|any\s+|all\s+)?(?:ai|llm|language model|coding agent|ai agent|ai assistant|assistant|claude|chatgpt|gpt-?\d?|gemini|copilot|codex)s?\s*[:,!]\s*(?:you|please|ignore|do|run|execute|send|always|never|from now)/iy,
  "you |the ai|the assistant|the agent|the model":
    /\b(?:you|the (?:ai|assistant|agent|model))\s+(?:must|shall|have to|are (?:required|ordered|commanded|instructed|obliged) to)\s+(?:now\s+|immediately\s+|always\s+|first\s+)*(?:obey|comply with|follow)\s+(?:me|this|these|the following|only)\b/iy,
  "you must now|you will now":
    /\byou\s+must\s+now\s+(?!and\b|be\b|also\b)|\byou\s+will\s+now\s+(?:obey|comply|ignore|act|execute|run|send)\b/iy,
  "reveal|print|output|show|repeat|leak|disclose|recite|dump|tell me|write out|send":
    /\b(?:reveal|print|output|show|repeat|leak|disclose|recite|dump|tell me|write out|send)\s+(?:me\s+|us\s+|out\s+)?(?:all\s+of\s+|the\s+|your\s+|any\s+|full\s+|entire\s+|complete\s+|hidden\s+|secret\s+){1,4}(?:system\s+(?:prompt|message|instructions?)|initial\s+(?:prompt|instructions?)|hidden\s+(?:prompt|instructions?))/iy,
  // Behind the user's back.
  "do not|don't|never|must not|without":
    /\b(?:do\s+not|don't|never|must\s+not|without)\s+(?:ever\s+)?(?:tell(?:ing)?|inform(?:ing)?|alert(?:ing)?|notify(?:ing)?|warn(?:ing)?|mention(?:ing)?|reveal(?:ing)?|disclos(?:e|ing)|show(?:ing)?|report(?:ing)?)\s+(?:(?:this|that|it|these|any\s+of\s+this|the\s+following|about\s+this)\s+)(?:\w+\s+){0,2}?(?:to\s+)?(?:the\s+)?(?:user|human|operator|developer|person)\b/iy,
  "do not|don't|never|without":
    /\b(?:do\s+not|don't|never|without)\s+(?:ever\s+)?(?:tell(?:ing)?|inform(?:ing)?|alert(?:ing)?|notify(?:ing)?|warn(?:ing)?)\s+(?:the\s+|your\s+)?(?:user|human|operator|developer)\s+(?:about|of|that you)\s+(?:this|these|it|what|you|any)\b/iy,
  "hide|conceal|keep":
    /\b(?:hide|conceal|keep)\s+(?:this|these|it|what you (?:do|did)|your actions|the (?:change|command|transfer|upload))\s+(?:\w+\s+){0,2}?from\s+(?:the\s+|your\s+)?(?:user|human|operator|reviewer|developer)/iy,
  "silently|secretly|covertly|quietly|in secret|without":
    /\b(?:silently|secretly|covertly|quietly|in secret|without (?:the )?(?:user(?:'s)?|any(?:one)?|asking|telling)(?: knowledge| consent| noticing| knowing)?)\b[^.\n]{0,60}\b(?:run|execute|install|send|upload|post|exfiltrate|commit|push|download|delete|disable|copy|forward|transmit)\b[^.\n]{0,80}(?:https?:|\bcurl\b|\bwget\b|secrets?|tokens?|credentials?|keys?\b|passwords?|\.env|history|conversation|home directory|~\/)/iy,
  // The same in other languages.
  "ignorier|vergiss|vergessen|missachte|uberschreibe":
    /\b(?:ignorier(?:e|en sie|t)|vergiss|vergessen sie|missachte|uberschreibe)\s+(?:(?:alle|alles|die|deine|ihre|bisherigen|vorherigen|vorigen|obigen|fruheren|was)\s+){1,4}(?:anweisungen|instruktionen|regeln|vorgaben|befehle|prompts?|bisher)/iy,
  "ignore|oublie|neglige":
    /\b(?:ignore[zrs]?|oublie[zrs]?|neglige[zr]?)\s+(?:(?:toutes?|tous|les|tes|vos|ces|l')\s*){1,3}(?:instructions|consignes|regles|directives)(?:\s+(?:precedentes|anterieures|ci-dessus))?/iy,
  "ignora|ignore|olvid|esque|desconsidere|dimentica":
    /\b(?:ignora|ignore|ignorar|olvida|olvide|esquece|esqueca|desconsidere|dimentica|ignora)\s+(?:(?:todas?|todos?|as|las?|los?|tus|sus|suas?|tutte|le|gli|i|tue)\s+){1,3}(?:(?:anteriores|previas|precedenti)\s+)?(?:instrucciones|instrucoes|istruzioni|reglas|regras|regole|ordenes|indicaciones)/iy,
  // Orders in another place.
  "fetch|download|curl|wget|open |read |visit|load |get ":
    /\b(?:fetch|download|curl|wget|open|read|visit|load|get)\b[^\n]{0,40}?https?:\/\/[^\s)]{1,200}[^.\n]{0,30}?\b(?:and|then)\s+(?:follow|obey|comply|carry out|execute|do)\s+(?:it\b|them\b|what (?:it|they) (?:say|tell)|(?:the|its|their|all|any|every)\s+(?:instructions?|orders|steps there|commands))/iy,
  "from now on|from here on|henceforth":
    /\b(?:from (?:now|here) on|henceforth),?\s+you\s+(?:are|act as|will be|must act as|behave as)\s+(?:an?\s+)?(?:\w+\s+)?(?:dan\b|unrestricted|unfiltered|uncensored|jailbroken|root\b|evil\b)/iy,
};

/** Those in other scripts, which are looked for in the whole text. */
const ORDERS_IN_OTHER_SCRIPTS: readonly RegExp[] = [
  /(?:忽略|无视|無視|忘记|忘記|不要理会)(?:掉|所有|以上|之前|先前|此前|上述|前面|全部|一切|的|你|您|收到){1,6}(?:指令|指示|提示|规则|規則|命令|要求|内容)/i,
  /(?:これまで|以前|上記|前)の(?:すべての|全ての)?(?:指示|命令|ルール|プロンプト)を(?:無視|忘れ)/i,
  /(?:игнорируи(?:те)?|забудь(?:те)?|проигнорируи(?:те)?)\s+(?:(?:все|свои|эти|предыдущие|прежние|прошлые)\s+){1,3}(?:инструкции|указания|правила|команды)/i,
  // Decomposed, as the text is that it is asked of.
  new RegExp(
    "(?:이전|앞의|위의|기존|모든)[^\\n]{0,24}(?:지시|명령|규칙|지침)[^\\n]{0,12}(?:무시|잊)".normalize(
      "NFKD",
    ),
  ),
  /(?:تجاهل|انس)\s+(?:(?:جميع|كل|هذه)\s+){0,2}(?:ال)?(?:تعليمات|أوامر|قواعد)/,
];

const DROPS: readonly RegExp[] = [
  new RegExp(`\\b${DROP}\\s+${EARLIER}${ORDERS}\\b`, "iy"),
  new RegExp(
    `\\b${DROP}\\s+(?:everything|anything|all|what(?:ever)?)\\s+(?:(?:that|which)\\s+)?(?:you(?:'ve|\\s+have|\\s+were)?\\s+(?:been\\s+)?(?:told|said|given|instructed|learned|know)|(?:was\\s+)?(?:said|written|told|given)?\\s*(?:above|before|previously|earlier|so\\s+far))`,
    "iy",
  ),
];

function asPatterns(kind: HostileKind, byBeginning: Readonly<Record<string, RegExp>>): HostilePattern[] {
  return Object.entries(byBeginning).map(([hints, pattern]) => ({ kind, hints, pattern }));
}

export const ORDER_PATTERNS: readonly HostilePattern[] = [
  ...asPatterns("instructions", ORDERS_BY_BEGINNING),
  ...DROPS.flatMap((pattern) => asPatterns("instructions", { [DROP_HINTS]: pattern })),
  ...ORDERS_IN_OTHER_SCRIPTS.flatMap((pattern) => asPatterns("instructions", { "": pattern })),
];

/** A way of speaking to a model against its user, or of carrying something out. */
export interface HostilePattern {
  kind: HostileKind;
  /** What a match begins with (see HintTable), divided by `|`; empty for patterns of other scripts. */
  hints: string;
  /** Sticky where there are hints. Bounded, since it runs over text that somebody else wrote. */
  pattern: RegExp;
  isSure?: (match: string) => boolean;
}

/** What a text does that no memory has to. */
export type HostileKind = "instructions" | "role-tags" | "hidden-characters" | "encoded" | "exfiltration";

/** The words in which a kind is told to a person. */
export const HOSTILE_WORDS: Readonly<Record<HostileKind, string>> = {
  instructions: "it gives orders to a model against what it was told",
  "role-tags": "it imitates the tags or turns of heed or of a client",
  "hidden-characters": "it hides text in invisible or direction characters",
  encoded: "it holds encoded text that gives orders to a model",
  exfiltration: "it has data sent to somewhere else",
};

const LOOT =
  "(?:\\$\\(?(?:env|printenv|cat|set|history)\\b|`(?:env|printenv|cat)\\b|\\bprintenv\\b|\\benv\\s*\\||~?/?\\.ssh\\b|id_(?:rsa|ed25519|ecdsa)\\b|~?/?\\.aws/|\\.env\\b|/etc/(?:passwd|shadow)|\\.netrc\\b|\\.npmrc\\b|\\.kube/config|\\.git-credentials|process\\.env\\b|os\\.environ\\b|\\$[A-Z_]*(?:TOKEN|SECRET|PASSWORD|API_?KEY|CREDENTIALS?)[A-Z_]*)";
const SECRET_FILE =
  "(?:~?/?\\.ssh/(?!config|known_hosts)|id_(?:rsa|ed25519|ecdsa)\\b|~?/?\\.aws/credentials|/etc/shadow|\\.netrc\\b|\\.git-credentials|\\.kube/config)";
const SENDER =
  "(?:\\b(?:curl|wget|nc|ncat|netcat|socat|scp|rsync|ftp|telnet|dig|nslookup|Invoke-WebRequest|Invoke-RestMethod|iwr|irm)\\b|\\bfetch\\s*\\(|requests\\.(?:post|get|put)\\s*\\(|axios\\.(?:post|get|put)\\s*\\(|/dev/tcp/)";

const SENDER_HINTS =
  "curl|wget|ncat|nc -|nc |netcat|socat|scp|rsync|ftp|telnet|dig |nslookup|invoke-|iwr|irm|fetch|requests.|axios.|/dev/tcp/";
const READER_HINTS = "cat |env|printenv|history|tar |zip |base64|head |grep |echo|type ";
/** Ways to send data elsewhere, by what each begins with. */
const SENDS_BY_BEGINNING: Readonly<Record<string, RegExp>> = {
  "bash -i|sh -i": /\b(?:ba)?sh\s+-i\b[^\n]{0,40}\/dev\/(?:tcp|udp)\//iy,
  "document.cookie": /(?<=(?:fetch|location|src|sendbeacon|javascript:)[^\n]{0,120})document\.cookie/iy,
  // What is secret goes where others read it.
  "include|paste|put |add |print|append|insert|copy|quote|embed|read |cat ": new RegExp(
    `\\b(?:include|paste|put|add|print|append|insert|copy|quote|embed|read|cat)\\b[^\\n]{0,40}?${SECRET_FILE}[^\\n]{0,60}?\\b(?:in|into|to)\\s+(?:the\\s+|your\\s+|every\\s+|each\\s+|a\\s+)?(?:next\\s+|first\\s+)?(?:commit(?: message)?|pull request|pr\\b|issue|answer|reply|response|comment|url|branch name)`,
    "iy",
  ),
  "send|post|upload|forward|transmit|email|e-mail|exfiltrate|leak|copy|submit|report|deliver":
    /\b(?:send|post|upload|forward|transmit|e-?mail|exfiltrate|leak|copy|submit|report|deliver)\s+(?:\w+\s+){0,3}?(?:the\s+|all\s+|any\s+|your\s+|its\s+|our\s+|user(?:'s)?\s+|every\s+|contents?\s+of\s+)+(?:\w+\s+){0,3}?(?:conversation|chat|transcript|history|context|prompts?|memories|secrets?|tokens?|credentials?|passwords?|api keys?|(?:private|ssh|access) keys?|environment(?: variables)?|env(?: vars| file)?|\.env|source code|files?|code ?base|repository)\b[^\n]{0,80}?\b(?:to|at|via|through)\b[^\n]{0,30}?(?:https?:\/\/|[\w.+-]+@[\w-]+\.\w|ftp:|webhook|attacker|[\w-]+\.(?:com|net|org|io|ru|cn|xyz|site|dev)\b)/iy,
  // A picture whose address carries what the model knows.
  "](http|]( http":
    /(?<=!\[[^\]\n]{0,100})\]\(\s*https?:\/\/[^)\n]{1,300}?(?:[?&/=](?:\{\{?|<|\$\{?|%7b|\[)[^)\n]{0,120}|[?&](?:data|q|d|c|payload|exfil|secret|token|context|conversation|history)=(?:\w*\{|<|\$|\[|the_|your_|insert|[a-z_]*(?:secret|conversation|credential|password|chat_|prompt)))/iy,
  "append|add |include|encode|embed|put |attach|insert":
    /\b(?:append|add|include|encode|embed|put|attach|insert)\s+(?:\w+\s+){0,4}?(?:the\s+|all\s+|any\s+|your\s+|user(?:'s)?\s+)+(?:\w+\s+){0,3}?(?:conversation|chat|transcript|history|secrets?|tokens?|credentials?|passwords?|api keys?|keys?|environment|env vars?|message)\b[^\n]{0,60}?\b(?:in|into|to|as|on)\b[^\n]{0,40}?(?:\burl\b|query (?:string|parameter)|image (?:url|link|address)|https?:\/\/|\blink\b)/iy,
};

/** For the forms of text that findHostile makes. */
export const EXFILTRATION_PATTERNS: readonly HostilePattern[] = [
  ...asPatterns("exfiltration", SENDS_BY_BEGINNING),
  {
    kind: "exfiltration",
    hints: SENDER_HINTS,
    pattern: new RegExp(`${SENDER}[^\\n]{0,300}?${LOOT}`, "iy"),
    isSure: carriesOut,
  },
  {
    kind: "exfiltration",
    hints: READER_HINTS,
    // From the last sign before the sender, unless a line ends there: each sign tried with each place cost a second.
    pattern: new RegExp(
      `\\b(?:cat|env|printenv|history|tar|zip|base64|head|grep|echo|type)\\b[^\\n]{0,220}?(?:\\||>|&&|;)(?:[^\\S\\n]*\\n\\s*[^\\n]{0,60}?|[^\\S\\n]*(?:[^\\n|>;&]|&(?!&)){0,60}?)${SENDER}`,
      "iy",
    ),
    isSure: (match) => new RegExp(LOOT, "i").test(match) || /^(?:env|printenv|history)\b/i.test(match),
  },
];

/** Not a call of an interface with the caller's own key in its header, nor one that stays on the machine. */
function carriesOut(match: string): boolean {
  const rest = match.replace(
    /(?:-H|--header|headers?)[ =:({']{0,4}[\w-]{0,40}[ :']{0,4}(?:bearer |token |basic )?\$\{?\w+/gi,
    "",
  );
  return new RegExp(LOOT, "i").test(rest) && !/\/\/(?:localhost|127\.0\.0\.1|\[::1\]|0\.0\.0\.0)/.test(match);
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
