import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";

/** Hooks that git runs by itself on this side (githooks(5)). */
const HOOKS = (
  "applypatch-msg commit-msg fsmonitor-watchman post-checkout post-commit post-index-change " +
  "post-merge post-rewrite pre-auto-gc pre-commit pre-merge-commit pre-push pre-rebase " +
  "prepare-commit-msg push-to-checkout reference-transaction sendemail-validate update"
).split(" ");

/** Keys of a configuration whose value is a program (git-config(1)), each with what makes git look at it. */
const PROGRAMS = (
  "core.fsmonitor core.pager core.editor core.sshCommand core.gitProxy core.askPass " +
  "core.alternateRefsCommand pager.log pager.diff pager.status pager.config sequence.editor " +
  "interactive.diffFilter diff.external diff.evil.command diff.evil.textconv filter.evil.clean " +
  "filter.evil.smudge filter.evil.process filter.od=d.clean merge.evil.driver gpg.program " +
  "gpg.openpgp.program gpg.x509.program gpg.ssh.program gpg.ssh.defaultKeyCommand " +
  "gc.recentObjectsHook uploadpack.packObjectsHook trailer.Heed-Change.command trailer.evil.cmd " +
  "credential.helper credential.https://example.org.helper remote.origin.uploadpack " +
  "remote.origin.receivepack alias.status alias.log alias.diff alias.config alias.fast-import " +
  "browser.evil.cmd difftool.evil.cmd mergetool.evil.cmd"
).split(" ");

/** Settings that make git want the programs above. */
const SWITCHES: readonly [string, string][] = [
  ["commit.gpgSign", "true"],
  ["tag.gpgSign", "true"],
  ["push.gpgSign", "if-asked"],
  ["log.showSignature", "true"],
  ["filter.evil.required", "true"],
  ["diff.submodule", "log"],
  ["diff.ignoreSubmodules", "none"],
  ["status.submoduleSummary", "true"],
  ["submodule.recurse", "true"],
  ["submodule.sub.ignore", "none"],
  ["submodule.sub.active", "true"],
  ["core.untrackedCache", "true"],
  ["core.fsmonitorHookVersion", "2"],
  ["protocol.allow", "always"],
  ["protocol.ext.allow", "always"],
  ["protocol.file.allow", "always"],
  ["gc.auto", "1"],
  ["gc.autoDetach", "false"],
  ["maintenance.auto", "true"],
];

/** What makes git give up before it comes to the rest. */
const BLOCKING: ReadonlySet<string> = new Set(
  (
    "commit.gpgSign filter.evil.process filter.evil.required filter.od=d.clean core.sshCommand " +
    "core.gitProxy core.askPass core.alternateRefsCommand credential.helper " +
    "credential.https://example.org.helper remote.origin.uploadpack remote.origin.receivepack"
  ).split(" "),
);

/** A directory of canaries: each program that a hostile setting names leaves a file there when it is run. */
export class Canaries {
  readonly #folder: string;
  readonly #programs: string;

  constructor(folder: string) {
    this.#folder = join(folder, "canaries");
    this.#programs = join(folder, "programs");
    mkdirSync(this.#folder, { recursive: true });
    mkdirSync(this.#programs, { recursive: true });
  }

  /** A program that leaves its name and otherwise passes its input on, so that git gets what it waits for. */
  program(name: string): string {
    const slug = name.replace(/[^\w.-]+/g, "_");
    const file = join(this.#programs, slug);
    const input = /filter\.|textconv/.test(name)
      ? 'cat ${1:+"$1"}'
      : name.includes("hook.")
        ? "exit 0"
        : "exit 1";
    if (!existsSync(file))
      writeFileSync(file, `#!/bin/sh\n: > '${join(this.#folder, slug)}'\n${input}\n`, { mode: 0o755 });
    return file;
  }

  /** What was run so far. */
  run(): string[] {
    return readdirSync(this.#folder).sort();
  }

  clear(): void {
    for (const name of this.run()) rmSync(join(this.#folder, name));
  }
}

function git(cwd: string, ...args: string[]): string {
  const env = { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" };
  return execFileSync("git", args, { cwd, env, encoding: "utf8", stdio: "pipe" });
}

/**
 * Puts every setting by which a repository can have git run a program into the one at `root`: its configuration (half of
 * it in an included file), its hooks, its attributes, a submodule as bad as itself, and an object that is missing and
 * that git would fetch by a program.
 *
 * @param isPassable leaves out what makes git give up early, so that it comes to what would be run later.
 */
export function makeHostile(
  root: string,
  canaries: Canaries,
  { prefix, isPassable }: { prefix: string; isPassable: boolean },
): void {
  const gitDir = join(root, ".git");
  const nameOf = (key: string): string => `${prefix}.${key}`;
  git(root, "config", "user.name", "Eve");
  git(root, "config", "user.email", "eve@example.org");
  writeFileSync(join(root, "binary.dat"), "some text\n");
  writeFileSync(join(root, "lost.txt"), "an object that goes away\n");
  git(root, "add", "-A");
  git(root, "commit", "-qm", "what is there");
  addSubmodule(root, canaries, prefix);

  const included = join(gitDir, "included");
  for (const [i, key] of PROGRAMS.entries()) {
    if (isPassable && BLOCKING.has(key)) continue;
    const command = canaries.program(nameOf(key));
    const value = key.startsWith("alias.") || key.endsWith(".helper") ? `!${command}` : command;
    git(root, "config", "--file", i % 2 === 0 ? join(gitDir, "config") : included, "--add", key, value);
  }
  for (const [key, value] of SWITCHES.filter(([key]) => !isPassable || !BLOCKING.has(key)))
    git(root, "config", key, value);
  git(root, "config", "include.path", "included");
  git(root, "config", "includeIf.gitdir:/**.path", "included");
  git(root, "config", "core.hooksPath", join(gitDir, "evil-hooks"));
  git(root, "config", "core.attributesFile", join(gitDir, "evil-attributes"));
  if (!isPassable) makePartial(root, gitDir, canaries.program(nameOf("ext")));
  const attributes = "* filter=evil diff=evil merge=evil ident\n*.dat filter=od=d\n";
  for (const file of [join(gitDir, "evil-attributes"), join(root, ".gitattributes")])
    writeFileSync(file, attributes);
  mkdirSync(join(gitDir, "info"), { recursive: true });
  writeFileSync(join(gitDir, "info", "attributes"), attributes);
  for (const folder of ["hooks", "evil-hooks"]) {
    mkdirSync(join(gitDir, folder), { recursive: true });
    for (const hook of HOOKS) {
      const program = canaries.program(nameOf(`hook.${hook}`));
      writeFileSync(join(gitDir, folder, hook), `#!/bin/sh\nexec '${program}'\n`, { mode: 0o755 });
    }
  }
  makeDirty(root);
}

/** An object is missing, and the configuration says by which program it is to be fetched. */
function makePartial(root: string, gitDir: string, program: string): void {
  const fetching = `ext::${program}`;
  const lost = git(root, "-c", "core.fsmonitor=false", "rev-parse", "HEAD:lost.txt").trim();
  git(root, "config", "extensions.partialClone", "promise");
  git(root, "config", "core.repositoryFormatVersion", "1");
  git(root, "config", "remote.promise.url", fetching);
  git(root, "config", "remote.promise.promisor", "true");
  git(root, "config", "remote.promise.vcs", "ext");
  git(root, "config", `url.${fetching}.insteadOf`, "https://example.org/");
  rmSync(join(gitDir, "objects", lost.slice(0, 2), lost.slice(2)), { force: true });
}

/** A submodule with a configuration of its own, which git enters to see whether it is dirty. */
function addSubmodule(root: string, canaries: Canaries, prefix: string): void {
  const sub = join(root, "sub");
  mkdirSync(sub);
  git(sub, "init", "-q");
  writeFileSync(join(sub, "inside.txt"), "inside\n");
  git(sub, "add", "-A");
  git(sub, "-c", "user.name=E", "-c", "user.email=e@e", "commit", "-qm", "inside");
  writeFileSync(
    join(root, ".gitmodules"),
    '[submodule "sub"]\n\tpath = sub\n\turl = ./sub\n\tignore = none\n',
  );
  git(root, "add", "-A");
  git(root, "commit", "-qm", "a submodule");
  git(sub, "config", "core.fsmonitor", canaries.program(`${prefix}.sub.core.fsmonitor`));
  git(sub, "config", "filter.evil.clean", canaries.program(`${prefix}.sub.filter.evil.clean`));
  writeFileSync(join(sub, ".git", "info", "attributes"), "* filter=evil\n");
  const later = new Date(Date.now() + 5_000);
  utimesSync(join(sub, "inside.txt"), later, later);
}

/** Every tracked file looks changed, so that git compares the texts and asks the filters. */
export function makeDirty(root: string): void {
  const later = new Date(Date.now() + 10_000);
  for (const file of git(root, "-c", "core.fsmonitor=false", "ls-files", "-z").split("\0")) {
    const path = join(root, file);
    if (file !== "" && file !== "sub" && existsSync(path)) utimesSync(path, later, later);
  }
  const dirty = join(root, "binary.dat");
  if (existsSync(dirty) && readFileSync(dirty, "utf8").length < 1_000) appendFileSync(dirty, "more\n");
}
