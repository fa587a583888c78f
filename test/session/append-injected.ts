// One of several processes that record what a session was told at the same time: arguments are state, name, count.
import { recordSession } from "../../src/here/records/session-state.ts";
import { findPlaces } from "../../src/machine/places.ts";

const [state = "", name = "", count = "0"] = process.argv.slice(2);
const places = findPlaces({ HOME: state, HEED_STATE_DIR: state });
for (let i = 0; i < Number(count); i++) {
  const memories = [{ key: `${name}-${i}`, hash: "h".repeat(500), form: "body" as const, name: "n" }];
  recordSession(places, "s1", [
    { kind: "injected", time: "2026-11-21T12:00:00Z", isBlock: false, chars: 1, memories },
  ]);
}
