import type { Cue } from "./cue.ts";

/** Signs of what is so: about the person, the project, external systems; and of a confirmation. */
export const KNOWLEDGE_CUES: readonly Cue[] = [
  // Preferences and the person.
  {
    name: "experience",
    pattern:
      /\bi(?:['’]ve| have) been (?:writing|using|doing|working|coding|programming|developing|building) [^.!?]{2,60}\b(?:for|since)\b|\b(?:my|the) first time (?:with|using|touching|writing|in|on|working)\b|\bi(?:['’]ve| have) (?:\w+ ){0,3}years? of\b/i,
    class: "user-fact",
  },
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
      /\bi['’]?m (?:a|an|new to|not (?:familiar|experienced|an?)|using|working (?:as|in|on an?)|based|colou?r[- ]?blind|the (?:only|sole|lead))\b|\bi am (?:a|an|new to|not (?:familiar|experienced|an?)|using|working (?:as|in)|based|colou?r[- ]?blind|the (?:only|sole|lead))\b|\bi (?:use(?! (?:the|this|that|it|these|those)\b)|work (?:as|in|at|for|with)|come from|live in|have (?:been|worked)|(?:have )?never (?:used|worked|done)) |\bmy (?:job|role|team(?:mates)?|company|employer|background|machine|laptop|timezone|editor|shell|name|group|course|boss|manager)\b|\bi (?:implemented|built|wrote|designed) (?:this|it|that) (?:for|at|in)\b/i,
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
      /\bwe(?:['’]ve| have)? (?:decided|agreed|chose|chosen|settled|committed)\b|\b(?:the )?decision (?:is|was) (?:to|that)\b|(?<!haven['’]t |not |and |\bi |\bi['’]ve )\bdecided (?:to|that|on|not)\b|\bwe (?:are|['’]re|were) (?:going with|sticking with)(?! (?:the (?:first|second|third|last|latter|former|other)|option|this|that|it|your?)\b)|\bwe (?:are|['’]re|were) (?:standardi[sz]ing|dropping|moving (?:on)?to|moving away|migrating|switching|not (?:using|going|concerned|doing|supporting))\b|\bwe['’]re (?:going with|sticking with)(?! (?:the (?:first|second|third|last|latter|former|other)|option|this|that|it|your?)\b)|\bwe['’]re (?:dropping|moving (?:on)?to|migrating|switching|not (?:using|concerned|doing|supporting))\b|\bwe['’]ve (?:moved|switched|migrated|dropped)\b|\bwe used to\b/i,
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
      /\b(?:deadline|due|(?:code |merge )?fr(?:eeze|eezing|ozen)|launch(?:es|ing)?|releas(?:e|es|ing)|ship(?:s|ping)?|demo|go(?:es|ing)? live|cut-?off|expires?)\b[^.!?]{0,50}\b(?:by|on|is|at|until|after|before|from|in|next|this)\b[^.!?]{0,30}(?:\b\d{4}-\d\d|\b(?:mon|tues|wednes|thurs|fri|satur|sun)day\b|\btomorrow\b|\bnext (?:week|month|quarter)\b|\bend of\b|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]* \d|\bQ[1-4]\b)/i,
    class: "project-fact",
  },
  {
    name: "owner",
    pattern:
      /\b[A-Z][a-z]{2,} (?:owns|is responsible for|is in charge of|maintains|is the (?:owner|lead|contact))\b|\b(?:ask|ping|talk to|check with) (?:[A-Z][a-z]{2,}|her|him|them) (?:about|for|before|first)\b/,
    class: "project-fact",
  },
  {
    name: "reason-we",
    pattern: /\bthe (?:whole )?reason (?:why )?(?:we|for|behind|that we)\b[^.!?]{3,120}\b(?:is|was)\b/i,
    class: "project-fact",
  },
  {
    name: "outside-reason",
    pattern:
      /\b(?:legal|compliance|gdpr|hipaa|soc ?2|audit(?:ors?)?|regulat(?:or|ion)s?|licen[cs]e|contract(?:ual(?:ly)?)?|customers?|stakeholders?|security team|management)\b/i,
  },
  // Pointers.
  {
    name: "where-we",
    pattern:
      /\b(?:that['’]?s|is|are) where (?:we|our|the team|all|they)\b|\bis what (?:\w+ ){1,3}(?:watch(?:es)?|looks? at|monitors?|checks?)\b|\bfor (?:context|background|details|reference),? (?:see|check|look)\b/i,
    class: "reference",
  },
  {
    name: "external-system",
    pattern:
      /\b(?:Linear|Jira|Notion|Confluence|Slack|Grafana|Datadog|Sentry|Figma|Trello|Asana|PagerDuty|Looker|Metabase|SharePoint|1Password)\b/,
  },
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
    name: "right-call",
    pattern:
      /\b(?:was|is|were) (?:absolutely |definitely |exactly )?the right (?:call|choice|move|approach|decision|thing|way)\b|\bgood call (?:on|to)\b|\bi (?:really )?(?:like|love|liked|appreciate) (?:how|that|the way) you\b/i,
    class: "feedback-confirmation",
  },
  {
    name: "praise",
    pattern: /^(?:yes|yeah|yep|perfect|exactly|great|nice|awesome|excellent|love (?:it|this)|good)[,!. ]+\w/i,
  },
];
