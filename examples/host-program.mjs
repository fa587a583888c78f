// What a program that runs an agent does with heed: it reports the events of a session, and gives the model what comes back.
import { openHeed } from "heed";
import { temporaryHome } from "./temporary-home.mjs";

const options = temporaryHome();
const heed = openHeed(options);
await heed.setup.init("user");
const rule = "deploy with make deploy, never with kubectl";
const body = `${rule}\n**Why:** a deploy by hand skipped the migrations.\n**How to apply:** run make deploy.`;
await heed.memories.write({ type: "feedback", name: "deploy", statement: rule, body }, { kind: "person" });
const board = "request latency board for oncall";
await heed.memories.write(
  { type: "reference", name: "latency-board", statement: board, body: `${board}: https://lat.example.com` },
  { kind: "person" },
);
await heed.guards.add("deploy", { guard: { command: "kubectl apply", action: "deny" } }, { kind: "person" });

// How long an event may hold up the agent; 1,000 when nothing is said.
const deadlineMs = 5_000;
const session = { session: "s-1", cwd: options.cwd, client: "my-agent" };
/** @param {string} about @param {import("heed").SessionEvent} event */
const tell = async (about, event) => {
  const { context, decision } = await heed.session.answer(event, { deadlineMs });
  const lines = context?.split("\n").filter((line) => /heed:(?:deploy|latency-board)/.test(line)) ?? [];
  console.log(`${about}: ${decision?.action ?? (lines.join(" ").trim() || "nothing")}`);
};

// The rule enters every fresh context, of a fact its line; the rest waits for a prompt that it is relevant to.
await tell("start", { ...session, kind: "session-start", source: "startup" });
await tell("prompt", { ...session, kind: "prompt", prompt: "where is the latency board for oncall?" });
await tell("other prompt", { ...session, kind: "prompt", prompt: "rename x to total" });
const input = { command: "kubectl apply -f prod.yaml" };
await tell("tool", { ...session, kind: "tool-use", tool: "Bash", input });

const receipts = await heed.session.receipts();
console.log(`receipts: ${receipts.map(({ kind }) => kind).join(", ")}`);
await heed.close();
