import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { findPlaces } from "../../../src/machine/places.ts";
import { stateOfStore } from "../../../src/store/config/store-config.ts";
import { memoryFile, rule, TemporaryHeed } from "../../home/temporary-heed.ts";

const place = TemporaryHeed.forEachTest();

const guarding = (command: string): string =>
  memoryFile(rule("no-push", `never ${command} by hand`, [`guard: { command: ${command}, action: deny }`]));

/** What the server that has been open all the time says of a command. */
const actionOn = async (command: string): Promise<string | undefined> =>
  (await place.shell(command)).decision?.action;

test("what is approved in another process counts at the next call, and what is revoked too", async () => {
  place.write(".heed/config.yaml", "store: 01JD3Z8Q6T0V9W4X5Y6Z7A8B9C\n");
  place.write(".heed/feedback/no-push.md", guarding("git push"));
  await place.open().setup.trust();
  await place.start();
  expect(await actionOn("git push")).toBe("deny");

  // No memory changes here, only what is approved.
  const { folder } = stateOfStore(findPlaces(place.env), join(place.project, ".heed"));
  rmSync(join(folder, "approved"), { recursive: true });
  expect(await actionOn("git push")).toBeUndefined();
  await place.open().setup.trust();
  expect(await actionOn("git push")).toBe("deny");

  // The edit of somebody else waits; asking twice leaves nothing in force that was not before.
  place.write(".heed/feedback/no-push.md", guarding("git fetch"));
  for (const _ of [1, 2]) {
    expect(await actionOn("git fetch")).toBeUndefined();
    expect(await actionOn("git push")).toBe("deny");
  }

  await place.open().setup.trust();
  expect(await actionOn("git fetch")).toBe("deny");
  expect(await actionOn("git push")).toBeUndefined();
});

test("a rule that waits for a review is asked about once, whatever a model wants of it", async () => {
  place.write(".heed/config.yaml", "store: 01JD3Z8Q6T0V9W4X5Y6Z7A8B9C\n");
  place.write(".heed/feedback/no-push.md", guarding("git push"));
  await place.start();
  const model = { kind: "model", client: "claude-code", session: "s1" } as const;
  await expect(place.heed.memories.remove("no-push", "in the way", model)).rejects.toThrow("approval");
  expect((await place.heed.consent.questions()).map(({ kind }) => kind)).toEqual(["trust"]);
  await place.heed.setup.trust();
  expect((await place.heed.consent.questions()).map(({ kind }) => kind)).toEqual(["remove"]);
});
