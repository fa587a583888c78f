import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { SeededRandom } from "../../../bench/seeded-random.ts";
import { type Actor, type EventAnswer, type Heed, HeedError } from "../../../src/heed.ts";
import { type EventPart, TemporaryHeed } from "../../home/temporary-heed.ts";
import { type FileMemory, type Folders, fileOf, markdownBelow, nameOf } from "./files-on-disk.ts";
import { type Fault, CheckedSession, isEnded, readIfThere } from "./checked-session.ts";
import { type SentenceKind, answers, toModel, waiting } from "./sentences.ts";

/** What came of a session that was played. */
export interface Played {
  faults: Fault[];
  kinds: ReadonlySet<SentenceKind>;
}

const STEPS = 6;
const PERSON: Actor = { kind: "person" };
const RULES = [
  "Never use celery for jobs",
  "Run the linter before each commit",
  "Write small functions with early returns",
  "Deploy on Tuesdays, never on Fridays",
  "Ask before a dependency is added",
];
const FACTS = [
  "Adyen handles the card payments",
  "The staging database lives in Frankfurt",
  "Invoices are numbered by the ledger service",
  "The search cluster runs on Hetzner machines",
  "Webhooks of the parcel carrier retry five times",
  "The release freeze for the mobile app ends on 2026-11-24",
  "The upload limit `MAX_ITEMS` in `src/limits.ts` is what the carrier accepts",
  "Nightly exports are written by `src/exports/nightly.ts`",
];
const USERS = [
  "The user is colour blind",
  "The user lives in Graz",
  "The user has written Rust for ten years",
];
const CLAIMS: ReadonlyMap<string, string[]> = new Map([
  [FACTS[5] ?? "", ["until:2026-11-24"]],
  [FACTS[6] ?? "", ["path:src/limits.ts::MAX_ITEMS"]],
]);
const LIMITS = "export const MAX_ITEMS = 5;\n";

/** A home, a repository and heed over both, in which one session after the other is played. */
class PlayedSession {
  readonly #random: SeededRandom;
  // Without git: what it would add costs a process each time.
  readonly #place = new TemporaryHeed({ PATH: "/nowhere/at/all" });
  readonly #at: Folders;
  readonly #checked: CheckedSession;
  #heed: Heed = this.#place.open();
  #session = 1;
  #client = "claude-code";

  constructor(seed: number) {
    this.#random = new SeededRandom(seed);
    const { project, userStore, state } = this.#place;
    const clientFolder = this.#place.clientMemory();
    this.#at = { project, userStore, projectStore: join(project, ".heed"), clientFolder, state };
    this.#place.write("src/limits.ts", LIMITS);
    this.#place.write("src/exports/nightly.ts", "export {};\n");
    this.#checked = new CheckedSession(seed, this.#at, this.#today);
  }

  async play(): Promise<Played> {
    await this.#heed.setup.init("user");
    if (this.#random.below(2) === 0) this.#colleague();
    for (let some = this.#random.below(3); some > 0; some--) await this.#writeByModel(false);
    this.#client = this.#random.pick(["claude-code", "claude-code", "codex"]) ?? "";
    await this.#begin("startup");
    for (this.#checked.step = 1; this.#checked.step <= STEPS; this.#checked.step++) {
      this.#pass(60_000);
      await this.#one();
      this.#checked.checkInbox(await this.#heed.inbox.list({ reader: PERSON }));
    }
    await this.#heed.close();
    await this.#place.remove();
    return { faults: this.#checked.faults, kinds: this.#checked.kinds };
  }

  async #one(): Promise<void> {
    // Whoever is offered a code may type it at once: then it works.
    const code = this.#checked.offered;
    this.#checked.offered = undefined;
    if (code !== undefined && this.#random.below(3) === 0) return this.#answer(code);
    const steps: [number, string, () => void | Promise<unknown>][] = [
      [5, "a quoted write", () => this.#writeByModel(true)],
      [4, "an unquoted write", () => this.#writeByModel(false)],
      [6, "a prompt", () => this.#prompt(this.#question())],
      [2, "heed keep", () => this.#prompt(`heed keep: ${this.#random.pick(RULES)}`)],
      [2, "heed forget", () => this.#prompt(`heed forget ${this.#aName()}`)],
      [2, "an update by the model", () => this.#update()],
      [2, "a removal by the model", () => this.#remove({ ...this.#model(), session: this.#id() })],
      [3, "a removal in a terminal", () => this.#remove(PERSON)],
      [1, "an undo in a terminal", () => this.#try(() => this.#heed.history.undo({}, PERSON))],
      [2, "a file removed by hand", () => this.#byHand("remove")],
      [2, "a file edited by hand", () => this.#byHand("edit")],
      [3, "a colleague's change", () => this.#colleague()],
      [2, "heed inbox trust", () => this.#try(() => this.#heed.setup.trust({ store: "project" }))],
      [2, "the client's own folder", () => this.#clientFolder()],
      [2, "the dialog", () => this.#dialog()],
      [2, "an answer in the inbox", () => this.#confirm()],
      [1, "a compaction", () => this.#compact()],
      [1, "a resume", () => this.#begin("resume")],
      [1, "a new session", () => this.#newSession()],
      [1, "a subagent", () => this.#subagent()],
      [1, "a restart", () => this.#restart()],
      [2, "a day later", () => this.#later()],
      [2, "a change of the code", () => this.#changeCode()],
    ];
    let at = this.#random.below(steps.reduce((sum, [weight]) => sum + weight, 0));
    const [, did, run] = steps.find(([weight]) => (at -= weight) < 0) ?? steps[0]!;
    this.#checked.did = did;
    await run();
  }

  // What happens

  async #begin(source: "startup" | "resume" | "compact"): Promise<void> {
    const isFresh = source !== "resume";
    if (isFresh) this.#checked.known.clear();
    const answer = await this.#event({ kind: "session-start", source });
    this.#checked.take(answer);
    this.#checked.checkKnown();
  }

  async #prompt(prompt: string): Promise<void> {
    const before = JSON.stringify(this.#checked.memories());
    const answer = await this.#event({ kind: "prompt", prompt });
    const said = this.#checked.take(answer);
    if (said.some(({ kind }) => kind === "not kept") && JSON.stringify(this.#checked.memories()) !== before)
      this.#checked.fault(answer.notice ?? "", "something was changed");
    this.#checked.checkKnown();
  }

  async #answer(code: string): Promise<void> {
    this.#checked.did = `heed yes ${code}, as offered`;
    const answer = await this.#event({ kind: "prompt", prompt: `heed yes ${code}` });
    this.#checked.take(answer);
    if (/Nothing was changed|no question has the code/.test(answer.notice ?? ""))
      this.#checked.fault(answer.notice ?? "", "what was offered does not work");
    this.#checked.checkKnown();
  }

  async #writeByModel(isQuoted: boolean): Promise<void> {
    const [type, statements] = this.#random.pick([
      ["feedback", RULES],
      ["feedback", RULES],
      ["user", USERS],
      ["project", FACTS],
      ["reference", FACTS],
    ] as const)!;
    const statement = this.#random.pick(statements) ?? "";
    const names = { claims: CLAIMS.get(statement) ?? [] };
    const ends = this.#random.below(6) === 0 && type !== "user" ? { expires: "2026-11-23" } : {};
    if (isQuoted) await this.#prompt(`${statement}, please.`);
    const quote = isQuoted ? { quote: statement } : {};
    const draft = { type, statement, ...names, ...ends, ...quote };
    await this.#try(async () => this.#wrote(await this.#heed.memories.write(draft, this.#model())));
  }

  async #update(): Promise<void> {
    const name = this.#aName();
    const statement = this.#random.pick(FACTS) ?? "";
    await this.#try(async () =>
      this.#wrote(await this.#heed.memories.update(name, { statement }, this.#model())),
    );
  }

  #wrote(result: Awaited<ReturnType<Heed["memories"]["write"]>>): void {
    if (!("announcement" in result)) return;
    const said = answers(result.announcement);
    for (const sentence of said) this.#checked.check(sentence);
    const isOver = result.announcement.includes("; not in force: ");
    if ("metadata" in result) {
      const { name, statement } = result.metadata;
      if (isOver) this.#checked.known.delete(name);
      else this.#checked.known.set(name, statement);
    }
    this.#checked.offered = said.find(({ code }) => code !== undefined)?.code ?? this.#checked.offered;
  }

  async #remove(actor: Actor): Promise<void> {
    const name = this.#aName();
    await this.#try(async () => {
      await this.#heed.memories.remove(name, "it is over", actor);
      if (actor.kind === "model") this.#checked.known.delete(name);
    });
  }

  #byHand(how: "remove" | "edit"): void {
    const file = this.#random.pick(this.#filesIn(this.#at.userStore));
    if (file === undefined) return;
    if (how === "remove") rmSync(file);
    else
      writeFileSync(
        file,
        readFileSync(file, "utf8").replace(
          /^description: .*$/m,
          (line) => `${line.replace(/"$/, "")} indeed${line.endsWith('"') ? '"' : ""}`,
        ),
      );
  }

  /** As a pull brings it: files of the repository's store, past heed. */
  #colleague(): void {
    const { projectStore } = this.#at;
    if (!existsSync(projectStore)) this.#place.write(".heed/config.yaml", "id: 01M7YZMHG0PR0JECTST0REAAAA\n");
    const files = this.#filesIn(projectStore);
    const file = this.#random.pick(files);
    if (file !== undefined && this.#random.below(3) === 0) return rmSync(file);
    const type = this.#random.pick(["feedback", "project"]) ?? "";
    const statement = this.#random.pick(type === "feedback" ? RULES : FACTS) ?? "";
    const name = `${nameOf(statement)}-of-ours`;
    this.#place.write(`.heed/${type}/${name}.md`, fileOf(name, type, statement));
  }

  async #clientFolder(): Promise<void> {
    const { clientFolder } = this.#at;
    const statement = this.#random.pick([...RULES, ...FACTS, ...USERS]) ?? "";
    const type = RULES.includes(statement) ? "feedback" : USERS.includes(statement) ? "user" : "project";
    const name = `own-${nameOf(statement)}`;
    const file = this.#random.pick(this.#filesIn(clientFolder));
    if (file !== undefined && this.#random.below(3) === 0) rmSync(file);
    else this.#place.write(join(clientFolder, `${name}.md`), fileOf(name, type, statement));
    const shown = this.#filesIn(clientFolder).filter(() => this.#random.below(2) === 0);
    const lines = shown.map((path) => `- [${path.split("/").at(-1)}](${path.split("/").at(-1)})\n`);
    writeFileSync(join(clientFolder, "MEMORY.md"), lines.join(""));
    if (!readIfThere(join(this.#at.state, "stores.json")).includes(clientFolder))
      await this.#try(() => this.#heed.setup.attach(clientFolder, {}, PERSON));
  }

  async #dialog(): Promise<void> {
    await this.#prompt("go on with the parser");
    const session = this.#id();
    const box = await this.#heed.consent.nextDialog({ session, client: "claude-code", version: "2.1.330" });
    for (const { text, detail = "", code, kind, choices } of box?.questions ?? []) {
      const store = text.includes("which others read") ? "project" : "user";
      if (kind === "keep")
        this.#checked.check({ ...waiting("waits, in the dialog", `${text} ${detail}`), store });
      const isYes = this.#random.below(2) === 0;
      const by: Actor = { kind: "person", door: "dialog", session, client: "claude-code" };
      const answered = await this.#heed.consent.answer(code, isYes ? "yes" : "no", by);
      if (!answered.isDone)
        this.#checked.fault(`${text} [${choices.join(" / ")}]`, `does not work: ${answered.announcement}`);
      for (const sentence of answers(answered.announcement)) this.#checked.check(sentence);
      if (kind === "trust" && isYes && answered.isDone) this.#checked.checkApproved(text);
    }
    await this.#prompt("and now the lexer");
  }

  async #confirm(): Promise<void> {
    const item = this.#random.pick(await this.#heed.inbox.list({ reader: PERSON }));
    if (item === undefined) return;
    await this.#try(async () => {
      const result = await this.#heed.inbox.confirm(item.name, {}, PERSON);
      if ("announcement" in result) for (const one of answers(result.announcement)) this.#checked.check(one);
    });
  }

  async #compact(): Promise<void> {
    await this.#event({ kind: "compaction" });
    await this.#begin("compact");
  }

  async #newSession(): Promise<void> {
    await this.#event({ kind: "session-end", reason: "other" });
    this.#session += 1;
    await this.#begin("startup");
  }

  async #subagent(): Promise<void> {
    const agentId = `a${this.#checked.step}`;
    const answer = await this.#event({ kind: "subagent-start", agentId, agentType: "Explore" });
    for (const sentence of toModel(answer.context ?? "")) this.#checked.check(sentence);
  }

  async #restart(): Promise<void> {
    await this.#heed.close();
    this.#heed = this.#place.open();
  }

  async #later(): Promise<void> {
    const expires = this.#today();
    if (this.#random.below(2) === 0) await this.#writeFact({ statement: FACTS[0] ?? "", expires });
    else await this.#writeFact({ statement: FACTS[5] ?? "", claims: CLAIMS.get(FACTS[5] ?? "") ?? [] });
    this.#pass((1 + this.#random.below(4)) * 86_400_000);
    const today = this.#today();
    const over = (one: FileMemory): boolean =>
      isEnded(one, today) ||
      one.claims.some((claim) => claim < `until:${today}` && claim.startsWith("until:"));
    const about = this.#random.pick(this.#checked.memories().filter(over));
    if (this.#random.below(2) === 0) await this.#compact();
    await this.#prompt(about === undefined ? this.#question() : `is it so: ${about.statement}?`);
  }

  async #writeFact(draft: { statement: string; claims?: string[]; expires?: string }): Promise<void> {
    await this.#try(async () =>
      this.#wrote(await this.#heed.memories.write({ type: "project", ...draft }, this.#model())),
    );
  }

  /** A constant of another name, or a file that is gone; or back again: said where a context begins. */
  async #changeCode(): Promise<void> {
    const file = join(this.#at.project, "src/limits.ts");
    const nightly = join(this.#at.project, "src/exports/nightly.ts");
    const statement = FACTS[6 + this.#random.below(2)] ?? "";
    await this.#writeFact({ statement, claims: CLAIMS.get(statement) ?? [] });
    if (statement.includes("MAX_ITEMS"))
      writeFileSync(file, readFileSync(file, "utf8") === LIMITS ? "export const MOST = 5;\n" : LIMITS);
    else if (existsSync(nightly)) rmSync(nightly);
    else writeFileSync(nightly, "export {};\n");
    await this.#compact();
    await this.#prompt(`what do we know: ${statement}?`);
  }

  // Odds and ends

  #id = (): string => `s${this.#session}`;
  #model = (): Actor => ({ kind: "model", client: this.#client, session: this.#id() });

  #aName(): string {
    return this.#random.pick(this.#checked.memories())?.name ?? "nothing";
  }

  #question(): string {
    const about =
      this.#random
        .pick([...FACTS, ...USERS])
        ?.toLowerCase()
        .replaceAll("`", "") ?? "";
    return this.#random.below(4) > 0 ? `what do we know: ${about}?` : "please go on with the work";
  }

  #filesIn(root: string): string[] {
    return this.#checked.memories().length === 0 || !existsSync(root) ? [] : markdownBelow(root);
  }

  #today = (): string => this.#place.now.slice(0, 10);

  #pass(ms: number): void {
    this.#place.now = new Date(Date.parse(this.#place.now) + ms).toISOString();
  }

  #event(part: EventPart): Promise<EventAnswer> {
    return this.#place.event({ session: this.#id(), client: this.#client, ...part }, this.#heed);
  }

  /** Does what may be refused. */
  async #try(work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!(error instanceof HeedError)) throw error;
    }
  }
}

/** Plays the session of a seed, and compares each sentence that is said in it with the files. */
export function playSession(seed: number): Promise<Played> {
  return new PlayedSession(seed).play();
}
