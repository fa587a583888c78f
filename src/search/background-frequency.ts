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
