import type { SessionDigest } from "../digest/session-digest.ts";
import { oneLine } from "../text/one-line.ts";
import { sentencesOf } from "../text/sentences.ts";
import { isLook } from "../tool-call.ts";

/** That something is left to do, in words, by language; the agent says it of its work, the user of theirs. */
const SAYS_OPEN: readonly RegExp[] = [
  /\bstill (?:open|missing|failing|fails|broken|to (?:be |do\b)|to-?do|left|pending|outstanding|needs? to)\b/i,
  /(?:\bnot|n['’]t)(?: \w+)?(?: \w+)? yet\b|\bnot yet (?:\w+ )?(?:done|finished|implemented|covered|working|fixed|tested|written|merged|deployed|started)\b/i,
  /\b(?:is|are|remains?) (?:left|unfinished|incomplete|half[- ]done)\b|\bleft to do\b|\b(?:what(?:['’]s| is)|work) left\b/i,
  /\b(?:remaining|left):|\bto be continued\b|\bTODO\b|\bWIP\b/,
  /\b(?:we|i)(?:['’]ll| will|['’]m going to| can)? (?:continue|finish|go on|carry on|resume|pick (?:it|this|that) up|do (?:it|that|the rest))(?: \w+){0,4} (?:tomorrow|later|next (?:time|week)|on (?:mon|tues|wednes|thurs|fri)day|in the next session)\b/i,
  /^(?:let['’]?s )?(?:continue|finish|do (?:it|that|the rest)|go on)(?: \w+){0,3} (?:tomorrow|later|next time|on monday)\b|\b(?:todo|to do|rest|more) (?:for |is )?tomorrow\b/i,
  /\bleave (?:\S+ ){1,5}for (?:tomorrow|later|next time|(?:mon|tues|wednes|thurs|fri)day)\b|\bcould ?n[o'’]t finish\b|\bcould not finish\b|\bstill fails?\b|^next(?: step)?: /i,
  /(?<!\p{L})noch (?:offen|nicht (?:fertig|erledigt|gemacht|implementiert|getestet)|zu (?:tun|erledigen|machen)|ausstehend)|(?<!\p{L})(?:steht|stehen|fehlt|fehlen) noch|noch (?:steht|fehlt|fehlen)(?!\p{L})|(?<!\p{L})(?:morgen|später|nächstes mal) (?:weiter|machen wir|mache ich)|(?:machen|mache) (?:wir|ich) (?:\p{L}+ ){0,2}(?:morgen|später)(?!\p{L})/iu,
  /(?<!\p{L})(?:reste à (?:faire|tester|corriger)|pas encore (?:fait|fini|terminé|testé)|à suivre|(?:on|je) (?:continue|reprends?|finis|finit) (?:demain|plus tard|lundi))(?!\p{L})/iu,
  /(?<!\p{L})(?:quedan? (?:por|pendientes?)|(?:sigue|está|queda) pendiente|(?:todavía|aún) no (?:está|funciona|hemos)|(?:seguimos|continuamos|sigo|continúo) (?:mañana|luego|el lunes)|faltan? por)(?!\p{L})/iu,
];
/** "Nothing is left to do" says the opposite, and a question or a condition says nothing. */
const SAYS_NOTHING =
  /\b(?:nothing|none|no longer|no (?:\w+ )?(?:is|are|left|remaining|steps?|todos?))\b|(?<!\p{L})(?:nichts|nicht mehr|rien|nada)(?!\p{L})|\?\s*$|^(?:if|wenn|si) /iu;
/** A last word that only takes leave: what counts is the one before. */
const TAKES_LEAVE =
  /^(?:ok(?:ay)?|thx|thanks?|thank you|great|perfect|bye|cu|see you|good night|danke|super|tschüss|bis (?:dann|morgen)|merci|au revoir|gracias|adiós|hasta)(?!\p{L})(?:\W+\p{L}+){0,4}\W*$/iu;

const MAX_SENTENCES = 3;

/**
 * What a session leaves open, one line each: steps of the agent's plan, what was said to be open at its end, a command that
 * failed last, a call that nobody let end. Empty: nothing that is known.
 */
export function openWork(digest: SessionDigest): string[] {
  const { plan, asks, lastMessage, commands, pending } = digest;
  const steps = plan.filter(({ isDone }) => !isDone).map(({ text }) => text);
  const leave = asks.at(-1) ?? "";
  const said = TAKES_LEAVE.test(leave) && !saysOpen(leave) ? [asks.at(-2) ?? "", leave] : [leave];
  const prose = lastMessage.replace(/```[\s\S]*?(?:```|$)/g, "\n").replace(/\*\*|^#+\s*/gm, "");
  const sentences = [...said.flatMap(sentencesOf), ...sentencesOf(prose)].filter(saysOpen);
  const last = commands.findLast(({ command }) => !isLook(command));
  const failed = last?.outcome === "failed" ? [last.command] : [];
  const cut = lastMessage === "" ? Object.values(pending).slice(-1) : [];
  return [
    ...new Set([
      ...steps,
      ...sentences.slice(0, MAX_SENTENCES).map((sentence) => oneLine(sentence, 160)),
      ...failed.map((command) => `failed last: \`${oneLine(command, 120)}\``),
      ...cut.map(({ what }) => `was under way: ${oneLine(what, 120)}`),
    ]),
  ];
}

function saysOpen(sentence: string): boolean {
  return SAYS_OPEN.some((pattern) => pattern.test(sentence)) && !SAYS_NOTHING.test(sentence);
}
