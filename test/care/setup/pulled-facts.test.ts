import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { TrustEntry } from "../../../src/heed.ts";
import { type HandWritten, rule, TemporaryHeed } from "../../home/temporary-heed.ts";
import { PERSON } from "../../write/write-desk.ts";
import { TheirClone } from "./their-clone.ts";

const place = TemporaryHeed.forEachTest();
const clone = new TheirClone(place);
const { put, commit, pulled } = clone;
const changesIn = ({ entries }: { entries: readonly TrustEntry[] }): string[] =>
  entries.map(({ name, change }) => `${name} ${change}`);

test("facts that a pull brings are in the same review, after the rules; alone they ask nobody", async () => {
  const fact = (name: string, statement: string): HandWritten => ({ type: "project", name, statement });
  const own = { type: "project", store: "project", name: "own", statement: "CI runs on Linux" } as const;
  const review = () => place.heed.setup.reviewTrust();
  const questions = () => place.heed.consent.questions();
  await place.heed.setup.trust();
  pulled(() => put(clone.folder, fact("moves", "logs are in logs/"), fact("goes", "the queue is Redis")));
  expect(changesIn(await review())).toEqual(["goes new", "moves new"]);
  expect(await questions()).toEqual([]);
  await place.heed.setup.trust();
  await place.heed.memories.write(own, PERSON);
  commit(place.project, "what heed wrote here is nobody else's");
  expect(await review()).toMatchObject({ entries: [], says: "" });

  pulled(() => {
    put(clone.folder, fact("moves", "logs are in var/log/"), fact("comes", "deploys run at noon"));
    put(clone.folder, rule("test-first", "run the fast tests before a commit"));
    rmSync(join(clone.folder, ".heed/project/goes.md"));
    put(clone.folder, { ...fact("x", "not a memory"), type: ".removed" });
  });
  const { entries, says, inForce, token } = await review();
  expect(changesIn({ entries })).toEqual([
    "test-first changed",
    "comes new",
    "moves changed",
    "goes removed",
  ]);
  expect([says, inForce, entries.map(({ isFact }) => isFact)]).toEqual([
    "1 rule and 3 facts",
    1,
    [false, true, true, true],
  ]);
  expect(entries[2]?.diff).toContain('+description: "logs are in var/log/"');
  expect((await questions()).map(({ text, until }) => [text, until])).toEqual([
    [
      expect.stringMatching(
        /^Approve 1 rule of this repository on this machine\? changed to "run the fast tests .*\. With 3 facts: "deploys run at noon"; "logs are in var\/log\/"; "the queue is Redis"$/,
      ),
      expect.stringMatching(/^This repository has 1 rule that was changed/),
    ],
  ]);
  await place.heed.setup.trust({ token });
  expect((await review()).entries).toEqual([]);
  place.git("checkout", "-q", "HEAD~1");
  expect((await review()).entries.filter(({ isFact }) => isFact)).toEqual([]);
});
