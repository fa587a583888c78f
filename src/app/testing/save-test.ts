import { existsSync } from "node:fs";
import { join } from "node:path";
import { stringify } from "yaml";
import { HeedError } from "../../errors/heed-error.ts";
import type { StoreRef } from "../../memory/memory.ts";
import { writeFileAtomic } from "../../platform/atomic-file.ts";
import type { Explanation } from "../api/session-events.ts";
import { TESTS_FOLDER } from "./read-test-cases.ts";
import type { SavedTest } from "../api/maintenance-reports.ts";
import { explain, dryRun } from "../session/explain.ts";
import type { Place } from "../place/place.ts";
import { MAX_OWN_FILE_BYTES, readRegularFile } from "../../platform/regular-file.ts";

const FILE = "recorded.yaml";
const HEADING =
  "# Recorded by `heed why --save`: what a fresh session was told on these prompts. Edit at will; `heed test` runs it.\n";

/**
 * Records what a prompt or a past receipt was told as a case of `tests/recorded.yaml`: what was injected whole, what was pointed at, or that nothing
 * was. The case goes to the store of the first memory told, else to the user store. Throws `no-store` where there is
 * none to write to, and `invalid-input` for a receipt that is not of a prompt.
 */
export async function saveTest(
  place: Place,
  about: { prompt: string } | { receipt: string },
): Promise<SavedTest> {
  const explanation = await explain(place, about);
  const { receipt } = explanation;
  if (receipt.kind !== "prompt")
    throw new HeedError(
      "invalid-input",
      `only a prompt can be saved as a test; this receipt is of a ${receipt.kind}`,
      {
        argument: "receipt",
        value: receipt.id,
      },
    );
  const store = storeFor(place, receipt.decisions.find(({ form }) => form !== "none")?.store);
  const namesOf = (...forms: string[]): string[] =>
    receipt.decisions.filter(({ form }) => forms.includes(form)).map(({ name }) => name);
  const whole = namesOf("body", "passages");
  const injected = namesOf("pointer");
  const recorded = {
    prompt: "prompt" in about ? about.prompt : receipt.about,
    ...(whole.length > 0 && { whole }),
    ...(injected.length > 0 && { injected }),
    ...(whole.length + injected.length === 0 && { nothing: true }),
  };
  const path = join(store.root, TESTS_FOLDER, FILE);
  const before = existsSync(path)
    ? readRegularFile(path, { maxBytes: MAX_OWN_FILE_BYTES }).replace(/\n*$/, "\n")
    : HEADING;
  const entry = `\n${stringify([recorded], { lineWidth: 0 })}`;
  const isThere = `${before}\n`.includes(`${entry}\n`);
  if (!isThere) writeFileAtomic(path, `${before}${entry}`);
  return {
    store,
    path,
    case: {
      name: recorded.prompt,
      prompt: recorded.prompt,
      injected,
      whole,
      not: [],
      isNothing: recorded.nothing ?? false,
    },
    notes: [
      ...(isThere ? ["the file has this very case already"] : []),
      ...(await notesOn(place, explanation, recorded.prompt)),
    ],
  };
}

function storeFor(place: Place, kind: string | undefined): StoreRef {
  const writable = place.stores.filter(({ isReadOnly }) => !isReadOnly);
  const store =
    writable.find((candidate) => candidate.kind === kind) ??
    writable.find((candidate) => candidate.kind === "user") ??
    writable[0];
  if (store === undefined)
    throw new HeedError("no-store", "there is no store to save the test in: `heed init` makes one", {
      store: kind,
    });
  return store;
}

/** A receipt keeps the beginning of a prompt, and what was shown before is not told again: then the test will differ. */
async function notesOn(place: Place, explanation: Explanation, prompt: string): Promise<string[]> {
  if (explanation.isDryRun) return [];
  const now = await dryRun(place, prompt);
  const injectedIn = ({ receipt }: Explanation): string =>
    receipt.decisions
      .filter(({ form }) => form !== "none")
      .map(({ name, form }) => `${name}:${form}`)
      .sort()
      .join(" ");
  if (injectedIn(now) === injectedIn(explanation)) return [];
  return [
    "a fresh session is told something else on this prompt today: receipts keep the first 200 characters, and what a " +
      "session knows already is not told again. Look at the case before you rely on it.",
  ];
}
