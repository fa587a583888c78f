import type { GuardCondition } from "./guard.ts";
import { parseFlagTest } from "./flag-test.ts";
import type { GuardFields } from "./parse-fields.ts";
import type { TextTest } from "./text-test.ts";
import { containsTest, regexTest } from "./text-test.ts";
import { parsePathTest } from "./path-test.ts";

/** Reads the parts of a condition, complaining about what cannot be understood. */
export function parseCondition(fields: GuardFields): GuardCondition {
  return {
    commands: fields.texts("command", "commands").flatMap((text) => {
      const words = text.replace(/^docker-compose\b/, "docker compose").split(/\s+/);
      const flag = words.find((word) => word.startsWith("-"));
      if (flag === undefined) return [words];
      fields.complain("flag-in-command", `command has the flag ${flag}`, `put it into flags: [${flag}]`);
      return [];
    }),
    flags: fields.texts("flags", "flag").flatMap((text) => {
      const test = parseFlagTest(text);
      if (test) return [test];
      fields.complain(
        "bad-flag",
        `${JSON.stringify(text)} is no flag`,
        "write -n, --name, --name=value, or an option and its value: -c key=*",
      );
      return [];
    }),
    args: fields.texts("args", "arg"),
    branches: fields.texts("branches", "branch"),
    remotes: fields.texts("remotes", "remote"),
    files: filesOf(fields),
    paths: fields.texts("paths", "path").flatMap((glob) => {
      const test = parsePathTest(glob);
      if (test) return [test];
      fields.complain(
        "bad-glob",
        `${JSON.stringify(glob)} has too many wildcards`,
        "use at most three * in a segment and three ** in all",
      );
      return [];
    }),
    env: fields.texts("env").flatMap((text) => {
      const [, name, value] = /^([A-Za-z_]\w*)(?:=(.*))?$/s.exec(text) ?? [];
      if (name !== undefined) return [{ name, value }];
      fields.complain("bad-env", `${JSON.stringify(text)} is no variable`, "write NAME or NAME=value");
      return [];
    }),
    content: textTests(fields, "content"),
    pattern: fields.texts("pattern", "patterns").flatMap((text) => regex(fields, "pattern", text)),
  };
}

function filesOf(fields: GuardFields): GuardCondition["files"] {
  const text = fields.optionalText("files", 20);
  if (text === undefined || text === "existing" || text === "new") return text;
  fields.complain("bad-files", `files is ${JSON.stringify(text)}`, "write existing or new");
  return undefined;
}

/** Texts that must be contained, or `{ regex: … }`. */
function textTests(fields: GuardFields, key: string): TextTest[] {
  return fields.list(key).flatMap((item): TextTest[] => {
    if (typeof item === "string" && item !== "") return [containsTest(item)];
    const entries = typeof item === "object" && item !== null ? Object.entries(item) : [];
    const [only] = entries;
    if (entries.length === 1 && only?.[0] === "regex" && typeof only[1] === "string")
      return regex(fields, key, only[1]);
    fields.complain("bad-content", `${key} has ${JSON.stringify(item)}`, "write a text, or { regex: '…' }");
    return [];
  });
}

function regex(fields: GuardFields, key: string, pattern: string): TextTest[] {
  const test = regexTest(pattern);
  if (!("error" in test)) return [test];
  fields.complain(
    "bad-pattern",
    `${key} ${JSON.stringify(pattern.slice(0, 80))} is no expression: ${test.error}`,
    "write it in RE2's syntax, which has no lookaround and no backreference",
  );
  return [];
}
