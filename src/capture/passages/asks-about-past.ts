import { sentencesOf } from "../text/sentences.ts";

/** Of a longer prompt the beginning is looked at: what is pasted behind it is no question. */
const MAX_CHARS = 2000;

/** What people do together that they ask about later: settle something, or speak of it. */
const ENGLISH = String.raw`decided?|agreed?|settled?|choose|chosen?|pick(?:ed)?|conclude[ds]?|discuss(?:ed)?|talk(?:ed)?|spoken?|speak|said|say|solved?|fix(?:ed)?|resolved?|handled?|end(?:ed)? up|go(?:ne)? (?:with|for)|land(?:ed)? on|do(?:ne)? about`;
const GERMAN = String.raw`entschieden|beschlossen|vereinbart|ausgemacht|abgemacht|besprochen|gesprochen|geredet|diskutiert|geeinigt|verständigt|festgelegt|gewählt|gesagt|gelöst|behoben|geklärt`;
const FRENCH = String.raw`décidé|convenu|choisi|discuté|parlé|résolu|réglé|retenu|dit`;
const SPANISH = String.raw`decidimos|decidido|acordamos|acordado|quedamos|quedado|elegimos|elegido|hablamos|hablado|resolvimos|resuelto|dijimos|dicho`;

const BEGIN = String.raw`(?<!\p{L})`;
const END = String.raw`(?!\p{L})`;
const GAP = String.raw`[^.?!\n]{0,80}?`;

/** A question after what was settled or spoken of before, in so many words. */
const QUESTIONS = [
  String.raw`(?:what|which|how|why|where|when|who)${END}${GAP}${BEGIN}(?:did|had|have) we (?:\p{L}+ )?(?:${ENGLISH})`,
  String.raw`(?:did(?:n['’]?t)?|had(?:n['’]?t)?|have(?:n['’]?t)?) we (?:\p{L}+ )?(?:${ENGLISH})`,
  String.raw`(?:remember|remind me|recall|know|tell me),? (?:of |about )?(?:what|which|how|why|where|when|whether|if)${END}${GAP}${BEGIN}we (?:had |have |\p{L}+ )?(?:${ENGLISH})`,
  String.raw`what (?:was|were|is) (?:our|the) (?:decision|agreement|conclusion|outcome|verdict)`,
  String.raw`(?:what|which|how|why|when) (?:\p{L}+ )?(?:was|were) (?:it )?(?:decided|agreed|settled)`,
  String.raw`(?:was|welche[rnms]?|wie|wann|warum|wo|worauf|wofür|worüber)${END}${GAP}${BEGIN}(?:hatten|haben) wir ${GAP}(?:${GERMAN})`,
  String.raw`(?:hatten|haben) wir ${GAP}(?:${GERMAN})`,
  String.raw`(?:was|wie|worauf|welche[rnms]?)${END}${GAP}${BEGIN}wir ${GAP}(?:${GERMAN}) (?:hatten|haben)`,
  String.raw`(?:qu['’]|que |quel(?:le)?s? |comment |pourquoi |quand |où )${GAP}(?:avons-nous|avions-nous|nous avons|nous avions|on a|on avait|a-t-on) (?:\p{L}+ )?(?:${FRENCH})`,
  String.raw`(?:avons-nous|avions-nous|a-t-on|est-ce qu['’]on a|est-ce que nous avons) (?:\p{L}+ )?(?:${FRENCH})`,
  String.raw`(?:qué|que|cómo|cuál|cuándo|por qué|dónde)${END}${GAP}${BEGIN}(?:(?:habíamos|hemos) )?(?:${SPANISH})`,
  String.raw`(?:habíamos|hemos) (?:\p{L}+ )?(?:${SPANISH})`,
].map((source) => new RegExp(`${BEGIN}(?:${source})${END}`, "iu"));

/** The words of the asking, which say nothing of the matter. */
const ASKING = new RegExp(
  `${BEGIN}(?:${ENGLISH}|${GERMAN}|${FRENCH}|${SPANISH}|${
    String.raw`remember|remind|recall|know|tell|decision|agreement|conclusion|outcome|verdict|last time|earlier|yesterday|ago|already|ever|previously|back then|last (?:week|month)|things?|approach|` +
    String.raw`was|welche[rnms]?|wie|wann|warum|wo|worauf|wofür|worüber|wir|uns|hatten|haben|das|der|die|den|dem|ein|eine[rnm]?|mit|bei|zu[mr]?|für|von|vom|über|auf|im|in|schon|mal|damals|letztes|bereits|eigentlich|nochmal|darüber|es|und|` +
    String.raw`qu|que|quel(?:le)?s?|comment|pourquoi|quand|où|avons|avions|nous|on|avait|est|ce|la|le|les|un|une|des|du|de|pour|sur|avec|déjà|dernière|fois|` +
    String.raw`qué|cómo|cuál|cuándo|habíamos|hemos|el|los|las|con|sobre|para|del|ya|antes|vez`
  })${END}`,
  "giu",
);

/**
 * What a prompt asks about, where it asks in so many words what was decided, done or said together before: its words but
 * those of the asking. Undefined for any other prompt; empty when it names no matter ("what did we decide?").
 */
export function matterAskedAbout(prompt: string): string | undefined {
  for (const sentence of sentencesOf(prompt.slice(0, MAX_CHARS)))
    if (QUESTIONS.some((question) => question.test(sentence)))
      return sentence.replace(ASKING, " ").replace(/\s+/g, " ").trim();
  return undefined;
}
