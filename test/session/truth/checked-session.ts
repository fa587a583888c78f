import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { EventAnswer, PendingItem } from "../../../src/heed.ts";
import {
  type FileMemory,
  type Folders,
  buriedOnDisk,
  claimHolds,
  folded,
  markOf,
  memoriesOnDisk,
  proposalsOnDisk,
} from "./files-on-disk.ts";
import { KNOWN_BY, type Sentence, type SentenceKind, toModel, toUser } from "./sentences.ts";

/** A sentence that the files do not bear out, or a silence that they do not. */
export interface Fault {
  seed: number;
  step: number;
  did: string;
  sentence: string;
  why: string;
}

/** All that was said in a session, each sentence compared with the files at that moment. */
export class CheckedSession {
  readonly faults: Fault[] = [];
  readonly kinds: Set<SentenceKind> = new Set();
  step = 0;
  did = "";
  /** A code that was offered just now. */
  offered: string | undefined;
  /** What this context takes to be in force: statements by name. */
  readonly known: Map<string, string> = new Map();
  readonly #seed: number;
  readonly #at: Folders;
  readonly #today: () => string;
  /** All that was ever in force, by name. */
  readonly #everInForce = new Set<string>();
  /** The names of all that ever lay in a store. */
  readonly #everSeen = new Set<string>();

  constructor(seed: number, at: Folders, today: () => string) {
    this.#seed = seed;
    this.#at = at;
    this.#today = today;
  }

  /** Takes in what an event said: every sentence is compared. */
  take(answer: EventAnswer): Sentence[] {
    const said = [...toModel(answer.context ?? ""), ...toUser(answer.notice ?? "")];
    const memories = this.memories();
    for (const sentence of said) {
      this.check(sentence, memories);
      this.#learn(this.#byName(sentence), memories);
    }
    this.offered = said.findLast(({ code }) => code !== undefined)?.code;
    return said;
  }

  #learn({ kind, name = "", statement, text }: Sentence, memories: readonly FileMemory[]): void {
    const inForce = memories.find((one) => one.isInForce && one.name === name);
    const says = inForce?.statement ?? "";
    const isSame = statement === undefined || folded(text).includes(folded(says).slice(0, 60));
    const isOver = text.includes("; not in force: ");
    if (isOver) this.known.delete(name);
    else if (KNOWN_BY.has(kind)) this.known.set(name, isSame ? says : statement);
    if (kind === "no longer in force" || kind === "removed" || kind === "expired") this.known.delete(name);
    if (kind === "forgotten on the user's word" || kind === "removed, not to be relied on")
      for (const [known, said] of this.known)
        if (said === statement || known === name) this.known.delete(known);
  }

  /** The sentence with the name that its handle is short for. */
  #byName(sentence: Sentence): Sentence {
    const mark = sentence.name?.split(".")[1];
    const meant = mark === undefined ? undefined : [...this.#everSeen].find((name) => markOf(name) === mark);
    return meant === undefined ? sentence : { ...sentence, name: meant };
  }

  check(sentence: Sentence, memories: readonly FileMemory[] = this.memories()): void {
    const { kind, name = "", statement = "", text, day = "", count, store } = this.#byName(sentence);
    this.kinds.add(kind);
    const inForce = memories.filter(({ isInForce }) => isInForce);
    const isInForce = inForce.some((one) => one.name === name);
    const isSaid = inForce.some(
      (one) => folded(one.statement) === folded(statement) && (store === undefined || one.store === store),
    );
    const claims = memories.find((one) => one.name === name)?.claims ?? [];
    switch (kind) {
      case "no longer in force":
        if (isInForce) this.fault(text, `${name} is in force`);
        else if (!this.#everInForce.has(name)) this.fault(text, `${name} never was in force`);
        return;
      case "forgotten on the user's word":
      case "removed, not to be relied on": {
        if (isSaid) this.fault(text, "it is in force");
        const buried = buriedOnDisk(this.#at).filter((one) => one.statement === statement);
        const isUsers = buried.some((one) => one.store === "user" && one.type === "feedback");
        if (buried.length === 0) this.fault(text, "it was not removed");
        else if (kind === "forgotten on the user's word" && !isUsers) this.fault(text, "not by the user");
        return;
      }
      case "removed":
        if (isInForce) this.fault(text, `${name} is in force`);
        return;
      case "rule at the start":
      case "rule that is new or changed":
      case "fact in the map":
      case "fact that is new or changed":
      case "fact on a prompt":
      case "remembered":
      case "kept, to the user": {
        // What was changed after its end has no more force than before, and the line says so.
        const isOver = text.includes("; not in force: it ended on ");
        const hasEnded = memories.some((one) => one.name === name && isEnded(one, this.#today()));
        if (isOver !== hasEnded) this.fault(text, `it has ${hasEnded ? "" : "not "}ended`);
        else if (!isInForce && !isOver) this.fault(text, `${name} is not in force`);
        const said = inForce.find((one) => one.name === name)?.statement ?? "";
        if (isInForce && statement !== "" && !folded(text).includes(folded(said).slice(0, 60)))
          this.fault(text, `it says: ${said}`);
        return;
      }
      case "fact that is data":
      case "written as data":
        if (isInForce) this.fault(text, `${name} is in force`);
        return;
      case "waits, to the user":
      case "waits, to the model":
      case "waits, in the answer of a write":
      case "waits, in the dialog":
      case "waits, in the inbox":
        if (statement === "") return;
        if (
          /^(?:- )?(?:Needs your approval, not in force: )?(?:Forget|Change|Enforce)\b|to be forgotten/.test(
            text,
          )
        )
          return;
        // What changes a memory that says so already is another matter.
        if (isSaid && !proposalsOnDisk(this.#at).some((one) => !one.isNew && one.statement === statement))
          this.fault(text, "it is in force");
        return;
      case "not approved":
        if (count !== undefined) {
          const data = memories.filter(
            (one) => one.store === "project" && !one.isInForce && !isEnded(one, this.#today()),
          );
          if (data.length !== count) this.fault(text, `${data.length} are not in force`);
        } else if (inForce.some((one) => one.store === "project" && one.statement === statement))
          this.fault(text, `"${statement}" is in force`);
        return;
      case "stale":
        if (claims.every((claim) => claimHolds(this.#at, claim, this.#today())))
          this.fault(text, "all its claims hold");
        return;
      case "passed":
        if (!claims.includes(`until:${day}`) && memories.every((one) => one.expires !== day))
          this.fault(text, "it is no deadline");
        return;
      case "expired":
        if (memories.every((one) => one.name !== name || !isEnded(one, this.#today())))
          this.fault(text, "it has not ended");
        return;
      default:
    }
  }

  /** What the context takes to be in force is so, and it knows all that is. */
  checkKnown(): void {
    const memories = this.memories();
    const inForce = new Map(memories.filter((one) => one.isInForce).map((one) => [one.name, one]));
    const shown = readIfThere(join(this.#at.clientFolder, "MEMORY.md"));
    for (const [name, statement] of this.known) {
      const now = inForce.get(name);
      // Another memory may say the same now.
      const isSaid = [...inForce.values()].some((one) => folded(one.statement) === folded(statement));
      if (!now && !isSaid) this.fault(`(known: ${name})`, "it is no longer in force, and nobody said so");
      else if (now && folded(now.statement) !== folded(statement))
        this.fault(`(known: ${name}: ${statement})`, `it says "${now.statement}" now, and nobody said so`);
      if (!now) this.known.delete(name);
      else this.known.set(name, now.statement);
    }
    const said = new Set([...this.known.values()].map(folded));
    for (const { name, statement, type, store } of inForce.values()) {
      if (this.known.has(name)) continue;
      const isShown = store === "client" && type !== "feedback" && shown.includes(`(${name}.md)`);
      if (isShown || (type === "feedback" && said.has(folded(statement)))) continue;
      this.fault(`(unknown: ${name}: ${statement})`, "it is in force, and nobody said so");
      this.known.set(name, statement);
    }
  }

  /** What a review named is in force once it was approved. */
  checkApproved(asked: string): void {
    const inForce = this.memories().filter(({ isInForce }) => isInForce);
    for (const [, statement = ""] of asked.matchAll(/(?:: |; |changed to )"([^"]*)"(?! is gone)/g))
      if (!inForce.some((one) => folded(one.statement) === folded(statement)))
        this.fault(asked, `"${statement}" is not in force`);
  }

  /** Compares what the inbox lists, and after a write what lies in it. */
  checkInbox(items: readonly PendingItem[]): void {
    const memories = this.memories();
    for (const { name, statement, type, target, reason } of items) {
      const text = `${statement} (${type}, ${name}: ${reason})`;
      const isChange = target !== undefined || statement.startsWith("to be forgotten");
      const store = reason.startsWith("others read") ? "project" : "user";
      this.check({ kind: "waits, in the inbox", text, ...(!isChange && { statement, store }) }, memories);
    }
    if (!this.did.endsWith("write")) return;
    const isInForce = (said: string): boolean =>
      memories.some((one) => one.isInForce && one.store === "user" && folded(one.statement) === folded(said));
    for (const { statement, isNew } of proposalsOnDisk(this.#at))
      if (isNew && isInForce(statement)) this.fault(`(in the inbox: ${statement})`, "it is in force");
  }
  fault(sentence: string, why: string): void {
    this.faults.push({ seed: this.#seed, step: this.step, did: this.did, sentence, why });
  }

  memories(): FileMemory[] {
    const memories = memoriesOnDisk(this.#at, this.#today());
    for (const { isInForce, name } of memories) {
      this.#everSeen.add(name);
      if (isInForce) this.#everInForce.add(name);
    }
    return memories;
  }
}

/** Whether it has ended by its own words. */
export const isEnded = ({ expires }: FileMemory, today: string): boolean =>
  expires !== undefined && expires < today;

/** A file's text; empty where there is none. */
export function readIfThere(file: string): string {
  return existsSync(file) ? readFileSync(file, "utf8") : "";
}
