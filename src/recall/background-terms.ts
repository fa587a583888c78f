/**
 * Stems of what people tell coding agents, by the share of prompts that hold them. Written by
 * `npm run bench -- fit-background --turns FILE --write`; kept are only stems that prompts of several projects share.
 */
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
    "-c 0 11 12 14 16 17 18 20 23 25 6 7 8 9 access activ addit alway analysi appear approach approv " +
      "argument around array attach audit auth authent basic begin behavior big block box break cach caus " +
      "class clear click codebas column come comprehens concis confirm conflict connect consid consist " +
      "consol control copi core count cover coverag databas date day decis defin depend describ descript " +
      "design desktop devic dir direct display do driven duplic edg element empti enabl engin event everi " +
      "exact execut exit export extens extra extract fals far fetch fine flag flow focus form framework " +
      "free futur general guid guidelin head hide high home hook html hub id idea index indic info input " +
      "insid instal instanc interfac internal job languag larg last later latest launch layout leav " +
      "librari light live localhost locat logic login long lot low manual match may mention menu might " +
      "migrat model modifi multi multipl necessari never normal noth notic null occur old oper order " +
      "organiz origin paramet pars password pattern perform permiss port practic prefer present press " +
      "primari print privat proceed product program progress prompt proper properti python queri quick " +
      "random re receiv recent relat releas relev remain replac report reset resourc respons rest role " +
      "rout s safe same sampl scan screen screenshot second secret section secur send sens separ short " +
      "side sign signup simpl singl site size skip small sort space standard state store string stuff " +
      "style summari switch tab tag target team technic templat term though titl togeth top total track " +
      "tree true tsx two unit upgrad usag ux var variabl via view vs warn win window word workspac yet",
  ],
  [
    0.004,
    "100 13 15 19 200 21 22 3000 44 50 51 52 accept accord across adjust admin affect ahead algorithm " +
      "anim anonym architectur area asset assum async author auto automat background backup batch binari " +
      "board bodi boolean bottom boundari bring buffer built bunch bundl card catch categori cd center " +
      "channel chart child choos cleanup cloud cluster co collect common compar compat compil condit " +
      "constant convert cost coupl creation credenti critic css csv curl d dark dead decid deep definit " +
      "detect dialog diff discuss docker domain doubl download draft drive drop e.g easi easier emit " +
      "encod endpoint enough entiti environ evalu except experi explicit expos extend extern factori " +
      "failur fallback feedback figur filter final finish fixtur font forward frontend fulli game global " +
      "goe graph grid group guess handler header height hey highlight host icon identifi ignor immedi " +
      "init inlin inspect interest interrupt investig io java javascript label learn length less limit " +
      "lint linux listen lock longer loop mac mani margin mechan memori metadata metric minor minut mobil " +
      "monitor mous network nice npm offlin onlin optim org other overal overview owner pad panel parent " +
      "partial paste patch payment pend peopl perfect persist person pick pipelin platform plugin pointer " +
      "polici pool postgr prevent preview previous price prioriti promis protocol proxi publish queue r " +
      "ran rang rate react redact redirect referenc reflect refresh regard region regist rememb remot " +
      "research respect respond restart restor retri revert roadmap row runtim scale schedul scope score " +
      "scroll sequenc shape shell shown signal slow snapshot softwar solv somewher sorri specifi split " +
      "sql stack stage statement stay storag strategi stream strict sub submit suppos syntax tackl talk " +
      "termin theme thought thread throw timeout trace trigger turn txt typescript unabl undefin unknown " +
      "unless upload vector verif video visual whether width worker written x",
  ],
];
