import type { HostilePattern } from "./hostile-pattern.ts";

/** What an attacker is after, as one finds it on a developer's machine. */
const LOOT =
  "(?:\\$\\(?(?:env|printenv|cat|set|history)\\b|`(?:env|printenv|cat)\\b|\\bprintenv\\b|\\benv\\s*\\||~?/?\\.ssh\\b|id_(?:rsa|ed25519|ecdsa)\\b|~?/?\\.aws/|\\.env\\b|/etc/(?:passwd|shadow)|\\.netrc\\b|\\.npmrc\\b|\\.kube/config|\\.git-credentials|process\\.env\\b|os\\.environ\\b|\\$[A-Z_]*(?:TOKEN|SECRET|PASSWORD|API_?KEY|CREDENTIALS?)[A-Z_]*)";
/** Files that hold nothing but secrets. */
const SECRET_FILE =
  "(?:~?/?\\.ssh/(?!config|known_hosts)|id_(?:rsa|ed25519|ecdsa)\\b|~?/?\\.aws/credentials|/etc/shadow|\\.netrc\\b|\\.git-credentials|\\.kube/config)";
const SENDER =
  "(?:\\b(?:curl|wget|nc|ncat|netcat|socat|scp|rsync|ftp|telnet|dig|nslookup|Invoke-WebRequest|Invoke-RestMethod|iwr|irm)\\b|\\bfetch\\s*\\(|requests\\.(?:post|get|put)\\s*\\(|axios\\.(?:post|get|put)\\s*\\(|/dev/tcp/)";

const SENDER_HINTS =
  "curl,wget,ncat,nc -,nc ,netcat,socat,scp,rsync,ftp,telnet,dig ,nslookup,invoke-,iwr,irm,fetch,requests.,axios.,/dev/tcp/".split(
    ",",
  );
const READER_HINTS = "cat |env|printenv|history|tar |zip |base64|head |grep |echo|type ".split("|");
/** Ways to send data elsewhere. For the forms of text that findHostile makes. */
export const EXFILTRATION_PATTERNS: readonly HostilePattern[] = [
  {
    kind: "exfiltration",
    hints: ["bash -i", "sh -i"],
    pattern: /\b(?:ba)?sh\s+-i\b[^\n]{0,40}\/dev\/(?:tcp|udp)\//iy,
  },
  {
    kind: "exfiltration",
    hints: ["document.cookie"],
    pattern: /(?<=(?:fetch|location|src|sendbeacon|javascript:)[^\n]{0,120})document\.cookie/iy,
  },
  {
    // What is secret goes where others read it.
    kind: "exfiltration",
    hints: "include|paste|put |add |print|append|insert|copy|quote|embed|read |cat ".split("|"),
    pattern: new RegExp(
      `\\b(?:include|paste|put|add|print|append|insert|copy|quote|embed|read|cat)\\b[^\\n]{0,40}?${SECRET_FILE}[^\\n]{0,60}?\\b(?:in|into|to)\\s+(?:the\\s+|your\\s+|every\\s+|each\\s+|a\\s+)?(?:next\\s+|first\\s+)?(?:commit(?: message)?|pull request|pr\\b|issue|answer|reply|response|comment|url|branch name)`,
      "iy",
    ),
  },
  {
    kind: "exfiltration",
    hints: SENDER_HINTS,
    pattern: new RegExp(`${SENDER}[^\\n]{0,300}?${LOOT}`, "iy"),
    isSure: carriesOut,
  },
  {
    kind: "exfiltration",
    hints: READER_HINTS,
    pattern: new RegExp(
      `\\b(?:cat|env|printenv|history|tar|zip|base64|head|grep|echo|type)\\b[^\\n]{0,160}?(?:\\||>|&&|;)\\s*[^\\n]{0,60}?${SENDER}`,
      "iy",
    ),
    isSure: (match) => new RegExp(LOOT, "i").test(match) || /^(?:env|printenv|history)\b/i.test(match),
  },
  {
    kind: "exfiltration",
    hints: "send post upload forward transmit email e-mail exfiltrate leak copy submit report deliver".split(
      " ",
    ),
    pattern:
      /\b(?:send|post|upload|forward|transmit|e-?mail|exfiltrate|leak|copy|submit|report|deliver)\s+(?:\w+\s+){0,3}?(?:the\s+|all\s+|any\s+|your\s+|its\s+|our\s+|user(?:'s)?\s+|every\s+|contents?\s+of\s+)+(?:\w+\s+){0,3}?(?:conversation|chat|transcript|history|context|prompts?|memories|secrets?|tokens?|credentials?|passwords?|api keys?|(?:private|ssh|access) keys?|environment(?: variables)?|env(?: vars| file)?|\.env|source code|files?|code ?base|repository)\b[^\n]{0,80}?\b(?:to|at|via|through)\b[^\n]{0,30}?(?:https?:\/\/|[\w.+-]+@[\w-]+\.\w|ftp:|webhook|attacker|[\w-]+\.(?:com|net|org|io|ru|cn|xyz|site|dev)\b)/iy,
  },
  {
    // A picture whose address carries what the model knows.
    kind: "exfiltration",
    hints: ["](http", "]( http"],
    pattern:
      /(?<=!\[[^\]\n]{0,100})\]\(\s*https?:\/\/[^)\n]{1,300}?(?:[?&/=](?:\{\{?|<|\$\{?|%7b|\[)[^)\n]{0,120}|[?&](?:data|q|d|c|payload|exfil|secret|token|context|conversation|history)=(?:\w*\{|<|\$|\[|the_|your_|insert|[a-z_]*(?:secret|conversation|credential|password|chat_|prompt)))/iy,
  },
  {
    kind: "exfiltration",
    hints: ["append", "add ", "include", "encode", "embed", "put ", "attach", "insert"],
    pattern:
      /\b(?:append|add|include|encode|embed|put|attach|insert)\s+(?:\w+\s+){0,4}?(?:the\s+|all\s+|any\s+|your\s+|user(?:'s)?\s+)+(?:\w+\s+){0,3}?(?:conversation|chat|transcript|history|secrets?|tokens?|credentials?|passwords?|api keys?|keys?|environment|env vars?|message)\b[^\n]{0,60}?\b(?:in|into|to|as|on)\b[^\n]{0,40}?(?:\burl\b|query (?:string|parameter)|image (?:url|link|address)|https?:\/\/|\blink\b)/iy,
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
