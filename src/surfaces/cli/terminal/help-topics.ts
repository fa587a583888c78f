import { AGENT_VARIABLES } from "../../processes/agent-programs.ts";
import type { Text } from "../output/styled-text.ts";

/** A page of help that belongs to no single command. */
export interface HelpTopic {
  lines(): Text[];
}

/** Pages by the word under which `heed help` finds them. */
export const HELP_TOPICS: Readonly<Record<string, HelpTopic>> = {
  "exit-codes": {
    lines: () => [
      " 0  done; also when nothing was found, and when a write waits in the inbox",
      " 1  problems were found (check), a case failed (test), or a write was refused",
      " 2  the command line is wrong: unknown command or flag, missing or malformed argument, ambiguous name",
      " 3  there is no such memory, change, receipt or store",
      " 4  another process writes, or the file was changed outside: try again",
      " 5  something outside of heed failed: git, the file system, an editor",
      "70  a bug in heed; HEED_DEBUG=1 shows the stack",
    ],
  },
  json: {
    lines: () => [
      "With --json every command prints exactly one JSON value on stdout, errors included, and nothing else:",
      "",
      '  errors             {"error": {"code", "message", ...}}   the exit code tells the kind',
      '  list               {"memories": [card]}                  card: name, type, description, id, tags, ...',
      '  show               {"card", "body", "store", "path", "notes", "verdict", "isPending"}; --raw adds "text"',
      '  search             {"hits": [{"card", "score", "snippet", "verdict", ...}], "collectionSize", "isCut", "source"}',
      '  write, update,     {"outcome": "written"|"amended"|"unchanged", "card", "path", "announcement", "warnings"},',
      '    edit, confirm    {"outcome": "pending", "name", "reason", ...} or {"outcome": "refused", "refusals": [...]}',
      '  inbox              {"pending": [...]}',
      '  reject             {"rejected", "reason"}',
      '  remove, restore,   {"change": {"id", "time", "actor", "summary", "files"}}',
      "    rename, undo",
      '  verify             {"outcome": "verified", "attested", "change", "verdict"} or "refused" with "refusals"',
      '  repair             {"outcome": "proposed"|"repaired"|"nothing", "steps", "open", "diff", "hash", "verdict"}',
      '  anchor             {"memories": [{"name", "has", "added"}], "looked", "isApplied", "changes", "notes"}',
      '  health             {"total", "byType", ..., "sections": [{"kind", "findings", "withheld"}], "telemetry"}',
      '  log                {"changes": [...]}',
      '  blame              {"lines": [{"line", "text", "change"}]}',
      '  diff               {"diff"}',
      '  why                {"receipt": {"decisions": [...], ...}, "context", "isRehearsal"}',
      '  receipts           {"receipts": [...]}',
      '  test               {"results": [{"file", "line", "name", "hasPassed", "failures", "told", ...}], "passed", "failed", ...}',
      '  check              {"stores": [{"store", "files", "memories", "problems": [...]}], "errors", "warnings"}',
      '  status, reindex    {"version", "mode", "repository", "stores", "places", "pending", ...}',
      '  overview           {"total", "byType", "byStore", "byTag", "pending", "mode", "repository"}',
      '  doctor             {"isWell", "findings": [{"about", "what", "state", "detail", "remedy"}]}',
      '  uninit             {"isApplied", "clients": [{"client", "title", "files", "notes"}]}',
      '  init               {"store", "isApplied", "clients": [{"client", "title", "files", "notes"}], "notes", "memories"}',
      '  attach, trust      {"store": {"id", "kind", "root", "isTrusted", "isReadOnly"}}',
      '  detach             {"detached"}',
      '  mode               {"mode"}; when set also "for"',
      '  resume             {"episode": {"name", "description", "body", "updated", "branch"} or null}',
      '  capture            {"sessions": [{"session", "episode", "turns", "proposals", ...}], "isLeftToOther", "problems"}',
      '  backfill           {"sessions": [...], "doneBefore", "problems", "isApplied"}',
      '  tidy               {"steps": [{"action", "name", "other", "reason"}], "isApplied", "changes", "isCut"}',
      '  sync               {"remote", "pulled", "pushed", "queued", "announcement"}; agents-md: {"file", "action", "chars"}',
      '  version            {"version", "node"}',
    ],
  },
  claims: {
    lines: () => [
      "A claim is what a memory states in a form that can be checked. heed adds what a text names in code spans, links",
      "and paths and what holds; further ones are given with --claim. Paths are relative to the repository's root.",
      "",
      "path:src/a.ts                                     the file exists; a folder with a slash at its end",
      "path:src/a.ts::match                              the file defines match; Router.match: inside Router",
      'path:src/a.ts::"some text"                        the file holds this text',
      "path:src/a.ts::MAX_RETRIES=5                      the file gives the name this value",
      "absent:src/old.ts                                 it is not there; likewise absent:dep:moment",
      "script:lint                                       package.json has the script; script:packages/web#build",
      "dep:react@^18                                     a manifest asks for a version in the range; dep:react: for any",
      "branch:main                                       the branch exists, here or on a remote",
      "config:tsconfig.json#compilerOptions.strict=true  a JSON, YAML or TOML file has the key, with the value",
      "command:pnpm                                      the program is on the PATH",
      "until:2027-01-31                                  it holds to the end of that day",
      "",
      "heed verify attests them, heed repair follows what moved, heed anchor adds them to memories that have none.",
    ],
  },
  learn: {
    lines: () => [
      "heed mode --learn off|model: whether a model reads your turns after a session, once, within a day's budget. What",
      "it proposes needs your approval. It stands in config.yaml of the configuration directory that heed status names.",
      "",
      "learn: model                                        Claude Code's headless mode, with its login",
      "learn: { provider: anthropic, model: NAME }         the key from ANTHROPIC_API_KEY",
      'learn: { provider: openai, model: NAME, url: "…" }  what speaks chat completions: OpenAI, Ollama, llama.cpp …',
      "",
      "Further: key_from, command, calls (20 a day), tokens (200,000 a day), deadline_ms, answer_tokens.",
      "heed status tells calls, tokens and what came of the last one.",
    ],
  },
  environment: {
    lines: () => [
      "HEED_DIR         the user store                       HEED_STATE_DIR   inbox, receipts, sessions",
      "HEED_CACHE_DIR   search indexes (derived)             HEED_CONFIG_DIR  configuration",
      "HEED_RECHECK_MS  how long re-checking claims may hold up a prompt (20)",
      "HEED_SEMANTIC_DIR=off  use no sentence model",
      "HEED_DEBUG=1     show the stack of an error, and on stderr what a hook considered and told",
      "NO_COLOR         no colour                            FORCE_COLOR      colour also in a pipe",
      "VISUAL, EDITOR   the editor of heed edit and heed write",
      "",
      "What is typed counts as the user's word in a terminal that no agent started. Scripts, pipes and an agent's shell",
      "tool have no person: there it is a model's word. An agent is told by the processes above, and by:",
      `  ${AGENT_VARIABLES.slice(0, 8)
        .map(([variable]) => variable)
        .join(", ")},`,
      `  ${AGENT_VARIABLES.slice(8)
        .map(([variable]) => variable)
        .join(", ")}, AI_AGENT, AGENT`,
    ],
  },
};
