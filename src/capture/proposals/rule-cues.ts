import type { Cue } from "./cue.ts";
import { LEAD } from "./sentence-lead.ts";

const VERB_NOT = String.raw`(?:(?:do not|don['’]?t|dont|never|no more)(?! mind\b| worry\b| forget\b| seen\b| had\b| been\b| happened\b| heard\b| tried\b| used\b| worked\b| think\b| know\b| see\b)|(?:stop|quit|avoid|no more)(?= \w+ing\b))`;

/** Signs of how to work: said outright, as a correction, or as what holds here. */
export const RULE_CUES: readonly Cue[] = [
  // Said outright.
  {
    name: "remember",
    pattern:
      /(?:^|[,;.!]\s*|\b(?:please|also|and|so|must|should|can you|could you|i want you to|make sure (?:to|you))\s+)(?:remember|memori[sz]e|note (?:this )?down|take note|make a (?:mental )?note|keep in mind|bear in mind|don['’]?t (?:ever )?forget(?! to\b(?!.*\b(?:always|every|each|never)\b)))\b(?! (?:when|how you|if|what|the @))/i,
    class: "feedback-correction",
  },
  {
    name: "from-now-on",
    pattern:
      /\b(?:from now on|from here on|henceforth|going forward|in (?:the )?future(?: sessions?)?,|for (?:all )?future (?:sessions?|work|changes|reference)|(?:the )?next time you|every time you|whenever you(?! need| want| like|['’]re ready| are ready)|each time you|for the rest of (?:this|the) (?:project|session))\b/i,
    class: "feedback-correction",
  },
  {
    name: "standing-always",
    pattern: new RegExp(
      String.raw`${LEAD}(?:always|only ever) \w+|(?<!possibly we |maybe we )\b(?:should|must|please|you) always\b|\balways (?:use|run|ask|check|write|prefer|make sure|start|commit|test|keep|do)\b`,
      "i",
    ),
    class: "feedback-correction",
  },
  {
    name: "standing-never",
    pattern: new RegExp(
      String.raw`${LEAD}never (?!(?:seen|had|been|got|gotten|happened|heard|tried|used|worked|knew|thought|did|was|were|is|mind)\b)\w+|\b(?:should|must|can|may|please|you) never\b|\bnever ever\b|\bnever (?:use|run|commit|push|edit|delete|write|do|touch|change|repeats?|again)\b|\bNEVER\b`,
      "i",
    ),
    class: "feedback-correction",
  },
  {
    name: "never-again",
    pattern: /\b(?:never|not|doesn['’]?t|don['’]?t|won['’]?t) (?:\w+ ){0,3}(?:again|anymore|ever)\b/i,
    class: "feedback-correction",
  },
  {
    name: "keep-updated",
    pattern:
      /\bkeep (?:it|them|this|these|those|the|that|our|all)\b[^.!?]{0,60}\b(?:updated|up[- ]to[- ]date|in sync|current|clean)\b|\bupdate\w* (?:it |them )?as (?:we|you) (?:go|progress?|work)|\bas (?:decisions are made|we progres?s|we go|you go)\b/i,
    class: "feedback-correction",
  },
  // Corrections.
  {
    name: "told-you",
    pattern:
      /\bi (?:already |just )?(?:told|asked|said) (?:you|u)\b(?! (?:not )?to\b)|\b(?:as|like) i (?:said|told)\b|\bnot what i (?:asked|wanted|said|meant)\b|\byou(?:['’]re| are| were) supposed to\b|\bhow many times\b|\bwe (?:just|already) (?:said|agreed|discussed|went through|added)\b/i,
    class: "feedback-correction",
  },
  {
    name: "told-you-to",
    pattern:
      /\bi (?:already |just |have |specifically )?(?:told|asked) (?:you|u) (?:not to|to (?:not|never|always|stop)|that you|never)\b/i,
    class: "feedback-correction",
  },
  {
    name: "you-keep",
    pattern:
      /\byou (?:keep|kept|always|constantly|again) \w+|\b(?:repeating|repeated|making|made) the same\b|\bthe same mistakes?\b|\bstill missing the point\b/i,
    class: "feedback-correction",
  },
  {
    name: "dont-imperative",
    pattern: new RegExp(
      String.raw`(?:${LEAD}|[,;:]\s*(?:and |please |so |but )?|\bplease )${VERB_NOT} (?:just |ever )?[a-z]+`,
      "i",
    ),
    class: "feedback-correction",
  },
  {
    name: "you-dont-need",
    pattern:
      /\byou (?:do not|don['’]?t|dont|should not|shouldn['’]?t|must not|mustn['’]?t|can['’]?t|cannot) (?:need|have|ever |just |do|use|run|add|touch|change|write|assume|guess)\b(?! to (?:explain|check|worry|answer|apologi[sz]e))/i,
    class: "feedback-correction",
  },
  {
    name: "no-noun",
    pattern: new RegExp(
      String.raw`${LEAD}no (?!on\b|no\b|man\b|dude|that|the\b|it\b|this|need\b|idea\b|worries|problem|longer|code changes|tui\b|rush|sql\b)[a-z]+ ?\w*(?: logs?| boxes| comments?)?\s*[!.,]`,
      "i",
    ),
    class: "feedback-correction",
  },
  {
    name: "instead-of",
    pattern: /\binstead of\b|\brather than\b|\bnot (?:the|a|an|in|by|with)\b.{3,40}\bbut\b/i,
  },
  {
    name: "should-be",
    pattern:
      /\b(?:should|must|has to|have to|needs? to) (?:always |never |not |only )?(?:be|return|follow|use|fit|have|stay|go|live)\b/i,
  },
  {
    name: "thats-what-for",
    pattern:
      /\bthat['’]?s what\b.{2,40}\bfor\b|\bthat does the whole\b|\bthe (?:whole|entire) (?:project|thing)\b/i,
    class: "feedback-correction",
  },
  {
    name: "use-not",
    pattern:
      /\b(?:use|prefer|write|run|call|commit|deploy)\b[^.!?;]{2,50}(?:,? (?:and )?not (?!only|just|yet|sure)|\binstead of |\brather than )[a-z@]/i,
  },
  {
    name: "here-scope",
    pattern:
      /\b(?:in|for|across|throughout) (?:this|our|the (?:whole|entire)|all(?: of)? (?:our|my)) (?:repo(?:sitory|s|sitories)?|project|code ?base|team|company|monorepo|workspace|organi[sz]ation)s?\b|\beverywhere\b|\b(?:around|over) here,? we\b/i,
  },
  {
    name: "convention",
    pattern:
      /\b(?:by convention|(?:our|the) (?:naming )?convention|as a rule\b|rule of thumb|(?:house|our|coding) style\b|our (?:standard|policy|practice)\b)/i,
    class: "feedback-correction",
  },
  {
    name: "ask-before",
    pattern:
      /\b(?:ask|check with|confirm with|tell|consult|warn) me (?:first|before)\b|\bwithout (?:asking|checking with|telling|my (?:ok|okay|approval|permission|consent))\b|\b(?:wait for|get|needs?) my (?:ok|okay|approval|go-?ahead|permission)\b/i,
    class: "feedback-correction",
  },
  {
    name: "each-one",
    pattern:
      /\b(?:for|in|on|to|at the (?:end|start|top|bottom) of|before|after|with) (?:all|every|each|any) (?!(?:of )?(?:this|that|these|those|the|my|our|your|it|them)\b)\w+|\b(?:each|every) (?:single )?time\b/i,
  },
  {
    name: "artefact-rule",
    pattern:
      /^(?:(?:all|our|new|unit|integration|every)\s)*(?:tests?|commits?|commit messages?|pull requests?|prs|branch(?:es| names?)|functions|comments|docs|documentation|migrations|(?:env(?:ironment)? )?var(?:iable)?s|(?:file ?|variable )?names|imports|errors|logs?|types|components|modules|classes|constants|dependencies|secrets|changes)\b(?!\s*[-–—:(])[^.!?]{0,30}\b(?:must|should|ha(?:s|ve) to|needs? to|belongs?|goes?|lives?|starts?|ends?) /i,
  },
  {
    name: "dont-artefact",
    pattern:
      /\b(?:don['’]?t|dont|do not|never|stop|no more|avoid|without)\b[^.!?]{1,30}\b(?:(?<!the |these |those )(?:comments?|mocks?|stubs?|emojis?|docstrings?|trailers?|abbreviations|singletons?|globals?|console\.logs?|try\/catch(?:es)?|type assertions)|mock(?:ing)?|generated (?:files?|code)|co-authored|migrations|secrets|barrel files?|(?:new )?dependenc(?:y|ies)|the (?:lock ?file|database))\b/i,
    class: "feedback-correction",
  },
  {
    name: "no-plural",
    pattern: new RegExp(
      String.raw`(?:${LEAD}|[,;:–—-]\s*)no (?!(?:need|problem|worries|idea|longer|changes|issues|errors|results|comments|questions)\b)[a-z][\w-]*s(?: [a-z]+)? (?:in|on|at|from|to|for|please|anywhere|ever|allowed|unless)\b`,
      "i",
    ),
    class: "feedback-correction",
  },
  {
    name: "burned",
    pattern:
      /\b(?:got|been|was|were) (?:burn(?:ed|t)|bitten)\b|\blast (?:time|week|month|quarter|year|sprint)\b[^.!?]{0,60}\b(?:broke|failed|lost|crashed|took|cost|leaked|got)\b|\b(?:broke|took down|brought down) (?:prod(?:uction)?|staging|main)\b/i,
  },
];
