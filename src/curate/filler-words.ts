import { isFunctionWord } from "../recall/read-statement.ts";

/**
 * What may stand around an order and leaves it the speaker's own, by part of speech, in English, German, French and
 * Spanish. Verbs of saying, nouns for texts and people are none of it.
 */
const WORDS: ReadonlySet<string> = new Set(
  [
    // Address, politeness, sighs.
    "please pls plz hey hi hello ok okay yes yeah yep no nope nah man dude bro mate guys claude codex u ur thanks thank thx ty sorry lets let btw fyi ugh argh omg wtf lol hmm oh ah damn ffs jeez sigh god seriously actually really honestly again wait kindly hm omfg wth fucking fuckin freaking shit great meanwhile finally afterwards instead done remeber rember self dare",
    "bitte mal doch danke ja nein ach puh schon merci stp svp plait oui non bon gracias favor porfa porfavor si vale oye hola hallo salut bonjour",
    // Keeping, and how long it holds.
    "remember rule rules note keep memorize memorise forget mind always never ever now going forward forwards future henceforth onwards next time times every each all anymore longer default save permanently everywhere here repo repository project session sessions whenever first instead also too plus still only",
    "merk merke denk daran achte darauf sorge sicher immer nie niemals nicht nichts kein keine keinen jetzt ab nun kunftig zukunftig zukunft generell grundsatzlich hier auch nur statt regel",
    "toujours jamais pas plus dorenavant desormais maintenant partir avenir oublie rappelle souviens retiens assure attention ici aussi seulement regle",
    "siempre nunca jamas ahora adelante recuerda acuerdate asegurate cuidado aqui tambien solo regla proyecto projekt projet",
    // Asking and wanting; verbs that say that something is done, not what.
    "can could would will shall may must should need needs want try make sure ensure certain careful important be do dont doesnt does doing go get have has use using avoid stop quit start switch stick follow put cant wont not cannot prefer required mandatory",
    "kannst konntest wurdest sollst soll sollte musst muss darfst will mochte mag benutze benutz benutzen nutze nutzen verwende verwenden nimm mach stell lass hor wichtig",
    "peux pourrais dois doit faut veux utilise utiliser utilisez fais faire evite arrete important",
    "puedes podrias debes debe tienes hay quiero usa usar utiliza utilizar haz evita deja importante",
    // Function words that the reader of statements does not know.
    "dass du dir ich wir bevor que qu ce cela ca tu te toi je il on nous ne d j s n c t lo me",
  ]
    .join(" ")
    .split(" "),
);

/** Whether a word, in whatever spelling, says nothing of its own around an order. */
export function isFiller(word: string): boolean {
  const plain = word
    .toLowerCase()
    .normalize("NFD")
    .replace(/[\p{M}'’]/gu, "");
  return WORDS.has(plain) || isFunctionWord(plain) || /^\d+$/.test(plain);
}
