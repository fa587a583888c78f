import { statSync } from "node:fs";
import { resolve, sep } from "node:path";
import type { Actor, StoreRef } from "../../memory/memory.ts";
import { HeedError, invalidInput } from "../../machine/heed-error.ts";
import { describeUnknown, formatOf } from "../formats/import-formats.ts";
import { hasMemories } from "../formats/typed-files.ts";
import { newId } from "../../memory/handle.ts";
import { changeStoreRegistry, readUserWords, recordUserWord } from "../../store/consent.ts";
import { PROJECT_FOLDER } from "../../store/find-stores.ts";
import { isBelow, realPathOf, withIoErrors } from "../../machine/regular-file.ts";
import { homeOf } from "../../machine/places.ts";
import { fetchTeam, forgetTeam, teamOf } from "../../here/consent/team-store.ts";
import { requirePerson } from "../../write/write-consent.ts";
import { openSource } from "../exchange/open-source.ts";
import { openCollection } from "../../here/collection.ts";
import { foundStore } from "../../write/make-store.ts";
import type { Place } from "../../here/place.ts";

/** Adds a directory of another tool or a shared store. Rules already there count as confirmed only when a person attaches it. */
export async function attachStore(
  place: Place,
  directory: string,
  options: { repositories?: string[] },
  actor: Actor,
): Promise<StoreRef> {
  const { repositories } = options;
  if (repositories || teamOf(place, directory)) {
    requirePerson(actor, "only a person lets in a shared store", "a person runs heed attach");
    return fetchTeam(place, directory, repositories);
  }
  const root = resolve(place.cwd, directory);
  assertAttachable(place, root);
  await changeStoreRegistry(place.places, (registry) => {
    const known = registry.attached.find((entry) => realPathOf(entry.root) === realPathOf(root));
    const entry = { id: known?.id ?? newId(place.now()), root: known?.root ?? root };
    const others = registry.attached.filter((other) => other !== known);
    return { ...registry, attached: [...others, entry] };
  });
  place.lookAgain();
  const store = foundStore(place, root);
  if (actor.kind === "person") await acceptRules(place, store);
  return store;
}

/** What speaks to a model, or tells of the user, is confirmed one by one all the same. */
async function acceptRules(place: Place, store: StoreRef): Promise<void> {
  const collection = await openCollection(place, { thoroughness: "full" });
  const words = readUserWords(place.places);
  for (const metadata of collection.memories()) {
    const isRule =
      collection.types.get(metadata.type)?.injection === "always" && metadata.flags === undefined;
    if (metadata.storeId === store.id && isRule && !words.has(metadata.contentHash))
      recordUserWord(place.places, metadata, "confirmed", place.now());
  }
}

/** Forgets a shared store (by address or path) or an attached directory (by path or id); its files stay. */
export async function detachStore(place: Place, directory: string): Promise<void> {
  const team = teamOf(place, directory);
  if (team) return forgetTeam(place, team);
  const root = resolve(place.cwd, directory);
  await changeStoreRegistry(place.places, (registry) => {
    const attached = registry.attached.filter(
      (entry) => entry.id !== directory && realPathOf(entry.root) !== realPathOf(root),
    );
    if (attached.length === registry.attached.length) {
      const roots = registry.attached.map((entry) => entry.root);
      const hint = roots.length > 0 ? `attached: ${roots.join(", ")}` : "no directory is attached";
      throw new HeedError("no-store", `${root} is not attached: ${hint}`, {
        store: directory,
        attached: roots,
      });
    }
    return { ...registry, attached };
  });
  place.lookAgain();
}

function assertAttachable(place: Place, root: string): void {
  const { userStore, state, cache } = place.places;
  const real = realPathOf(root);
  const refuse = (reason: string): never => {
    throw invalidInput("directory", root, `${root} cannot be attached: ${reason}`);
  };
  const stats = withIoErrors("open", root, () => statSync(root, { throwIfNoEntry: false }));
  if (!stats) refuse("there is no such directory");
  if (!stats?.isDirectory()) refuse("it is a file; name the directory that contains it");
  if (real.split(sep).includes(".git")) refuse("it is inside of a repository's own records");
  if (real.split(sep).includes(PROJECT_FOLDER)) refuse("it is a project store, which is found by itself");
  if (real === resolve(sep) || real === realPathOf(homeOf(place.env)))
    refuse("everything below it would be read; name the directory of the memories");
  for (const own of [userStore, state, cache].map(realPathOf)) {
    if (isBelow(real, own) || isBelow(own, real)) refuse(`heed keeps its own files in ${own}`);
  }
  const source = openSource(root, homeOf(place.env));
  const format = formatOf(source);
  if (format && format.isAttachable !== true)
    refuse(`it holds ${format.title}, which heed imports: heed import ${root}`);
  // The client writes there later.
  const isClients = /[/\\]\.claude[/\\]projects[/\\][^/\\]+[/\\]memory$/.test(root);
  if (!format && !isClients && !hasMemories(source)) refuse(`it is ${describeUnknown(source)}`);
}
