import { asRecord } from "../../memory/codec/read-fields.ts";
import type { ChatProtocol } from "./http-model.ts";
import { reportedUsage } from "./model.ts";

/** The Messages API; `url` is its base, as ANTHROPIC_BASE_URL names it. */
export const ANTHROPIC_PROTOCOL: ChatProtocol = {
  path: "/v1/messages",
  headers: (key) => ({
    "anthropic-version": "2023-06-01",
    ...(key !== undefined && { "x-api-key": key }),
  }),
  body: ({ system, user }, { model, maxAnswerTokens }) => ({
    model,
    max_tokens: maxAnswerTokens,
    system,
    messages: [{ role: "user", content: user }],
  }),
  textOf({ content }) {
    if (!Array.isArray(content)) return undefined;
    const texts = content.flatMap((block: unknown) => {
      const { type, text } = asRecord(block) ?? {};
      return type === "text" && typeof text === "string" ? [text] : [];
    });
    return texts.join("");
  },
  usageOf({ usage }) {
    const counts = asRecord(usage) ?? {};
    const cached = [counts["cache_creation_input_tokens"], counts["cache_read_input_tokens"]]
      .map((count) => (typeof count === "number" ? count : 0))
      .reduce((sum, count) => sum + count, 0);
    const input = counts["input_tokens"];
    return reportedUsage(typeof input === "number" ? input + cached : input, counts["output_tokens"]);
  },
};
