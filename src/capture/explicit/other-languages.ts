/** How one language says what English says in `standing-words.ts` and `wishes.ts`. */
interface Wording {
  /** That something holds from now on, anywhere in a sentence. */
  fromNowOn: RegExp;
  /** A main clause that says how it is to be, always. */
  standing: readonly RegExp[];
  /** A wish to remember; its first group is what. */
  remember: RegExp;
  /** "Forget that", and nothing after it that names a memory. */
  forgetThat: RegExp;
  /** For this turn alone. */
  forNow: RegExp;
  /** A reason in the sentence; its first group is what follows "because". */
  reason: RegExp;
}

const WORDINGS: readonly Wording[] = [
  // German
  {
    fromNowOn:
      /(?<!\p{L})(?:ab (?:jetzt|sofort)|von (?:jetzt|nun) an|fortan|(?:in zukunft|künftig|zukünftig|nächstes mal),? (?:bitte|immer|nie(?:mals)?|nicht|nur|kein\p{L}*))(?!\p{L})/iu,
    standing: [
      /^(?:bitte |also |und |nein,? )?(?:immer|nie(?:mals)?) (?!(?:wenn|noch|wieder|mehr|öfter|gehört|gesehen|passiert)(?!\p{L}))\p{L}+/iu,
      /^(?:bitte |also |und |nein,? )?(?!(?:ich|du|er|sie|es|das|die|der|wir|ihr|man|noch|fast|auch|schon|so|warum|wie|hat|hab)(?!\p{L}))\p{L}+ (?:bitte |hier )?(?:immer (?!noch|wieder)|nie(?:mals)? (?!wieder so))\p{L}+/iu,
      /^(?:bitte |und |nein,? )?(?!(?:ich|du|er|sie|es|das|wir|man|hab|hat)(?!\p{L}))\p{L}+ (?:bitte |hier )?kein\p{L}* [^.!?]{2,60} mehr(?!\p{L})/iu,
      /^(?:bitte |und |nein,? )?kein\p{L}* (?=.*(?<!\p{L})bitte(?!\p{L}))\p{L}+ mehr(?!\p{L})/iu,
      /^(?:bitte |und |nein,? )?hör(?:e)? (?:bitte )?auf,? (?!damit)(?=.*(?<!\p{L})zu \p{L}+)/iu,
      /^(?:bitte |wir )?(?:verwende|benutze?|nutze?|nimm|nehmen|nutzen|verwenden)n? [^.!?]{2,60}(?:(?<!\p{L})statt |,? (?:und )?nicht )\S/iu,
    ],
    remember:
      /^(?:bitte |und |also )?(?:merke? dir|denke? (?:immer )?daran|präge? dir ein)(?:,? bitte)?(?:\s*:\s*|,?\s+dass\s+)(.{6,})$/iu,
    forgetThat:
      /^(?:(?:bitte|nein|doch|ok|ach),? ){0,3}(?:vergiss (?:das|es)(?: wieder)?|merk dir das (?:doch )?nicht|mache? das (?:wieder )?rückgängig|nimm das (?:wieder )?zurück|(?:vergiss|streiche?|lösche?|verwirf|entferne) (?:die|diese)(?: letzte)? (?:regel|notiz))(?=\s*(?:[,.;:!–—-]|$))/iu,
    forNow:
      /(?<!\p{L})(?:erstmal|vorerst|diesmal|heute|gerade|im moment|noch nicht|bis (?:ich|wir|du))(?!\p{L})/iu,
    reason: /,\s*(?:weil|denn|sonst)\s+(.{8,})$/iu,
  },
  // French
  {
    fromNowOn: /(?<!\p{L})(?:désormais|dorénavant|à partir de maintenant|à l['’]avenir)(?!\p{L})/iu,
    standing: [
      /^(?:s['’]il te plaît,? |stp,? |non,? |et )?(?:ne |n['’])\p{L}+(?:-\p{L}+)? (?:plus )?jamais(?!\p{L})/iu,
      /^(?:s['’]il te plaît,? |stp,? |non,? |et )?(?!(?:c|ç|il|elle|on|je|tu|nous|vous|pas|est|pourquoi|presque|marche)(?!\p{L}))\p{L}+(?:-\p{L}+)? toujours (?!pas)\p{L}+/iu,
      /^(?:s['’]il te plaît,? |stp,? |non,? |et )?(?:toujours|jamais) (?!pas|vu)\p{L}+er(?!\p{L})/iu,
      /^(?:s['’]il te plaît,? |stp,? |non,? |et )?(?:arrête|arrêtez|cesse|cessez) (?:de |d['’])(?!faire ça)\p{L}+/iu,
      /^(?:s['’]il te plaît,? |stp,? |on |non,? )?(?:utilise[sz]?|utiliser|prends|emploie) [^.!?]{2,60}(?:plutôt que |au lieu d|,? (?:et )?(?:pas|non) )/iu,
    ],
    remember:
      /^(?:s['’]il te plaît,? |et |aussi |stp,? )?(?:souviens-toi|rappelle-toi|retiens|mémorise|n['’]oublie (?:pas|jamais))(?:\s*:\s*|,?\s+(?:que\s+|qu['’]))(.{6,})$/iu,
    forgetThat:
      /^(?:(?:non|ok|finalement),? ){0,3}(?:(?:oublie|annule)[sz]? (?:ça|cela)|ne retiens pas (?:ça|cela)|(?:oublie|annule|supprime|retire|efface)[sz]? (?:cette|la)(?: dernière)? (?:règle|note))(?=\s*(?:[,.;:!–—-]|$))/iu,
    forNow:
      /(?<!\p{L})(?:pour (?:l['’]instant|le moment|cette fois)|cette fois|aujourd['’]hui|en ce moment)(?!\p{L})/iu,
    reason: /,?\s+(?:parce qu(?:e\s+|['’])|car\s+|sinon,?\s+|puisqu(?:e\s+|['’]))(.{8,})$/iu,
  },
  // Spanish
  {
    fromNowOn: /(?<!\p{L})(?:(?:a partir de|desde) ahora|de ahora en adelante)(?!\p{L})/iu,
    standing: [
      /^(?:por favor,? |no,? |y )?(?:nunca|jamás) (?:más )?\p{L}+[ae]s(?!\p{L})/iu,
      /^(?:por favor,? |y )?no \p{L}+[ae]s (?:nunca|jamás)(?!\p{L})/iu,
      /^(?:por favor,? |no,? |y )?(?!(?:esto|eso|él|ella|yo|tú|casi|no|se|me|te|lo|la|ya|está|es)(?!\p{L}))\p{L}+ (?:siempre|nunca) \p{L}+/iu,
      /^(?:por favor,? |no,? |y )?(?:deja|dejen|para) de (?!hacer eso)\p{L}+r(?!\p{L})/iu,
      /^(?:por favor,? |no,? )?(?:usa|usad|usemos|utiliza|usar) [^.!?]{2,60}(?:en (?:vez|lugar) de |,? (?:y )?no )\S/iu,
    ],
    remember:
      /^(?:por favor,? |y |también )?(?:recuerda|recuerde|acuérdate de|memoriza)(?:\s*:\s*|,?\s+que\s+)(.{6,})$/iu,
    forgetThat:
      /^(?:(?:no|ok|mejor|perdón),? ){0,3}(?:(?:olvida|deshaz) (?:eso|esto)|olvídalo|no recuerdes (?:eso|esto)|(?:olvida|anula|borra|quita|elimina|deshaz) (?:esa|esta|la)(?: última)? (?:regla|nota))(?=\s*(?:[,.;:!–—-]|$))/iu,
    forNow: /(?<!\p{L})(?:por ahora|de momento|esta vez|hoy|todavía)(?!\p{L})/iu,
    reason: /,?\s+(?:porque|ya que|si no,?)\s+(.{8,})$/iu,
  },
];

/** Whether a sentence says, in one of these languages, that something holds from now on. */
export function saysFromNowOnElsewhere(sentence: string): boolean {
  return WORDINGS.some(({ fromNowOn }) => fromNowOn.test(sentence));
}

/** The words by which it says so. */
export function fromNowOnElsewhere(sentence: string): string | undefined {
  for (const { fromNowOn } of WORDINGS) {
    const found = fromNowOn.exec(sentence)?.[0];
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Whether a sentence is a standing instruction by its main clause, in one of these languages. */
export function isStandingElsewhere(sentence: string): boolean {
  return WORDINGS.some(
    ({ standing, forNow }) => standing.some((pattern) => pattern.test(sentence)) && !forNow.test(sentence),
  );
}

/** What a sentence asks to remember, in one of these languages. */
export function rememberedElsewhere(sentence: string): string | undefined {
  return firstGroup(({ remember }) => remember, sentence);
}

/** Whether a sentence takes back what was kept last, in one of these languages. */
export function saysForgetThatElsewhere(sentence: string): boolean {
  return WORDINGS.some(({ forgetThat }) => forgetThat.test(sentence));
}

/** The reason that a sentence gives, in one of these languages. */
export function reasonElsewhere(sentence: string): string | undefined {
  return firstGroup(({ reason }) => reason, sentence);
}

function firstGroup(of: (wording: Wording) => RegExp, sentence: string): string | undefined {
  for (const wording of WORDINGS) {
    const found = of(wording).exec(sentence)?.[1]?.trim();
    if (found !== undefined) return found;
  }
  return undefined;
}
