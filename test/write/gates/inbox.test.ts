import { codeOf } from "../../../src/memory/formula.ts";
import { codeOfItem, type Inbox, inboxOf, type Proposal } from "../../../src/here/consent/inbox.ts";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import type { Memory } from "../../../src/memory/memory.ts";
import { TypeTable } from "../../../src/memory/memory-type.ts";
import { findPlaces } from "../../../src/machine/places.ts";
import { aMemory } from "../../store/a-memory.ts";
import { temporaryFolder } from "../../store/temporary-store.ts";

let root: string;
let inbox: Inbox;

beforeEach(() => {
  root = temporaryFolder();
  inbox = inboxOf({
    places: findPlaces({ HOME: root, HEED_STATE_DIR: root }),
    types: new TypeTable(),
  });
});

function memoryOf(changes: Partial<Memory> = {}): Memory {
  return aMemory({
    name: "prefers-vim",
    statement: "the user prefers vim: really",
    type: "user",
    tags: ["editor"],
    source: "inferred",
    status: "provisional",
    origin: { session: "s1", actor: "model" },
    body: "Uses vim.\n\n- everywhere",
    ...changes,
  });
}

const PROPOSAL: Proposal = {
  at: "2026-03-02T10:00:00.123Z",
  reason: "it is a statement about the user",
  by: { kind: "model", client: "claude-code", session: "s1" },
  store: "user",
  target: { id: "01JD3Z8Q6T0V9W4X5Y6Z7A8B9D", name: "editor", hash: "0123456789abcdef" },
  asks: "removal",
};

describe("the inbox", () => {
  it("holds the later of two proposals of one memory, and both of two", () => {
    const { target: _target, ...untargeted } = PROPOSAL;
    inbox.put(memoryOf(), untargeted);
    inbox.put(memoryOf({ id: "02", body: "Uses vim daily." }), untargeted);
    expect(inbox.list().map(({ memory }) => memory.body)).toEqual(["Uses vim daily."]);
    expect(inbox.put(memoryOf({ id: "03", statement: "another matter" }), untargeted)).toBe("prefers-vim-2");
    expect(inbox.list()).toHaveLength(2);
    inbox.take("prefers-vim", "0123456789abcdef");
    expect(inbox.list().map(({ memory }) => memory.name)).toEqual(["prefers-vim-2"]);
  });

  it("leaves out what is no proposal, and takes no time for a time in the future", () => {
    inbox.put(memoryOf(), PROPOSAL);
    const folder = join(root, "inbox");
    writeFileSync(join(folder, "broken.md"), "---\nname: [\n---\nx");
    writeFileSync(join(folder, "plain.md"), "---\nname: plain\nmetadata:\n  type: user\n---\nx");
    writeFileSync(
      join(folder, "timeless.md"),
      "---\nname: timeless\nmetadata:\n  type: user\n  proposal: {}\n---\nx",
    );
    expect(
      inbox.list().map(({ memory, proposal }) => [memory.name, proposal.at.slice(0, 4), proposal.by.kind]),
    ).toEqual([
      ["prefers-vim", "2026", "model"],
      ["timeless", "9999", "import"],
    ]);
  });

  it("is not left by a name", () => {
    const name = inbox.put(memoryOf({ name: "../../evil" }), PROPOSAL);
    expect(readdirSync(root)).toEqual(["inbox"]);
    expect(inbox.get(name) ?? inbox.list()[0]).toMatchObject({ memory: { body: memoryOf().body } });
  });

  it("leaves a file alone that it cannot read: it may be what another version of heed wrote", () => {
    inbox.put(
      memoryOf({ id: "01JD3Z8Q6T0V9W4X5Y6Z7A8B9E", name: "other", statement: "another one" }),
      PROPOSAL,
    );
    const file = inbox.fileOf("prefers-vim");
    writeFileSync(file, "no memory at all");
    expect(inbox.put(memoryOf(), { ...PROPOSAL, target: undefined })).toBe("prefers-vim-2");
    expect(readFileSync(file, "utf8")).toBe("no memory at all");
  });
});

const ITEM = {
  memory: aMemory({ name: "squash", statement: "squash before merging" }),
  proposal: { ...PROPOSAL, asks: "memory" as const },
};
const { memory, proposal } = ITEM;

it("a code is five signs that nobody takes for each other", () => {
  for (let i = 0; i < 200; i++) expect(codeOf(String(i))).toMatch(/^[a-hjkmnp-z2-9]{5}$/);
  expect(codeOfItem(ITEM)).toBe(codeOfItem(structuredClone(ITEM)));
  const salted = { ...ITEM, proposal: { ...ITEM.proposal, salt: "s1" } };
  expect(codeOfItem(salted)).not.toBe(codeOfItem(ITEM));
});

it.each([
  ["statement", { memory: { ...memory, statement: "squash after merging" } }],
  ["text", { memory: { ...memory, body: "and push" } }],
  ["guard", { memory: { ...memory, guard: { command: "git push" } } }],
  ["link", { memory: { ...memory, links: [{ rel: "supersedes" as const, to: "lint" }] } }],
  ["store", { proposal: { ...proposal, store: "S2" } }],
  ["target", { proposal: { ...proposal, target: { id: "M1", name: "m", hash: "h2" } } }],
  ["meaning", { proposal: { ...proposal, asks: "removal" as const } }],
])("another %s has another code", (_what, change) => {
  expect(codeOfItem({ ...ITEM, ...change })).not.toBe(codeOfItem(ITEM));
});
