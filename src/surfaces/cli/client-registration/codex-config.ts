import { HeedError } from "../../../heed.ts";

const BEGIN = "# heed: begin (written by `heed init --client codex`; --remove takes it out)";
const END = "# heed: end";
const BLOCK = /(?:^|\n)# heed: begin[^\n]*\n[\s\S]*?# heed: end[^\n]*(?:\n|$)/;
/** A table of a server named heed, in any of the ways in which TOML writes it. */
const OWN_TABLE = /^[ \t]*\[[ \t]*mcp_servers[ \t]*\.[ \t]*(?:heed|"heed"|'heed')[ \t]*[\].]/m;

/** Codex's configuration with heed's server in a marked block at its end; a second time changes nothing. */
export function addToCodexConfig(text: string, entry: Record<string, unknown>): string {
  const rest = removeFromCodexConfig(text);
  if (OWN_TABLE.test(rest)) {
    throw new HeedError(
      "invalid-input",
      "config.toml already has a [mcp_servers.heed] that heed did not write. Take it out (codex mcp remove heed) and try again.",
      { argument: "file", value: "config.toml" },
    );
  }
  const { env, ...fields } = entry as { env: Record<string, string> };
  const lines = [
    BEGIN,
    "[mcp_servers.heed]",
    ...Object.entries(fields).map(([key, value]) => `${key} = ${tomlValue(value)}`),
    "[mcp_servers.heed.env]",
    ...Object.entries(env).map(([key, value]) => `${key} = ${tomlValue(value)}`),
    END,
  ];
  const kept = rest.replace(/\s+$/, "");
  return `${kept === "" ? "" : `${kept}\n\n`}${lines.join("\n")}\n`;
}

/** Codex's configuration without heed's block. */
export function removeFromCodexConfig(text: string): string {
  return BLOCK.test(text) ? text.replace(BLOCK, "\n").replace(/^\n/, "").replace(/\n+$/, "\n") : text;
}

/** A text or list of texts in TOML; JSON's escapes are TOML's too. */
function tomlValue(value: unknown): string {
  return Array.isArray(value)
    ? `[${value.map((item) => JSON.stringify(item)).join(", ")}]`
    : JSON.stringify(value);
}
