// What a model says about the user needs their approval; a model cannot give it.
import { openHeed } from "heed";
import { temporaryHome } from "./temporary-home.mjs";

const heed = openHeed(temporaryHome());
/** @type {import("heed").Actor} */
const model = { kind: "model", client: "my-agent", session: "s-1" };
await heed.setup.init("user");

const claim = {
  type: "user",
  name: "go-expert",
  statement: "the user is a Go expert",
  body: "The user is a Go expert.",
};
const written = await heed.memories.write(claim, model);
console.log(`the model writes: ${written.outcome}`);

for (const { name, reason } of await heed.inbox.list()) console.log(`waits: ${name}, as ${reason}`);

const refused = await heed.inbox.confirm("go-expert", {}, model).catch((error) => error.code);
console.log(`the model confirms: ${refused}`);

const confirmed = await heed.inbox.confirm("go-expert", {}, { kind: "person" });
console.log(`a person confirms: ${confirmed.outcome}`);
console.log(`waiting now: ${(await heed.inbox.list()).length}`);
await heed.close();
