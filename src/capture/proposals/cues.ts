/** What kind of memory a sentence would make. */
export type ProposalClass =
  | "feedback-correction"
  | "feedback-confirmation"
  | "user-fact"
  | "project-fact"
  | "reference";

/** A sign in a sentence, or in the turn around it, for or against its being worth a memory. */
export interface Cue {
  /** Stable: the weights are kept by it. */
  name: string;
  pattern: RegExp;
  /** What the pattern is tried on. Default: the sentence. */
  on?: "sentence" | "turn" | "before";
  /** The kind of memory that it speaks for. */
  class?: ProposalClass;
}

const VERB_NOT = String.raw`(?:(?:do not|don['’]?t|dont|never|no more)(?! mind\b| worry\b| forget\b)|(?:stop|quit|avoid|no more)(?= \w+ing\b))`;
const LEAD = String.raw`^(?:(?:ok(?:ay)?|no+|nope|yes|yeah|hey|and|but|also|so|then|please|pls|well|hmm+|dude|man|my dude|no man|again|actually|just|wait|stop)[,.!…\s]+){0,4}`;

/**
 * The signs by which a sentence of a person's message is judged. Each is one thing that can be read aloud; how much it
 * counts is in `weights.ts`, which `npm run bench -- capture --fit` makes from labelled turns.
 */
export const CUES: readonly Cue[] = [
  // Said outright.
  {
    name: "remember",
    pattern:
      /(?:^|[,;.!]\s*|\b(?:please|also|and|so|must|should|can you|could you|i want you to|make sure (?:to|you))\s+)(?:remember|memori[sz]e|note (?:down )?that|take note|make a (?:mental )?note|keep in mind|bear in mind|don['’]?t (?:ever )?forget(?! to\b(?!.*\b(?:always|every|each|never)\b)))\b(?! (?:when|how you|if|what|the @))/i,
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
      String.raw`${LEAD}never \w+|\b(?:should|must|can|may|please|you) never\b|\bnever ever\b|\bnever (?:use|run|commit|push|edit|delete|write|do|touch|change|repeats?|again)\b|\bNEVER\b`,
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
  // Preferences and the person.
  {
    name: "prefer",
    pattern:
      /\bi (?:do |really |much |generally |usually |typically |always )?(?:prefer|favou?r)\b|\bi['’]?d (?:much )?rather\b|\bi (?:really )?(?:don['’]?t|do not|dont) like\b|\bi (?:hate|dislike|can['’]?t stand|love it when)\b|\bmy preference\b|\bi (?:like|want) (?:my|all|every)\b|\bi (?:typically|usually|generally|normally) (?:want|use|like|work|do|write)\b/i,
    class: "feedback-correction",
  },
  {
    name: "i-am-role",
    pattern:
      /\bi(?:['’]m| am) (?:an? (?!bit\b|little\b|fan\b|big\b|idiot\b|human\b|bot\b|few\b|while\b)(?:\w+ ){0,3}(?:developer|engineer|scientist|designer|manager|student|researcher|analyst|admin(?:istrator)?|architect|founder|teacher|writer|beginner|expert|freelancer|consultant|lawyer|doctor|programmer|maintainer|contractor|lead)\b|new to\b|(?:not (?:very )?|un)familiar with\b|colou?r-?blind|dyslexic|left-handed|based in\b|the (?:only|sole|lead)\b)|\bi work (?:as|at|for|in) (?:an? |the )?\w+/i,
    class: "user-fact",
  },
  {
    name: "i-am",
    pattern:
      /\bi['’]?m (?:a|an|new to|not (?:familiar|experienced|an?)|using|working (?:as|in|on an?)|based|colou?r[- ]?blind|the (?:only|sole|lead))\b|\bi am (?:a|an|new to|not (?:familiar|experienced|an?)|using|working (?:as|in)|based|colou?r[- ]?blind|the (?:only|sole|lead))\b|\bi (?:use|work (?:as|in|at|for|with)|come from|live in|have (?:been|worked)|(?:have )?never (?:used|worked|done)) |\bmy (?:job|role|team(?:mates)?|company|employer|background|machine|laptop|timezone|editor|shell|name|group|course|boss|manager)\b|\bi (?:implemented|built|wrote|designed) (?:this|it|that) (?:for|at|in)\b/i,
    class: "user-fact",
  },
  {
    name: "i-am-task",
    pattern:
      /\bi(?:['’]m| am) (?:getting|seeing|trying|asking|talking|thinking|wondering|guessing|going|not sure|happy|ok|fine|done|still|looking|confused|running|setting|testing|sorry)\b|\bi (?:get|see|got|saw|think|guess|tried|ran|have (?:a|an|the|this|not|some|no)|know (?:what|how|why|this|that|you))\b/i,
  },
  // The project.
  {
    name: "decided",
    pattern:
      /\bwe(?:['’]ve| have)? (?:decided|agreed|chose|chosen|settled|committed)\b|\b(?:the )?decision (?:is|was) (?:to|that)\b|(?<!haven['’]t |not |and )\bdecided (?:to|that|on|not)\b|\bwe (?:are|['’]re|were) (?:going with|sticking with|standardi[sz]ing|dropping|moving (?:on)?to|moving away|migrating|switching|not (?:using|going|concerned|doing|supporting))\b|\bwe['’]re (?:going with|sticking with|dropping|moving (?:on)?to|migrating|switching|not (?:using|concerned|doing|supporting))\b|\bwe['’]ve (?:moved|switched|migrated|dropped)\b|\bwe used to\b/i,
    class: "project-fact",
  },
  {
    name: "we-dont",
    pattern:
      /\bwe (?:(?:really|actually) )?(?:do not|don['’]?t|dont|won['’]?t|will not|never|no longer|are not|aren['’]?t) (?:ever |even )?(?:want|need|use|using|support|care|concerned|fetch|ship|deploy|do|allow|accept|add|keep|store|touch|target)\b(?! to (?:go|know|do|check|worry|explain))/i,
    class: "project-fact",
  },
  {
    name: "we-dont-other",
    pattern: /\bwe (?:do not|don['’]?t|dont|won['’]?t|can['’]?t|cannot|aren['’]?t|are not|never)\b/i,
  },
  {
    name: "we-want",
    pattern:
      /\bwe(?: only| now| just)? (?:want|need|use|keep|will|WILL|support|run|deploy|target|have)\b|\bwe['’]ll\b|\b(?:now )?instead want\b|\bi would like (?:to use|one|all|it to always)\b/i,
    class: "project-fact",
  },
  {
    name: "deliberate",
    pattern:
      /\b(?:deliberately|intentionally|on purpose|by design|known (?:trade-?off|issue|limitation)|edge case|not (?:a )?(?:key )?(?:use case|priority|supported|ignored)|real requirement|hard requirement|source of truth|out of scope|legacy|no analytics|internal flag|brand new|this repo is|IS the)\b/,
    class: "project-fact",
  },
  {
    name: "deadline",
    pattern:
      /\b(?:deadline|due|freeze|launch(?:es|ing)?|release|ship(?:s|ping)?|demo|go(?:es)? live|cut-?off|expires?)\b[^.!?]{0,50}\b(?:by|on|is|at|until|before|from|in|next|this)\b[^.!?]{0,30}(?:\b\d{4}-\d\d|\b(?:mon|tues|wednes|thurs|fri|satur|sun)day\b|\btomorrow\b|\bnext (?:week|month|quarter)\b|\bend of\b|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]* \d|\bQ[1-4]\b)/i,
    class: "project-fact",
  },
  {
    name: "owner",
    pattern:
      /\b[A-Z][a-z]{2,} (?:owns|is responsible for|handles|maintains|is in charge of|decides)\b|\b(?:ask|ping|talk to) [A-Z][a-z]{2,} (?:about|for|before)\b/,
    class: "project-fact",
  },
  // Pointers.
  {
    name: "tracked-in",
    pattern:
      /\b(?:tracked|documented|described|logged|managed|hosted|stored|kept|lives?|located|listed|published|filed|posted|reported|deployed)\b[^.!?]{0,25}\b(?:in|at|on|under|here)\b:?[^.!?]{0,40}(?:https?:\/\/|\b(?:Linear|Jira|Notion|Confluence|Slack|Grafana|Datadog|Sentry|Figma|Trello|Asana|PagerDuty|Looker|Metabase|SharePoint|Google (?:Drive|Docs)|1Password|wiki)\b)/i,
    class: "reference",
  },
  {
    name: "pointer",
    pattern:
      /\b(?:dashboard|board|runbook|wiki|tracker|docs?|guidelines?|spec|api key)s?\b[^.!?]{0,25}(?:\bis|\bare|\bat|\bin|:|\bfrom)\s[^.!?]{0,10}https?:\/\/|\b(?:local copy|checked out|cloned|lives?) (?:at|in|under) (?:~|\.{0,2}\/)\S/i,
    class: "reference",
  },
  {
    name: "follow-example",
    pattern:
      /\b(?:should|must|let['’]?s|always)\b[^.!?]{0,30}\b(?:follow|check|use|mirror|match)\b[^.!?]{0,60}(?:https?:\/\/|guidelines?|[~.]{1,2}\/[\w-]+|\b(?:that was|was|were) made there)|\bfollow (?:this|these|the) guidelines?\b/i,
    class: "reference",
  },
  { name: "url", pattern: /https?:\/\/\S+/i },
  { name: "outside-path", pattern: /(?:^|[\s(])(?:~\/|\.\.\/)[\w./-]+/ },
  // Confirmations.
  {
    name: "keep-doing",
    pattern:
      /\bkeep (?:doing|it (?:that way|like (?:this|that)|up)|using (?:this|that)|going (?:like|this way)|on doing)\b|\b(?:that['’]?s|this is) (?:exactly )?(?:how|what|the way) (?:i|we) (?:want|like|need|expect)\b|\bexactly (?:how|what|the way) (?:i|we) (?:want|like)|\bdo (?:it|this) (?:like this|this way|that way) (?:every|each|always|from)/i,
    class: "feedback-confirmation",
  },
  {
    name: "praise",
    pattern: /^(?:yes|yeah|yep|perfect|exactly|great|nice|awesome|excellent|love (?:it|this)|good)[,!. ]+\w/i,
  },
  // How it is said.
  {
    name: "because",
    pattern:
      /\b(?:because|since|so that|otherwise|the reason|cause|as it|which (?:is|means|will)|that['’]?s (?:why|just))\b/i,
  },
  { name: "emphatic", pattern: /!(?:\s|$)|\b(?:NEVER|ALWAYS|NOT|DON['’]?T|WON['’]?T|MUST|ONLY|IS|STOP)\b/ },
  {
    name: "annoyed",
    pattern:
      /\b(?:dude|my dude|no man|bro|bruh|wth|wtf|come on|ffs|seriously|dumb|stupid|shit|horrible|ugh|again\?)\b/i,
    on: "turn",
  },
  {
    name: "starts-no",
    pattern: /^(?:no+|nope|stop|wait|wrong|not like that|actually|don['’]?t|please don['’]?t)\b/i,
    on: "turn",
  },
  {
    name: "general",
    pattern:
      /\b(?:all|any|every|each|everything|anything|ever|always|never|only|whole|in general|by default|as a rule|convention)\b/i,
  },
  {
    name: "way-of-working",
    pattern:
      /\b(?:incremental(?:ly)?|step by step|one (?:by|at a) (?:one|time)|1 by 1|tests? first|failing tests?|review|manually|before (?:coding|you (?:code|start|commit|push))|stopping (?:at|after) each|ask me|commit(?:s|ting)?|branch(?:es)?|worktree|pull requests?|lint(?:er|ing)?|format)\b/i,
  },
  {
    name: "test-first",
    pattern:
      /\b(?:begin|start) (?:by|with) (?:writing )?(?:the )?tests?\b|\bwrite (?:the |failing )?tests? (?:for .{0,30} )?first\b|\btests? (?:must |should )?fail first\b|\bensure (?:the )?tests? fail\b/i,
    class: "feedback-correction",
  },
  // Against.
  { name: "question", pattern: /\?["')]?\s*$/ },
  {
    name: "asks",
    pattern: new RegExp(
      String.raw`${LEAD}(?:can|could|would|will|should|shall|do|does|did|is|are|was|were|has|have|what|why|how|where|which|who|when|any|isn['’]?t|aren['’]?t|didn['’]?t) (?!not\b)`,
      "i",
    ),
  },
  {
    name: "not-knowing",
    pattern:
      /\b(?:i|we) (?:don['’]?t|do not|dont|didn['’]?t|can['’]?t|cannot|couldn['’]?t) (?:really |quite |actually )?(?:know|see|understand|get|think|remember|recall|believe|tell|find|have|care|mind|need to know)\b|\bnot (?:really )?sure\b/i,
  },
  {
    name: "for-now",
    pattern:
      /\b(?:right now|for now|yet|at this point|this time|at the moment|until (?:i|we|you)|today|just (?:this|plan|research)|no code changes|currently|still)\b/i,
  },
  {
    name: "task-number",
    pattern:
      /#\d+|\b(?:phase|step|issue|pr|ticket|task|finding|item|line|option|mip|hunk|todo)s? #?\d+|\b[A-Z]{1,4}\d{1,3}\b|^\s*\d+[.):]/i,
  },
  {
    name: "bug-report",
    pattern:
      /\b(?:doesn['’]?t|does not|didn['’]?t|don['’]?t|isn['’]?t|not) (?:seem|work|appear|show|display|load|change|match|update|compile|happen)\w*|\b(?:error|bug|crash(?:ed|es)?|fail(?:s|ed|ing|ure)?|broken|exception|warning)\b/i,
  },
  {
    name: "do-this",
    pattern: new RegExp(
      String.raw`${LEAD}(?:let['’]?s|lets|go ahead|add|create|fix|make|update|remove|delete|rename|move|commit|push|run|show|explain|look|take|read|review|check|find|implement|work|write|drop|put|change|use|give|tell|continue|proceed|do|try|test|revert|merge|open|start|close|address|propose|consider|see|set|get|build|complete)\b`,
      "i",
    ),
  },
  {
    name: "wants-now",
    pattern:
      /\bi (?:want|need|would like|['’]d like|wanna) (?:to|you|the|this|it|a|an|some|these|more|only|now)\b|\bi['’]d like\b|\bcan (?:you|we|i)\b|\bcould (?:you|we)\b/i,
  },
  { name: "quoted", pattern: /^["“'`]|["”]\s*$/ },
  {
    name: "musing",
    pattern:
      /\b(?:possibly|maybe|perhaps|presumably|i (?:think|guess|feel|assume|suppose|wonder|haven['’]t)|in theory|what if|as far as|seems?|probably)\b/i,
  },
  {
    name: "what-is",
    pattern:
      /\b(?:there (?:is|are|was|were|have|has)|it (?:is|was|just)|that['’]?s (?:not|just|simply|ok)|we (?:have|are|were)|this (?:is|was)) /i,
  },
  { name: "this-thing", pattern: /\b(?:this|that|these|those|it|here)\b/i },
  {
    name: "code-like",
    pattern: /`[^`]+`|\b\w+\(\)|\b[a-z]+[A-Z]\w+|\b\w+_\w+|\b[\w-]+\.(?:ts|js|py|go|md|vue|tsx|json|al)\b/,
  },
  { name: "fragment", pattern: /^.{0,24}$/ },
  { name: "long-sentence", pattern: /^.{240,}/ },
  { name: "long-turn", pattern: /^[\s\S]{1200,}/, on: "turn" },
  { name: "many-lines", pattern: /^(?:[^\n]*\n){8}/, on: "turn" },
  { name: "short-turn", pattern: /^[\s\S]{0,140}$/, on: "turn" },
];
