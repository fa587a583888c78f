/**
 * Words that people use everywhere when they talk to coding agents, in three bands with the share of prompts that hold
 * them, written down from general knowledge of English and of programming: a floor under what is counted.
 */
const EVERYWHERE =
  "add app application bug build call change check clean close code command commit complete config continue create " +
  "current data default delete doc document edit error example feature file find fix folder function give go good help " +
  "implement improve issue item keep know let line list load look make method move name need number object open option " +
  "output page plan point problem project pull push put read refactor remove rename repo repository result review right " +
  "run save see set setup show start step stop support sure system tell test thing think time try type update use user " +
  "value version want way work write wrong";
const FREQUENT =
  "access action actual agent already api argument array ask available back base basic best better block branch break " +
  "button cache case cause class click client column come component connect console content context control copy " +
  "count custom database date day debug define deploy description design detail different directory display do done edge " +
  "element empty end enable ensure event exist expect explain export extra fail false field first flag follow form " +
  "format found full general generate get git github great handle happen hide high home hook html http id image import " +
  "include index info information input install instance integrate interface job json key language large last later " +
  "layout leave left level library link local log logic login long low main manage map match menu merge message " +
  "missing mode model module multiple new next null old order original package parameter parse part pass password path " +
  "pattern perform place possible post prefer press print private process production program proper property provide " +
  "public query question quick random ready real reason recent reference related release render replace report request " +
  "require reset resource response rest return role root route rule safe same sample scan screen script search second " +
  "section select send server service session share short side simple single site size small sort source space " +
  "specific spec standard state status still store string structure style success suggest switch tab table tag target " +
  "task team template term text title token tool top total track true two understand unit url valid validate variable " +
  "verify view wait web win window word workflow write";
const FAMILIAR =
  "active admin algorithm analysis animation approach architecture area asset async audit auth authentication auto " +
  "backend background backup batch behavior binary board body boolean bottom box browser buffer bundle card category " +
  "center change channel chart chat child choose ci clear cli cloud cluster collection color comment common compare " +
  "compile condition conflict constant container convert core correct cost coverage css csv customer dashboard dark dead " +
  "decide dependency deployment dev developer device dialog diff docker domain double download draft drop duplicate " +
  "email emit encode endpoint engine entity entry environment execute existing extend extension external factory fallback " +
  "fetch figure filter final finish fixture flow font framework frontend game global graph grid group guide header " +
  "height host icon identify ignore implementation inline inspect integration internal invalid javascript java label " +
  "latest launch limit linux lint live location lock loop mac manual margin markdown mechanism memory metadata metric " +
  "migration mobile monitor mouse network node note npm null offline online operation optimize overview owner padding " +
  "panel parent partial patch payment pending performance permission phase pipeline platform plugin pointer policy pool " +
  "port postgres preview price priority product profile progress prompt protocol proxy python queue range rate react " +
  "record redirect region register remote research resolve restart restore retry roadmap row runtime scale schedule " +
  "schema scope score scroll security sequence settings setting shape shell signal slow snapshot software split sql " +
  "stack stage storage strategy stream strict submit summary sync syntax terminal theme thread tree trigger typescript " +
  "ui undefined update upload validation vector video visual warning width worker";
/** How people talk to an agent, whatever about. */
const TALK =
  "answer ask check commit compare conversation crash db discuss e2e enhance fresh goal guess hello helper hey hi " +
  "history hope initial insert lib machine mark maybe obvious param plain pr probably really recommend reload sense " +
  "solution staging start story sure thank thanks thought todo transform trouble visible whole wonder worry yeah " +
  "yes";
/** Words of reasoning, judging and planning that are relevant to any work. */
const REASONING =
  "absolute accept accident accurate achieve act adapt adjust advance advice agree alias align alternative amount " +
  "apparently assert assign assist assume attach attempt attention automate avoid await aware awesome bad balance " +
  "bash behave believe belong benchmark beside bit blank bother bounce brainstorm brief bring brittle broken browse " +
  "bullet bump busy calculate callback cancel capture care careful carry catch challenge chance character cheap " +
  "checkbox checkout checkpoint chunk claim clarify clarity clone coherent combine comfortable commonly compact " +
  "competitor complain complexity concept concern conclude concrete confidence confuse connected consequence " +
  "consider consistent consume contract contribute convenient convention conversion convince cookie coordinate cors " +
  "couple crawl crazy cross cycle daily damage deadline deal decent dedicate deduplicate definite delay deliver " +
  "demo depth derive deserve desire destination destroy determine devops difficult disable disappear discover " +
  "discovery distribute dive doubt dropdown dry dump easy effect efficient effort either eliminate embed emphasis " +
  "empower encounter encourage end2end enforce english enhance enjoy enlarge enough enter enum env error essential " +
  "estimate evaluate evidence evolve examine excellent except exception excess excite execution exhaust expand " +
  "experience experiment expert explore expose express extreme fact fair fake fancy fast fault favor feasible feed " +
  "fetch fewer fight fit fix flake flaky flat flexible fold force forget fork formal forward fragile frequent " +
  "friendly fun fundamental gap gather giant globally gradual grammar grateful green greet grow guarantee hack half " +
  "hallucinate hang hard hardcode hate health heavy heuristic hint hit hold hotfix hour huge human hurt ideal " +
  "idiomatic illustrate imagine impact impossible impress incomplete inconsistent incorrect increase incremental " +
  "independent indicate individual infer infinite influence inherit innovate insight inspire instant intent " +
  "interact intuitive invent investigate involve isolate iterate judge jump junior justify keen kick kill kind lack " +
  "lag laptop lazy leak lean least legacy length lesson life lint lot loud love luck magic maintain major match " +
  "mature mean meaning meaningful measure meet mental merge mess method migrate mind minimal minimum minor mistake " +
  "misunderstand mix mock modern moment month morning mostly motivate multiply native nature near need negative " +
  "nest nicely night nit none normalize notify notion obsolete obstacle odd odds official often once ongoing onto " +
  "oops opinion opportunity opposite optional outcome outdated outline outside outstanding overall overhead overlap " +
  "overload override overwrite own pace pain paragraph parallel pause perspective pick piece pity plenty polish " +
  "popular portion positive postpone potential practical praise precise predict premature prepare presence preserve " +
  "pretend pretty prevent previously principle probable procedure produce progress prototype prove purpose pursue " +
  "puzzle quality quantity quiet quit quota quote raise rare rate rather raw reach readable reader reality realize " +
  "rearrange reasonable rebase rebuild recall recap recheck reconsider recover recreate recursive redesign redo " +
  "reduce redundant refine regression regular reject relate relax release reliable rely remark remind repeat " +
  "rephrase reproduce resemble reserve resolution responsible restrict restructure result rethink reuse reverse " +
  "revert revise revisit rework rewrite rich risk robust rough round routine rush sad satisfy scenario scratch " +
  "screw seed seem self senior sensible sentence separate serious settle several shift shortcut shorten shut sick " +
  "significant silly similar simplify simulate situation skill slight slip smart smooth snippet solid somehow " +
  "sometimes soon sophisticated sound spare spawn speak speed spend spot squash stable stale stand startup static " +
  "stay steer stick stop straight strange strength chunk strip strong struggle stub stuck study stupid subtle " +
  "succeed sudden suffer suit super surface surprise surround suspect symbol symptom tackle tail talk tedious " +
  "temporary tend terrible thorough tidy tie tight timestamp tiny today together tomorrow tonight topic touch tough " +
  "toward tradeoff transition translate tricky trim trivial trouble trust tune tweak twice typical typo ugly " +
  "ultimate unclear uncommitted unexpected unfortunately unhappy unique universal unknown unnecessary unrelated " +
  "unused urgent usual utility vague variation various vast verbose versus viable vibe violate vital vote wait " +
  "waste watch weak week weekend weird welcome whatever wheel whenever wherever whichever white wild willing wipe " +
  "wire wise wonderful worse worst worth wrap year yesterday yet zero";

export const GENERAL_WORDS: readonly (readonly [share: number, words: string])[] = [
  [0.003, REASONING],
  [0.003, FAMILIAR],
  [0.0072, TALK],
  [0.0072, FREQUENT],
  [0.018, EVERYWHERE],
];
