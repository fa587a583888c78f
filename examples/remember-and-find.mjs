// Two memories, and a search that finds the one that is relevant to the question.
import { openHeed } from "heed";
import { temporaryHome } from "./temporary-home.mjs";

const heed = openHeed(temporaryHome());
await heed.setup.init("user");

const memories = [
  {
    type: "reference",
    name: "latency-board",
    statement: "request latency board for oncall: https://grafana.example.com/d/api-lat",
    body: "Request latency by route and region: https://grafana.example.com/d/api-lat",
  },
  {
    type: "project",
    name: "importer-freeze",
    statement: "the invoice importer is frozen until 2031-03-05",
    body: "The auditors review the invoice importer; nobody changes it until 2031-03-05.",
  },
];
for (const draft of memories) {
  const result = await heed.memories.write(draft, { kind: "person" });
  if (result.outcome === "refused") throw new Error(result.refusals[0]?.remedy);
  console.log(result.announcement);
}

const { hits } = await heed.memories.search({ query: "may I change the invoice importer?", limit: 1 });
for (const { metadata, verdict } of hits)
  console.log(`found: ${metadata.name} (${verdict.standing}) ${metadata.statement}`);

const { body } = await heed.memories.show("importer-freeze");
console.log(body);
await heed.close();
