import { join } from "node:path";
import { expect, test } from "vitest";
import { sandboxHome } from "../sandbox-home.ts";
import { McpProcess } from "./mcp-process.ts";

/** An engine of a few lines in the shape of ONNX Runtime: each word that it knows is a direction of its own. */
const ENGINE = `
export class Tensor {
  constructor(type, data, dims) { Object.assign(this, { type, data, dims }); }
}
export const env = { wasm: {} };
export const InferenceSession = {
  create: async () => ({
    inputNames: ["input_ids"],
    outputNames: ["last_hidden_state"],
    run: async ({ input_ids: { data } }) => {
      const rows = new Float32Array(data.length * 8);
      data.forEach((id, at) => { if (Number(id) > 0) rows[at * 8 + Number(id)] = 1; });
      return { last_hidden_state: { data: rows, dims: [1, data.length, 8] } };
    },
  }),
};
`;

/** To this model a car and a vehicle are the same word. */
const TOKENIZER = {
  version: "1.0",
  truncation: null,
  padding: null,
  added_tokens: [],
  normalizer: { type: "Lowercase" },
  pre_tokenizer: { type: "Whitespace" },
  post_processor: null,
  decoder: null,
  model: {
    type: "WordPiece",
    unk_token: "[UNK]",
    continuing_subword_prefix: "##",
    max_input_chars_per_word: 100,
    vocab: { "[UNK]": 0, car: 1, vehicle: 1, automobile: 1, bread: 2, oven: 3 },
  },
};

test("the server of a session ranks searches by a model that the user put, and no prompts", async () => {
  const home = sandboxHome();
  home.write("model/model.onnx", "not read by this engine");
  home.write("model/tokenizer.json", JSON.stringify(TOKENIZER));
  home.write("model/ort.wasm.min.mjs", ENGINE);
  for (const [name, description] of [
    ["rental", "car automobile: https://cars.example.com"],
    ["bakery", "bread oven: https://bread.example.com"],
  ] as const) {
    const head = `---\nname: ${name}\ndescription: "${description}"\nmetadata:\n  type: reference\n---\n`;
    home.write(`store/reference/${name}.md`, `${head}${description}\n`);
  }
  const server = await McpProcess.opened(home, "modern", { HEED_SEMANTIC_DIR: join(home.root, "model") });
  const search = async (query: string): Promise<{ handle: string; score: number; nearness?: number }[]> =>
    (await server.call("memory_search", { query })).structuredContent?.["hits"] as never;
  // The model loads, and the memories get their vectors, while nobody waits.
  await expect.poll(async () => (await search("vehicle")).length, { timeout: 20_000, interval: 100 }).toBe(1);
  // A memory that shares no word is found, one that is far is not.
  const hits = await search("vehicle");
  expect(hits.map(({ handle }) => handle)).toEqual(["heed:rental"]);
  expect(hits[0]).toMatchObject({ score: 0 });
  expect(hits[0]?.nearness).toBeGreaterThan(0.3);
  // A phrase says exactly what is looked for.
  expect(await search('"vehicle"')).toEqual([]);
  const { structuredContent } = await server.call("memory_check", {
    what: "why",
    prompt: "which vehicle do we take there",
  });
  expect(structuredContent?.["decisions"]).toEqual([]);
}, 60_000);
