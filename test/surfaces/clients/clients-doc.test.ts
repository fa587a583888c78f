import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { FORMATS } from "../../../src/past/capture/transcript/transcript-reader.ts";
import { CLIENTS } from "../../../src/surfaces/clients/all-clients.ts";
import { carriedTable } from "./carried.ts";
import { ADAPTERS } from "../../../src/surfaces/hooks/adapters/all-adapters.ts";

const ROOT = join(import.meta.dirname, "../../..");
const FILE = join(ROOT, "docs/clients.md");
const BLOCK = /<!-- clients -->\n[\s\S]*?<!-- \/clients -->/;

test("the table of docs/clients.md is what the code says", () => {
  const text = readFileSync(FILE, "utf8");
  const wanted = text.replace(BLOCK, `<!-- clients -->\n${carriedTable()}\n<!-- /clients -->`);
  const isUpdate = process.env["UPDATE_DOCS"] === "1";
  if (isUpdate) writeFileSync(FILE, wanted);
  expect(isUpdate ? wanted : text).toBe(wanted);
});

test("every adapter is a client's that can be connected", () => {
  const names = CLIENTS.map(({ name }) => name);
  expect(ADAPTERS.map(({ client }) => client).filter((client) => !names.includes(client))).toEqual([]);
});

test("the guide has a section for each client", () => {
  const guide = readFileSync(join(ROOT, "docs/guides/clients.md"), "utf8");
  for (const { title } of CLIENTS) expect(guide).toContain(`\n## ${title}\n`);
});

test("heed reads the transcripts of the clients of which it says so", () => {
  const known = new Set(FORMATS.map(({ client }) => client.replace(/-cli$/, "")));
  const said = ADAPTERS.filter(({ keepsTranscripts }) => keepsTranscripts).map(({ client }) => client);
  expect(said.filter((client) => !known.has(client) && !["kilo"].includes(client))).toEqual([]);
});
