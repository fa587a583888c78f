import { orderRules, renderRules } from "./inject/render-rules.ts";
import { findPlaces } from "./store/places.ts";
import { findStores } from "./store/find-stores.ts";
import { scanStore } from "./store/scan-store.ts";

export interface OpenOptions {
  /** The directory in which the agent works. */
  cwd: string;
  /** Environment to read directories and switches from; default `process.env`. */
  env?: Readonly<Record<string, string | undefined>>;
}

/** The one façade that every surface calls. */
export interface Heed {
  /** What a fresh context is given: every rule in force. Empty when there is nothing to say. */
  sessionContext(): string;
}

/** Opens heed for a working directory. */
export function openHeed(options: OpenOptions): Heed {
  const places = findPlaces(options.env ?? process.env);
  return {
    sessionContext(): string {
      const { stores, types, mode } = findStores(options.cwd, places);
      if (mode === "off") return "";
      const rules = stores
        .filter((store) => store.isTrusted)
        .flatMap((store) => scanStore(store, types).memories)
        .filter(({ card }) => types.get(card.type)?.injection === "always" && card.status !== "superseded");
      return renderRules(orderRules(rules), 7000);
    },
  };
}
