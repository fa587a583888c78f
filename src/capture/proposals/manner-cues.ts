import type { Cue } from "./cue.ts";
import { LEAD } from "./sentence-lead.ts";

/** Signs in the manner of a sentence, and those that speak against its being worth a memory. */
export const MANNER_CUES: readonly Cue[] = [
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
    name: "this-turn-only",
    pattern:
      /\b(?:code|work|coding|actions?|changes|anything|implement\w*|files?)\b[^.!?]{0,25}\b(?:yet|until i|beyond|before i)\b|\b(?:let['’]?s|want to|first) (?:discuss|talk|plan|brainstorm)\b|\b(?:just|only) (?:plan|research|discuss|analy[sz]e|answer|explain|report|tell me|show me|look)\b|\bdo(?: not|n['’]?t) (?:do|start|take|make|change|edit|write|implement|touch) any(?:thing|\s(?:work|code|actions?|changes|edits|more)\b)/i,
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
  {
    name: "product-spec",
    pattern:
      /\b(?:the|this|that|a|an|each|every) (?:\w+ )?(?:button|page|modal|dialog|menu|header|footer|sidebar|table|row|column|field|form|icon|label|input|users?|screen|title|image|list|card|link|response|value|query|message|toast|tab|popup|banner|color|colour|font)s? (?:should|must|needs?|has|have|can|may)\b/i,
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
