import { TokenKind, tokenize } from "./index/analysis/tokenize.ts";
import type { Field } from "./index/document/index-document.ts";
import type { Hit } from "./search-query.ts";
import type { SearchResult } from "./search.ts";
import { type Injection, FACT_INJECTIONS } from "../memory/memory-type.ts";
import { handleOf } from "../memory/handle.ts";
import type { MemoryMetadata } from "../memory/memory.ts";
import { rememberLast } from "../machine/remember-last.ts";

/** The share of a term that is in no band: about one prompt in a thousand, as rare as the bands can tell. */
export const UNSEEN_SHARE = 0.001;

/** Stems that prompts of several projects share, by the share of prompts that hold them. */
export const BACKGROUND_BANDS: readonly (readonly [share: number, terms: string])[] = [
  [0.14, "code file test use"],
  [
    0.07,
    "1 2 add agent chang check creat error fix implement issu look make md need new ok one project run " +
      "see session start think updat user want work",
  ],
  [
    0.035,
    "3 4 5 account action actual address alreadi api app branch claud cli com command comment commit " +
      "complet correct current custom data develop doc document entri exist fail field first folder found " +
      "function git github go good handl https integr js json key line log main messag move name next " +
      "open page phase plan provid push read requir review server set show sourc spec src still sure tabl " +
      "task text time tool tri ts type valid write",
  ],
  [
    0.017,
    "10 26 abl ai allow anoth anyth appli applic appropri ask avail back backend base best better " +
      "browser bug build button c call case chat ci clean client close color compon config configur " +
      "contain content context continu copilot dashboard debug default delet deploy detail dev differ " +
      "directori done edit email end ensur entir env etc even everyth exampl expect explain featur feel " +
      "find follow format full generat get github.com give great happen help http imag import improv " +
      "includ inform instead instruct interact invalid item keep know land left let level link list load " +
      "local made manag map markdown mayb mcp merg method miss mode modul must node note number object " +
      "option output packag part pass path place point possibl post problem process profil public pull " +
      "put question readi readm readme.md real reason record refactor refer remov renam render repo " +
      "repositori request resolv result resum return right root rule save say schema script search seem " +
      "select servic setup share similar sinc someth specif status step stop structur success suggest " +
      "support sync system take tell thing token ui understand undo url util valu verifi version wait way " +
      "web without workflow wrong",
  ],
  [
    0.0085,
    "-c 0 11 12 14 16 17 18 20 23 25 6 7 8 9 access activ addit alway analysi answer appear approach " +
      "approv argument around array attach audit auth authent basic begin behavior big block box break " +
      "cach caus class clear click codebas column come compar comprehens concis confirm conflict connect " +
      "consid consist consol control convers copi core count cover coverag crash databas date day db " +
      "decis defin depend describ descript design desktop devic dir direct discuss display do driven " +
      "duplic e2e edg element empti enabl engin enhanc event everi exact execut exit export extens extra " +
      "extract fals far fetch fine flag flow focus form framework free fresh futur general goal guess " +
      "guid guidelin head hello helper hey hi hide high histori home hook hope html hub id idea index " +
      "indic info initi input insert insid instal instanc interfac internal job languag larg last later " +
      "latest launch layout leav lib librari light live localhost locat logic login long lot low machin " +
      "manual mark match may mention menu might migrat model modifi multi multipl necessari never normal " +
      "noth notic null obvious occur old oper order organiz origin param paramet pars password pattern " +
      "perform permiss plain port pr practic prefer present press primari print privat probabl proceed " +
      "product program progress prompt proper properti python queri quick random re realli receiv recent " +
      "recommend relat releas relev reload remain replac report reset resourc respons rest role rout s " +
      "safe same sampl scan screen screenshot second secret section secur send sens separ short side sign " +
      "signup simpl singl site size skip small solut sort space stage standard state store stori string " +
      "stuff style summari switch tab tag target team technic templat term thank though thought titl todo " +
      "togeth top total track transform tree troubl true tsx two unit upgrad usag ux var variabl via view " +
      "visibl vs warn whole win window wonder word workspac worri yeah yes yet",
  ],
  [
    0.004,
    "100 13 15 19 200 21 22 3000 44 50 51 52 absolut accept accid accord accur achiev across act adapt " +
      "adjust admin advanc advic affect agre ahead algorithm alia align altern amount anim anonym appar " +
      "architectur area assert asset assign assist assum async attempt attent author auto autom automat " +
      "avoid await awar awesom background backup bad balanc bash batch behav believ belong benchmark " +
      "besid binari bit blank board bodi boolean bother bottom bounc boundari brainstorm brief bring " +
      "brittl broken brows buffer built bullet bump bunch bundl busi calcul callback cancel captur card " +
      "care carri catch categori cd center challeng chanc channel charact chart cheap checkbox checkout " +
      "checkpoint child choos chunk claim clarifi clariti cleanup clone cloud cluster co coher collect " +
      "combin comfort common compact compat competitor compil complain complex concept concern conclud " +
      "concret condit confid confus consequ constant consum contract contribut conveni convent convert " +
      "convinc cooki coordin cor cost coupl crawl crazi creation credenti critic cross css csv curl cycl " +
      "d daili damag dark dead deadlin deal decent decid dedic dedupl deep definit delay deliv demo depth " +
      "deriv deserv desir destin destroy detect determin devop dialog diff difficult disabl disappear " +
      "discov discoveri distribut dive docker domain doubl doubt download draft dri drive drop dropdown " +
      "dump e.g easi easier effect effici effort either elimin emb emit emphasi empow encod encount " +
      "encourag end2end endpoint enforc english enjoy enlarg enough enter entiti enum environ essenti " +
      "estim evalu evid evolv examin excel except excess excit exhaust expand experi expert explicit " +
      "explor expos express extend extern extrem fact factori failur fair fake fallback fanci fast fault " +
      "favor feasibl feed feedback fewer fight figur filter final finish fit fixtur flake flaki flat " +
      "flexibl fold font forc forget fork formal forward fragil frequent friend frontend fulli fun " +
      "fundament game gap gather giant global goe gradual grammar graph grate green greet grid group grow " +
      "guarante hack half hallucin handler hang hard hardcod hate header health heavi height heurist " +
      "highlight hint hit hold host hotfix hour huge human hurt icon ideal identifi idiomat ignor illustr " +
      "imagin immedi impact imposs impress incomplet inconsist incorrect increas increment independ " +
      "individu infer infinit influenc inherit init inlin innov insight inspect inspir instant intent " +
      "interest interrupt intuit invent investig involv io isol iter java javascript judg jump junior " +
      "justifi keen kick kill kind label lack lag laptop lazi leak lean learn least legaci length less " +
      "lesson life limit lint linux listen lock longer loop loud love luck mac magic maintain major mani " +
      "margin matur mean meaning measur mechan meet memori mental mess metadata metric mind minim minimum " +
      "minor minut mistak misunderstand mix mobil mock modern moment monitor month morn most motiv mous " +
      "multipli nativ natur near negat nest network nice night nit none notifi notion npm obsolet obstacl " +
      "odd offici offlin often onc ongo onlin onto oop opinion opportun opposit optim org other outcom " +
      "outdat outlin outsid outstand overal overhead overlap overload overrid overview overwrit own owner " +
      "pace pad pain panel paragraph parallel parent partial paste patch paus payment pend peopl perfect " +
      "persist person perspect pick piec pipelin piti platform plenti plugin pointer polici polish pool " +
      "popular portion posit postgr postpon potenti prais precis predict prematur prepar presenc preserv " +
      "pretend pretti prevent preview previous price principl prioriti procedur produc promis protocol " +
      "prototyp prove proxi publish purpos pursu puzzl qualiti quantiti queue quiet quit quot quota r " +
      "rais ran rang rare rate rather raw reach react readabl reader realiti realiz rearrang rebas " +
      "rebuild recal recap recheck reconsid recov recreat recurs redact redesign redirect redo reduc " +
      "redund referenc refin reflect refresh regard region regist regress regular reject relax reli " +
      "reliabl remark rememb remind remot repeat rephras reproduc research resembl reserv resolut respect " +
      "respond restart restor restrict restructur rethink retri reus revers revert revis revisit rework " +
      "rewrit rich risk roadmap robust rough round routin row runtim rush sad satisfi scale scenario " +
      "schedul scope score scratch screw scroll seed self senior sensibl sentenc sequenc serious settl " +
      "sever shape shell shift shortcut shorten shown shut sick signal signific silli simplifi simul " +
      "situat skill slight slip slow smart smooth snapshot snippet softwar solid solv somehow sometim " +
      "somewher soon sophist sorri sound spare spawn speak specifi speed spend split spot sql squash " +
      "stabl stack stale stand startup statement static stay steer stick storag straight strang strategi " +
      "stream strength stretch strict strip strong struggl stub stuck studi stupid sub submit subtl " +
      "succeed sudden suffer suit super suppos surfac surpris surround suspect symbol symptom syntax " +
      "tackl tail talk tedious temporari tend termin terribl theme thorough thread throw tidi tie tight " +
      "timeout timestamp tini today tomorrow tonight topic touch tough toward trace tradeoff transit " +
      "translat tricki trigger trim trivial trust tune turn tweak twice txt typescript typic typo ugli " +
      "ultim unabl unclear uncommit undefin unexpect unfortun unhappi uniqu universal unknown unless " +
      "unnecessari unrel unus upload urgent usual vagu variat various vast vector verbos verif versus " +
      "viabl vibe video violat visual vital vote wast watch weak week weekend weird welcom whatev wheel " +
      "whenev wherev whether whichev white width wild will wipe wire wise worker wors worst worth wrap " +
      "written x year yesterday zero",
  ],
];

/** What can be said about how a memory is relevant to a prompt. None depends on what else there is. */
export interface RelevanceSignals {
  /** Log-likelihood ratio in nats over the root of the number of words; 0: nothing in common, 3: about the memory. */
  likelihood: number;
  /** Share of the meaning of name, statement, trigger and tags that the prompt holds; 0 to 1. */
  headCoverage: number;
  /** All that they have in common is one word. A path is more than that. */
  isOneWord: boolean;
  /** Whether the prompt says a trigger: several words in full, or enough of a rare one. Undefined without any. */
  isCued: boolean | undefined;
  /** More words to meet by chance: to be told whole takes more evidence. */
  hasAliases: boolean;
}

type Terms = ReadonlySet<string>;

interface ReadText {
  /** Without stop words and parts of identifiers: with the parts, prompts got twice as much for nothing. */
  terms: Terms;
  length: number;
}

/** The prompts of a session find the same memories again: comparing 150 takes a twelfth of the time. */
const read = rememberLast(readText);

function readText(text: string): ReadText {
  const terms = new Set<string>();
  let length = 0;
  tokenize(text, (term, _position, kind, isStop) => {
    if (isStop) return;
    length++;
    if (kind !== TokenKind.character && kind !== TokenKind.part) terms.add(term);
  });
  return { terms, length };
}

/**
 * The likelihood ratio of the query-likelihood model (Ponte and Croft, SIGIR 1998) with Jelinek-Mercer smoothing
 * (Zhai and Lafferty, SIGIR 2001), whose background is what people say to agents:
 *
 *     sum over shared terms of  ln(1 + MIXTURE * p(term | memory) / p(term | background))
 *
 * A word of the head counts as often as its weight here says. The values were chosen on a coarse grid; none matters much.
 */
const MIXTURE = 0.43;
/** One word counts at most this, in nats; a path may count more. The best of 3.5 to 6 (docs/decisions.md, 10). */
const MOST_OF_A_WORD = 4.5;
const FIELD_COUNTS: Readonly<Record<Field, number>> = {
  name: 8,
  trigger: 8,
  aliases: 4,
  tags: 8,
  statement: 5,
  body: 1,
};
/** Content words of a prompt on average: turns the share of prompts that hold a term into a share of words. */
const WORDS_OF_PROMPT = 8;
const WORDS_PER_CHAR = 0.122;
/** Meaning, in nats, that a head is taken to hold beyond its words, so that a title of two words is not all covered by one. */
const HEAD_PRIOR = 15;

/** Signals of each hit of a search for what was asked; the search must have been explained. */
export function relevanceSignals(prompt: string, result: SearchResult): RelevanceSignals[] {
  const asked = readText(prompt).terms;
  const root = Math.sqrt(Math.max(1, lengthOf(prompt)));
  return result.hits.map((hit) => {
    const { metadata } = hit;
    const lengths: Record<Field, number> = {
      name: lengthIn([metadata.name]),
      trigger: lengthIn(metadata.trigger),
      aliases: lengthIn(metadata.aliases),
      tags: lengthIn(metadata.tags),
      statement: lengthIn([metadata.statement]),
      body: metadata.bodyLength * WORDS_PER_CHAR,
    };
    const heads = [metadata.name, metadata.statement, ...metadata.trigger, ...metadata.tags];
    const head = new Set(heads.flatMap((text) => [...read(text).terms]));
    const cues = metadata.trigger;
    const { nats, words } = likelihood(hit, asked, lengths);
    return {
      likelihood: nats / root,
      isOneWord: words === 1,
      headCoverage: coverage(head, asked, HEAD_PRIOR),
      isCued: cues.length === 0 ? undefined : cues.some((cue) => isSaid(read(cue).terms, asked)),
      hasAliases: metadata.aliases.length > 0,
    };
  });
}

/** Different words of a text, parts of identifiers counted: a path is as long as its words. */
function lengthOf(text: string): number {
  const terms = new Set<string>();
  tokenize(text, (term, _position, kind, isStop) => {
    if (!isStop && kind !== TokenKind.character) terms.add(term);
  });
  return terms.size;
}

function lengthIn(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + read(text).length, 0);
}

function likelihood(
  hit: Hit,
  asked: Terms,
  lengths: Readonly<Record<Field, number>>,
): { nats: number; words: number } {
  let length = 0;
  for (const field of Object.keys(FIELD_COUNTS) as Field[]) length += FIELD_COUNTS[field] * lengths[field];
  const frequencies = new Map<string, number>();
  for (const { term, field, frequency } of hit.terms ?? [])
    frequencies.set(term, (frequencies.get(term) ?? 0) + FIELD_COUNTS[field] * frequency);
  let nats = 0;
  let words = 0;
  for (const [term, frequency] of frequencies) {
    if (!asked.has(term) || frequency === 0 || length === 0) continue;
    const share = Math.min(1, frequency / length);
    const said = Math.log1p((MIXTURE * share * WORDS_OF_PROMPT) / backgroundShare(term));
    const isPath = term.includes("/");
    nats += isPath ? said : Math.min(MOST_OF_A_WORD, said);
    words += isPath ? 2 : 1;
  }
  return { nats, words };
}

/** The share of the meaning of `whole` that `part` holds; `prior` is meaning that nothing can hold. */
function coverage(whole: Terms, part: Terms, prior: number): number {
  let all = prior;
  let covered = 0;
  for (const term of whole) {
    const meaning = surpriseOf(term);
    all += meaning;
    if (part.has(term)) covered += meaning;
  }
  return all === 0 ? 0 : covered / all;
}

/** A cue of one word must say so much, in nats: a rare word says 7; `npm` or `run` alone is no symptom. */
const CUE_NATS = 6;

function isSaid(cue: Terms, asked: Terms): boolean {
  const shared = [...cue].filter((term) => asked.has(term));
  const meaning = shared.reduce((sum, term) => sum + surpriseOf(term), 0);
  return meaning >= CUE_NATS || (cue.size > 1 && shared.length === cue.size);
}

interface RelevanceDecision {
  form: "body" | "pointer" | "none";
  probability: number;
  reason: string;
  /** What each signal added to the log-odds, `bias` included; together they give the probability. */
  terms: Record<string, number>;
}

/** Evidence is `likelihood * (HEAD_FLOOR + headCoverage)`; none of seven fitted signals told more. */
const HEAD_FLOOR = 0.3;
/** Evidence to log-odds, a logistic regression of one slope over 5,609 finds for 898 prompts of 16 stores; for the reader, not the form. */
const BIAS = -3.5;
const SLOPE = 2.9;

/** Evidence to inject a memory whole: at most 2.25 % of prompts that need nothing get one (`npm run bench -- fit-relevance`). */
export const BODY_EVIDENCE: number = 1.04;
/** The same for a memory with aliases: no more is told for nothing than without them (`bench -- inject --aliases`). */
const BODY_EVIDENCE_WITH_ALIASES = 1.15;
export const POINTER_EVIDENCE: number = 0.7;

/** Evidence that a solution needs when its cue does not occur: most of its statement. Chosen by hand. */
const UNCUED_EVIDENCE: number = 3;

/** The evidence that a memory is relevant to a prompt; two signals, no weights. */
export function evidenceOf({ likelihood, headCoverage }: RelevanceSignals): number {
  return likelihood * (HEAD_FLOOR + headCoverage);
}

export function tellsWhole(
  signals: RelevanceSignals,
  threshold: number = signals.hasAliases ? BODY_EVIDENCE_WITH_ALIASES : BODY_EVIDENCE,
): boolean {
  return !hangsOnOneWord(signals) && evidenceOf(signals) >= threshold;
}

/** "There's no space before Install" is not about installing: one word is not enough, but for a cue that says so much. */
function hangsOnOneWord({ isOneWord, isCued }: RelevanceSignals): boolean {
  return isOneWord && isCued !== true;
}

/** Decides the form in which a memory may be told on a prompt, from its signals and its type's policy. */
export function assessRelevance(signals: RelevanceSignals, injection: Injection): RelevanceDecision {
  const { likelihood, headCoverage, isCued } = signals;
  const terms = {
    bias: BIAS,
    likelihood: SLOPE * HEAD_FLOOR * likelihood,
    headCoverage: SLOPE * likelihood * headCoverage,
  };
  const evidence = evidenceOf(signals);
  const probability = 1 / (1 + Math.exp(-BIAS - SLOPE * evidence));
  const silent = (reason: string): RelevanceDecision => ({ form: "none", probability, reason, terms });
  if (!FACT_INJECTIONS.has(injection)) return silent("its type is not added to prompts");
  if (injection === "symptom" && isCued === false && evidence < UNCUED_EVIDENCE)
    return silent("the prompt does not name its symptom");
  if (evidence < POINTER_EVIDENCE) return silent("too few words in common");
  const reason =
    isCued === true
      ? "the prompt names its symptom or trigger"
      : terms.headCoverage > terms.likelihood
        ? "the prompt has most words of its statement"
        : "rare words in common";
  const form = tellsWhole(signals) && injection !== "listed" ? "body" : "pointer";
  return { form, probability, reason, terms };
}

const KIND = /^(?:must:|absent:)*[a-z]+:/;
/** A path, or a word that only code has: with an underscore, a dot or a capital inside. */
const identifier = (): RegExp => /[\p{L}_$][\p{L}\p{N}_$./-]{2,}/gu;
const isOfCode = (word: string): boolean => /[_./]|\p{Ll}\p{Lu}|^\p{Lu}[\p{Lu}\p{N}]{3,}$/u.test(word);

/** Whether a text names a memory: by its handle or name, or by a path or an identifier that its claims are about. */
export function isNamedIn(
  text: string,
  metadata: Pick<MemoryMetadata, "name" | "statement" | "claims">,
): boolean {
  const names = [
    handleOf(metadata),
    `heed:${metadata.name}`,
    ...(metadata.name.includes("-") ? [metadata.name] : []),
  ];
  for (const claim of metadata.claims)
    for (const [word] of claim.replace(KIND, "").matchAll(identifier()))
      if (isOfCode(word)) names.push(word, ...(word.includes("/") ? [fileOf(word)] : []));
  return names.some((name) => name.length > 3 && holdsWord(text, name));
}

function fileOf(path: string): string {
  const file = path.slice(path.lastIndexOf("/") + 1);
  return file.includes(".") ? file : "";
}

function holdsWord(text: string, name: string): boolean {
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    const [before, after] = [text.slice(0, at).at(-1) ?? " ", text[at + name.length] ?? " "];
    if (!/[\p{L}\p{N}_-]/u.test(before) && !/[\p{L}\p{N}_-]/u.test(after)) return true;
  }
  return false;
}

let shares: Map<string, number> | undefined;

export function backgroundShare(term: string): number {
  shares ??= new Map(
    BACKGROUND_BANDS.flatMap(([share, terms]) => terms.split(" ").map((known) => [known, share] as const)),
  );
  return shares.get(term) ?? UNSEEN_SHARE;
}

/** How much a term says about what a text is about, before any store is looked at: the surprise -ln(share), in nats. */
function surpriseOf(term: string): number {
  return -Math.log(backgroundShare(term));
}
