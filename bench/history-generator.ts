import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Fact } from "./freshness-facts.ts";
import { git } from "./git-objects.ts";
import type { GeneratedFile } from "./generated-source.ts";
import { sourceOf, TEMPLATES } from "./generated-source.ts";
import type { SeededRandom } from "./seeded-random.ts";

const START = Date.UTC(2026, 0, 1);
const DAY_MS = 86_400_000;
const FILES = 40;

/**
 * A repository whose history is made up, so that what is true at each moment is known from how it was made: renames of
 * files and folders, deletions, reverts, squashed branches, changed values, renamed, moved and commented-out functions,
 * and edits that change nothing, in thirteen languages.
 */
export class GeneratedHistory {
  readonly root: string;
  readonly #random: SeededRandom;
  /** Files by a number that stays theirs whatever they are called. */
  #files = new Map<number, GeneratedFile>();
  #count = 0;
  #day = 0;

  constructor(random: SeededRandom) {
    this.#random = random;
    this.root = realpathSync(mkdtempSync(join(tmpdir(), "heed-history-")));
    git(this.root, ["init", "-q", "-b", "main"]);
    const languages = Object.keys(TEMPLATES);
    for (let i = 0; i < FILES; i++) this.#addFile(languages[i % languages.length] ?? "ts");
    this.#commit("begin");
  }

  fact(): Fact {
    const [, file] = this.#random.pick([...this.#files]) ?? [];
    if (!file) throw new Error("no file is left");
    const name = this.#random.pick([...file.functions.keys()]);
    const constant = this.#random.pick([...file.constants]);
    const kind = this.#random.below(3);
    if (kind === 0 && name !== undefined) return { kind: "symbol", path: file.path, name };
    if (kind === 1 && constant)
      return { kind: "value", path: file.path, name: constant[0], value: String(constant[1]) };
    return { kind: "path", path: file.path };
  }

  isTrue(fact: Fact): boolean {
    if (!("path" in fact)) return false;
    const file = [...this.#files.values()].find(({ path }) => path === fact.path);
    if (!file) return false;
    if (fact.kind === "symbol") return file.functions.has(fact.name);
    if (fact.kind === "value") return String(file.constants.get(fact.name)) === fact.value;
    return true;
  }

  /** The files now, by number, to ask later what became of a path. */
  paths(): Map<string, number> {
    return new Map([...this.#files].map(([id, { path }]) => [path, id]));
  }

  pathOf(id: number): string | undefined {
    return this.#files.get(id)?.path;
  }

  get day(): number {
    return this.#day;
  }

  goOn(commits: number): void {
    for (let i = 0; i < commits; i++) {
      const kind = this.#random.below(10);
      if (kind === 0) this.#revert();
      else if (kind === 1) this.#squash();
      else {
        this.#step();
        this.#commit("work");
      }
    }
  }

  remove(): void {
    rmSync(this.root, { recursive: true, force: true, maxRetries: 3 });
  }

  #step(): void {
    const random = this.#random;
    const [id, file] = random.pick([...this.#files]) ?? [];
    if (!file || id === undefined) return;
    const name = random.pick([...file.functions.keys()]) ?? "";
    const constant = random.pick([...file.constants.keys()]) ?? "";
    switch (random.below(12)) {
      case 0:
        file.path = this.#newPath(file.language);
        break;
      case 1:
        // Moved and edited at once.
        file.path = `${this.#newFolder()}/${file.path.slice(file.path.lastIndexOf("/") + 1)}`;
        file.notes.push(`moved on day ${this.#day}`);
        break;
      case 2:
        this.#moveFolder(file.path.split("/")[0] ?? "");
        break;
      case 3:
        if (this.#files.size > 10) this.#files.delete(id);
        break;
      case 4:
        file.constants.set(constant, (file.constants.get(constant) ?? 0) + 1);
        break;
      case 5:
        replaceKey(file.functions, name, this.#newName());
        break;
      case 6:
        this.#moveFunction(file, name);
        break;
      case 7:
        file.functions.delete(name);
        file.buried.push(name);
        break;
      case 8:
        this.#addFile(file.language);
        break;
      default:
        // What most commits do: nothing that a memory speaks of.
        file.notes.push(`note ${this.#count++}`);
        if (random.below(2) === 0) file.functions.set(this.#newName(), this.#count++);
    }
  }

  #moveFunction(file: GeneratedFile, name: string): void {
    const others = [...this.#files.values()].filter(
      (other) => other !== file && other.language === file.language,
    );
    const target = this.#random.pick(others);
    const body = file.functions.get(name);
    if (!target || body === undefined) return;
    file.functions.delete(name);
    target.functions.set(name, body);
  }

  #moveFolder(folder: string): void {
    const to = this.#newFolder();
    for (const file of this.#files.values())
      if (file.path.startsWith(`${folder}/`)) file.path = `${to}${file.path.slice(folder.length)}`;
  }

  /** A commit, and its revert: everything is as before. */
  #revert(): void {
    const before = structuredClone(this.#files);
    this.#step();
    this.#commit("mistake");
    this.#files = before;
    this.#commit("Revert");
  }

  /** Work on a branch that comes as one commit; the branch is gone afterwards. */
  #squash(): void {
    git(this.root, ["switch", "-q", "-c", "feature"]);
    for (let i = 0; i < 3; i++) {
      this.#step();
      this.#commit("on a branch");
    }
    git(this.root, ["switch", "-q", "main"]);
    this.#commit("squashed");
    git(this.root, ["branch", "-q", "-D", "feature"]);
  }

  #commit(message: string): void {
    git(this.root, ["rm", "-r", "-q", "-f", "--cached", "--ignore-unmatch", "."]);
    git(this.root, ["clean", "-q", "-ffdx"]);
    for (const file of this.#files.values()) {
      const full = join(this.root, file.path);
      mkdirSync(dirname(full), { recursive: true });
      writeFileSync(full, sourceOf(file));
    }
    this.#day += 1 + this.#random.below(3);
    git(this.root, ["add", "-A"]);
    const date = new Date(START + this.#day * DAY_MS).toISOString();
    const identity = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org"];
    git(this.root, [...identity, "commit", "-q", "--allow-empty", "-m", message, `--date=${date}`], {
      GIT_COMMITTER_DATE: date,
    });
  }

  #addFile(language: string): void {
    const functions = new Map<string, number>();
    for (let i = 0; i < 4; i++) functions.set(this.#newName(), this.#count++);
    const constants = new Map([
      [`LIMIT_${this.#count}`, this.#count++],
      [`SIZE_${this.#count}`, this.#count++],
    ]);
    this.#files.set(this.#count++, {
      path: this.#newPath(language),
      language,
      functions,
      buried: [],
      constants,
      notes: [],
    });
  }

  #newName(): string {
    return `work${this.#count++}`;
  }

  #newFolder(): string {
    return `part${this.#count++}`;
  }

  #newPath(language: string): string {
    const folders = [...new Set([...this.#files.values()].map(({ path }) => path.split("/")[0] ?? ""))];
    const folder = folders.length < 5 ? this.#newFolder() : (this.#random.pick(folders) ?? this.#newFolder());
    return `${folder}/file${this.#count++}.${language}`;
  }
}

function replaceKey(map: Map<string, number>, from: string, to: string): void {
  const entries = [...map].map(([key, value]): [string, number] => [key === from ? to : key, value]);
  map.clear();
  for (const [key, value] of entries) map.set(key, value);
}
