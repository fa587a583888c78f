import { asRecord } from "../../memory/codec/read-fields.ts";
import type { ChatProtocol } from "./http-model.ts";
import { reportedUsage } from "./model.ts";

/** Chat completions, as OpenAI, Ollama, llama.cpp, vLLM and many more speak them; `url` ends in `/v1` with most. */
export const OPENAI_PROTOCOL: ChatProtocol = {
  path: "/chat/completions",
  headers: (key) => (key === undefined ? {} : { authorization: `Bearer ${key}` }),
  body: ({ system, user }, { model, maxAnswerTokens, url }) => ({
    model,
    stream: false,
    messages: [
      { role: "system", content: system },
      { role: "user", content: user },
    ],
    // OpenAI's newer models know only the newer name and no temperature; other servers often only the older one.
    ...(new URL(url).hostname === "api.openai.com"
      ? { max_completion_tokens: maxAnswerTokens }
      : { max_tokens: maxAnswerTokens, temperature: 0 }),
  }),
  textOf({ choices }) {
    const first: unknown = Array.isArray(choices) ? choices[0] : undefined;
    const { content } = asRecord(asRecord(first)?.["message"]) ?? {};
    return typeof content === "string" ? content : undefined;
  },
  usageOf({ usage }) {
    const counts = asRecord(usage) ?? {};
    return reportedUsage(counts["prompt_tokens"], counts["completion_tokens"]);
  },
};
