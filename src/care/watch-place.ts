import { join } from "node:path";
import { openCollection } from "../here/collection.ts";
import { Place } from "../here/place.ts";
import { indexDirectory, indexStamp } from "../here/store-index.ts";
import { logTrouble } from "../here/trouble-log.ts";
import { statIfThere } from "../machine/regular-file.ts";

const INTERVAL_MS = 1_000;
/** Looks take at most this share of the time: with slow disks and large stores they are rarer. */
const MAX_SHARE = 0.05;

/** What can change while one looks: memories, the inbox, what was injected, settings and trust. */
export type WatchedPart = "memories" | "inbox" | "injected" | "settings";

type Stamps = Record<WatchedPart, string>;

/** Tells what changed since the last look, until the returned function is called. Looking updates the index. */
export function watchPlace({ workspace }: Place, onChange: (changed: WatchedPart[]) => void): () => void {
  let known: Stamps | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  const look = async (): Promise<void> => {
    const startedAt = performance.now();
    const place = new Place(workspace);
    try {
      const stamps = await stampsOf(place);
      const before = known;
      known = stamps;
      const parts = Object.keys(stamps) as WatchedPart[];
      const changed = before ? parts.filter((part) => stamps[part] !== before[part]) : [];
      if (changed.length > 0 && !isStopped) onChange(changed);
    } catch (error) {
      logTrouble("watch", error, workspace.env);
    } finally {
      place.end();
    }
    if (isStopped) return;
    const elapsedMs = performance.now() - startedAt;
    timer = setTimeout(() => void look(), Math.max(INTERVAL_MS, elapsedMs / MAX_SHARE)).unref();
  };
  void look();
  return () => {
    isStopped = true;
    clearTimeout(timer);
  };
}

async function stampsOf(place: Place): Promise<Stamps> {
  const { places, stores } = place;
  // An editor that writes in place changes no folder.
  await openCollection(place, { thoroughness: "full" });
  const day = place.now().toISOString().slice(0, 10);
  const state = (...path: string[]): string => stampOf(join(places.state, ...path));
  return {
    memories: stores.map((store) => indexStamp(indexDirectory(places, store))).join(),
    inbox: state("inbox"),
    injected: [
      state("receipts", `${day.replaceAll("-", "")}.jsonl`),
      state("use", `${day.slice(0, 7)}.jsonl`),
    ].join(),
    settings: [
      state("stores.json"),
      state("clients"),
      stampOf(join(places.config, "config.yaml")),
      ...stores.map(({ id, root }) => `${id} ${stampOf(join(root, "config.yaml"))}`),
    ].join(),
  };
}

function stampOf(path: string): string {
  const stats = statIfThere(path);
  return stats ? `${stats.mtimeMs}-${stats.size}` : "none";
}
