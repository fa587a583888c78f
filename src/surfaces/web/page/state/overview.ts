import { effect, signal } from "@preact/signals";
import type { Overview } from "../../../../heed.ts";
import { call } from "./call.ts";
import { versions } from "./live.ts";

/** How many memories there are and wait, the mode, and the repository: what several parts of the page tell. */
export const overview = signal<Overview | undefined>(undefined);

/** Keeps the overview up to date. */
export function keepOverview(): void {
  effect(() => {
    // Read, so that it is asked anew when one of them rises.
    void [versions.memories.value, versions.inbox.value, versions.settings.value];
    call("memories.overview").then(
      (value) => (overview.value = value),
      () => {},
    );
  });
}
