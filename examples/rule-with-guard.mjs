// A rule, its guard, and two commands tried on it. Nothing is run.
import { openHeed } from "heed";
import { temporaryHome } from "./temporary-home.mjs";

const heed = openHeed(temporaryHome());
await heed.setup.init("user");
await heed.memories.write(
  {
    type: "feedback",
    name: "no-verify",
    statement: "never use --no-verify when a pre-commit hook fails",
    body: [
      "Never use --no-verify when a pre-commit hook fails.",
      "**Why:** a bypassed hook shipped a broken migration.",
      "**How to apply:** fix what the hook complains about.",
    ].join("\n"),
  },
  { kind: "person" },
);

// Only a person puts a guard into force; a model's would wait for one.
const guard = { command: "git commit", flags: ["--no-verify"], say: "fix what the hook complains about" };
await heed.guards.add("no-verify", { guard }, { kind: "person" });

for (const command of ['sh -c "git commit -nm wip"', 'git commit -m "no more --no-verify"']) {
  const { action, reason } = await heed.guards.try({ tool: "Bash", input: { command } });
  console.log(`${action}: ${command}`);
  if (reason) console.log(reason.split("\n")[0]);
}
await heed.close();
