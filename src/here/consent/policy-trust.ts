import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, isAbsolute, join, relative } from "node:path";
import type { Place } from "../place.ts";
import { writeFileAtomic } from "../../machine/atomic-file.ts";
import { filesOf, type Git, readBlobs } from "../../machine/blobs.ts";
import { homeOf, TRUST_FILE } from "../../machine/places.ts";
import {
  isBelow,
  MAX_OWN_FILE_BYTES,
  readOrEmpty,
  realPathOf,
  statIfThere,
  whyNotWritable,
} from "../../machine/regular-file.ts";
import { isSameRepository, type Repository } from "../../machine/repository-identity.ts";
import { findGitDirectory } from "../../machine/git-directory.ts";
import { type GitOptions, runGit } from "../../machine/run-git.ts";
import { takesForce } from "../../memory/memory-type.ts";
import { type Grant, type Policy, readPolicy } from "../../store/config/policy.ts";
import { CONFIG_FILE, keptSettings, stateOfStore } from "../../store/config/store-config.ts";
import { type ApprovedText, grantedFolder, grantTexts } from "../../store/consent.ts";
import { saidIn } from "./trust-entries.ts";

/** Whether the policy approves the repository's store, and why not. `isApplied`: what it approves is put into force. */
export async function trustByPolicy(
  place: Place,
  isApplied: boolean,
  timeoutMs = 5_000,
): Promise<{ approved?: string; problems: string[] }> {
  const endsAt = performance.now() + timeoutMs;
  const { repository } = place;
  const root = place.stores.find(({ kind }) => kind === "project")?.root;
  if (root === undefined) return { problems: [] };
  const { policy } = place.found;
  const named = place.env[TRUST_FILE];
  const files = [...(policy.trust.length > 0 ? [policy] : []), ...(named ? [readPolicy(named)] : [])];
  const problems: string[] = [];
  const grants = files
    .flatMap((file) => {
      const why = whyNotAdministrators(file, place, file === policy);
      if (why !== undefined) problems.push(`${file.file} ${why}: its trust does not count`);
      return why === undefined ? file.trust : [];
    })
    // A name that it only claims will do: what it holds decides.
    .filter(
      ({ repository: name }) =>
        repository &&
        isSameRepository(name, { aliases: [...repository.aliases, ...(repository.claims ?? [])] }),
    );
  const note = (error: Error): undefined =>
    void problems.push(`the policy does not approve ${root} as it is: ${error.message}`);
  const about = repository && grants.length > 0 && { ...repository, store: root, endsAt };
  const texts = about ? await grantedTexts(grants, place, about).catch(note) : undefined;
  try {
    if (isApplied) grant(place, root, texts);
  } catch (error) {
    note(error as Error);
  }
  return { ...(texts && { approved: root }), problems };
}

/** A file that this account can write, or where a model works, says nothing. Root can write any. */
function whyNotAdministrators(
  { file, fault, isThere }: Policy,
  { workRoot, env, places }: Place,
  isPolicy: boolean,
): string | undefined {
  const real = realPathOf(file);
  // A link may not lie there either: who moves it chooses the file.
  const named = [real, join(realPathOf(dirname(file)), basename(file))];
  const isIn = (folder: string): boolean => named.some((path) => isBelow(path, realPathOf(folder)));
  if (!isPolicy && !isAbsolute(file)) return "is no absolute path";
  if (!isPolicy && (isIn(workRoot) || named.some((path) => isOfWorkTree(path, places.policy))))
    return "is in a work tree";
  if (!isPolicy && isIn(homeOf(env))) return "is in the home folder";
  if (!isThere) return "is not there";
  const uid = process.getuid?.() ?? 0;
  const paths = [real, dirname(real)];
  // By its group or a list of who may, too.
  const isWritable = paths.some(
    (path) => statIfThere(path)?.uid === uid || whyNotWritable(path) === undefined,
  );
  if (uid !== 0 && isWritable) return "can be written by this account";
  const isOpen = paths.some((path) => ((statIfThere(path)?.mode ?? 0) & 0o002) !== 0);
  if (isOpen && process.platform !== "win32") return "can be written by every account";
  return isPolicy ? undefined : fault;
}

/** One that holds the policy too, such as an /etc under git, is the administrator's. */
function isOfWorkTree(file: string, policy: string): boolean {
  const found = findGitDirectory(dirname(file));
  return found !== undefined && !isBelow(realPathOf(policy), realPathOf(found.root));
}

/** Texts by path, read in an empty repository: no setting or reference of the other counts. @throws Error. */
async function grantedTexts(
  grants: readonly Grant[],
  { places, env }: Place,
  { root: top, gitDir, head = "", store, endsAt }: Repository & { store: string; endsAt: number },
): Promise<Map<string, string>> {
  const [trees, keys] = [grants.flatMap((grant) => grant.trees), grants.flatMap((grant) => grant.keys)];
  const folder = relative(top, realPathOf(store)).replaceAll("\\", "/");
  mkdirSync(join(places.state, "signatures"), { recursive: true, mode: 0o700 });
  const cwd = mkdtempSync(join(places.state, "signatures", "trust-"));
  const [gnupg, signers] = [join(cwd, "gnupg"), join(cwd, "signers")];
  const timeLeft = (): number => Math.max(1, Math.round(endsAt - performance.now()));
  const gitAt =
    (how: GitOptions): Git =>
    (args, options) =>
      runGit(args, { ...how, timeoutMs: timeLeft(), ...options });
  const theirs = gitAt({ cwd: gitDir, gitDir, env });
  const own = gitAt({
    cwd,
    gitDir: join(cwd, ".git"),
    env: { ...env, GNUPGHOME: gnupg },
    configuration: "",
  });
  const bring = async (...what: string[]): Promise<void> => {
    const { stdout } = await theirs(["rev-list", "--objects", ...what]);
    const { bytes: input } = await theirs(["pack-objects", "-q", "--stdout"], {
      input: stdout.replace(/ .*/g, ""),
    });
    await own(["unpack-objects", "-q"], { input });
  };
  const textsOf = async (tree: string): Promise<Map<string, string>> => {
    const entries = [...(await filesOf(own, ["-r", tree])).values()];
    const files = entries.filter(({ mode }) => mode.startsWith("100"));
    const blobs = files.map(({ blob }) => blob);
    const texts = await readBlobs(own, blobs);
    return new Map(files.map(({ file, blob }) => [file, texts.get(blob) ?? ""]));
  };
  const treeIn = async (commit: string): Promise<string | undefined> =>
    (await own(["ls-tree", commit, "--", folder])).stdout.split(/\s/)[2];
  try {
    await runGit(["init", "-q", "--template=", `--object-format=${head.length === 64 ? "sha256" : "sha1"}`], {
      cwd,
      env,
    });
    for (const tree of trees) {
      const isThere = await bring(tree)
        .then(() => true)
        .catch(() => false);
      if (isThere) return await textsOf(tree);
    }
    if (keys.length === 0) throw new Error(`the repository does not have the tree ${trees.join(" or ")}`);
    const commit = (await theirs(["rev-list", "-1", "HEAD", "--", folder])).stdout.trim();
    if (commit === "") throw new Error("it is not committed here");
    await bring("--no-walk", `--filter=tree:${folder.split("/").length}`, commit, `${commit}^@`);
    await bring("--no-walk", commit, "--", folder);
    const tree = await treeIn(commit);
    const [header = ""] = (await own(["cat-file", "commit", commit])).stdout.split("\n\n", 1);
    for (const parent of header.match(/(?<=^parent ).+$/gm) ?? [])
      if ((await treeIn(parent).catch(() => tree)) === tree)
        throw new Error(
          `commit ${commit} is not shown to have changed it: fetch the whole history, or pin a tree`,
        );
    const pgp = keys.filter((key) => key.startsWith("-----"));
    const ssh = keys.filter((key) => !pgp.includes(key)).map((key) => `* namespaces="git" ${key}\n`);
    writeFileSync(signers, ssh.join(""));
    mkdirSync(gnupg, { mode: 0o700 });
    const words = ["--homedir", gnupg, "--batch", "--quiet", "--no-autostart", "--import"];
    for (const input of pgp)
      spawnSync("gpg", words, { cwd, input, timeout: timeLeft(), killSignal: "SIGKILL" });
    const config = [`gpg.ssh.allowedSignersFile=${signers}`, "gpg.x509.program=false"];
    await own([...config.flatMap((one) => ["-c", one]), "verify-commit", commit]).catch((cause: unknown) => {
      throw new Error(`commit ${commit} is not signed with a key of the policy`, { cause });
    });
    return await textsOf(tree ?? "");
  } finally {
    rmSync(cwd, { recursive: true, force: true });
  }
}

/** Puts these texts into force, and of earlier ones none any more. */
function grant(place: Place, root: string, texts: ReadonlyMap<string, string> | undefined): void {
  const { places } = place;
  const state = stateOfStore(places, root);
  const folder = grantedFolder(state);
  if (!texts) rmSync(folder, { recursive: true, force: true });
  else mkdirSync(folder, { recursive: true, mode: 0o700 });
  place.lookAgain();
  if (!texts) return;
  // Settings that differ from these are a change, as those of any trusted store.
  const file = join(root, CONFIG_FILE);
  const config = texts.get(CONFIG_FILE) ?? (existsSync(file) ? "{}" : undefined);
  if (config === undefined) rmSync(keptSettings(file, places), { force: true });
  else writeFileAtomic(keptSettings(file, places), `${config.trimEnd()}\n`, { mode: 0o600 });
  const [store] = place.stores.filter((one) => one.root === root);
  const granted = [...texts].flatMap(([path, text]): ApprovedText[] => {
    const said = store && saidIn(store, place.types, path, asCheckedOut(join(root, path), text));
    if (!said || !takesForce(said.metadata, place.types)) return [];
    const { id, name, contentHash: hash } = said.metadata;
    return [{ id, name, file: path, hash, text: said.text }];
  });
  grantTexts(state, granted);
}

/** As it is there, where git wrote the ends of its lines in another way. */
function asCheckedOut(path: string, text: string): string {
  const there = readOrEmpty(path, { maxBytes: MAX_OWN_FILE_BYTES });
  const [one, other] = [there, text].map((each) => each.replaceAll("\r\n", "\n"));
  return one === other ? there : text;
}
