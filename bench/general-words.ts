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

export const GENERAL_WORDS: readonly (readonly [share: number, words: string])[] = [
  [0.003, FAMILIAR],
  [0.0072, FREQUENT],
  [0.018, EVERYWHERE],
];
