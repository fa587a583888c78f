// Every change says what and why, and can be taken back; a removed memory is kept with its reason.
import { HeedError, openHeed } from "heed";
import { temporaryHome } from "./temporary-home.mjs";

const heed = openHeed(temporaryHome());
await heed.setup.init("user");
const live = "the importer goes live on 2031-03-05";
await heed.memories.write(
  { type: "project", name: "launch", statement: live, body: live },
  { kind: "person" },
);
await heed.memories.update(
  "launch",
  { statement: "the importer goes live on 2031-04-02" },
  { kind: "person" },
);
await heed.memories.remove("launch", "the importer was given up", { kind: "person" });

try {
  await heed.memories.show("launch");
} catch (error) {
  if (error instanceof HeedError) console.log(`after the removal: ${error.code}`);
}
await heed.history.undo({}, { kind: "person" });
const { metadata } = await heed.memories.show("launch");
console.log(`after one undo: ${metadata.statement}`);

const changes = await heed.history.list({ handle: "launch" });
for (const { actor, summary } of changes) console.log(`${actor}: ${summary}`);
await heed.close();
