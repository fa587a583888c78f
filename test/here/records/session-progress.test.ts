import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { readProgress, writeProgress, emptySummary } from "../../../src/here/records/session-progress.ts";
import { capturePlaces } from "../../../src/machine/places.ts";
import { findPlaces } from "../../../src/machine/places.ts";
import { temporaryFolder } from "../../store/temporary-store.ts";

const KEPT = {
  session: "s1",
  offsets: { "/t.jsonl": 213 },
  format: "claude-code",
  digest: { ...emptySummary(), lastMessage: "done" },
  episodeAt: "2026-11-22T08:02:02.509Z",
  isDirty: false,
  isInjected: true,
};
const ANEW = { offsets: {}, format: "", digest: emptySummary() };

test.each<[string, object, object]>([
  ["whole: as it was", {}, KEPT],
  ["with a summary of another version: from the beginning", { digest: { ...KEPT.digest, version: 1 } }, ANEW],
  ["with half a summary: from the beginning", { digest: { version: KEPT.digest.version } }, ANEW],
  ["without what was read: anew", { offsets: null }, { ...ANEW, isInjected: false, episodeAt: "" }],
])("a session's progress is read %s", (_, damage, expected) => {
  const state = temporaryFolder();
  const places = findPlaces({ HOME: state, HEED_STATE_DIR: state });
  writeProgress(places, KEPT);
  const file = join(capturePlaces(places).sessions, "s1.json");
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify({ ...KEPT, ...damage }));
  // That a later session was told of it is kept, else it would be told again.
  expect(readProgress(places, "s1")).toEqual({ ...KEPT, ...expected });
});
