import { expect, test } from "vitest";
import { TemporaryHeed } from "../home/temporary-heed.ts";

const place = TemporaryHeed.withUserStore();

const EXPORTER = {
  type: "reference",
  name: "ledger-exporter-format",
  statement: "format of the ledger exporter: one CSV a month",
  body: "Format of the ledger exporter: one CSV a month, semicolons, amounts in cents.\nRounding follows the tax office.",
};

async function formOf(prompt: string, name: string): Promise<string> {
  const { receipt } = await place.heed.session.why({ prompt });
  return receipt.decisions.find((decision) => decision.name === name)?.form ?? "none";
}

const LOG = [
  "2031-03-04T10:00:00Z INFO ledger exporter: format CSV, month 2031-02",
  "2031-03-04T10:00:01Z WARN ledger exporter: CSV has no rows for the month",
].join("\n");

test.each([
  ["asks", "which format has the ledger exporter's CSV of a month?", "body"],
  [
    "asks in a line that ends like code",
    "which format has the ledger exporter's CSV of a month? ${x}\n",
    "body",
  ],
  ["fences", `make the terminal quieter, it prints\n\`\`\`\n${LOG}\n\`\`\``, "none"],
  ["asks, and pastes", `which format has the ledger exporter's CSV of a month? it prints\n${LOG}`, "body"],
])("what a prompt %s decides by the user's own words", async (_how, prompt, form) => {
  place.remember(EXPORTER);
  expect(await formOf(prompt, EXPORTER.name)).toBe(form);
});

test("a symptom may stand in what is pasted", async () => {
  place.remember({
    type: "solution",
    name: "exporter-no-rows",
    statement: "ledger exporter: CSV has no rows for the month",
    body: "Ledger exporter: CSV has no rows for the month. The period is closed; open it with `period open`.",
    metadata: ['trigger: ["has no rows for the month"]'],
  });
  expect(await formOf(`it prints\n${LOG.split("\n")[1]}`, "exporter-no-rows")).toBe("body");
});

test("of what the map holds whole a prompt says nothing again; of what it names, the text", async () => {
  const port = { type: "reference", name: "preview-port", statement: "the preview server listens on 4517" };
  place.remember({ ...port, body: "The preview server listens on 4517." }, EXPORTER);
  await place.start("mapped");
  expect(await place.prompt("on which port does the preview server listen?", "mapped")).not.toContain("4517");
  expect(await place.prompt("on which port does the preview server listen?", "other")).toContain("4517");
  const asked = "which format has the ledger exporter's CSV of a month?";
  expect(await place.prompt(asked, "mapped")).toContain("Rounding follows the tax office.");
});
