import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** A tool use of a real session. */
export interface RealCall {
  tool: string;
  input: Record<string, unknown>;
  cwd: string;
}

const TOOLS = new Set(["Bash", "Edit", "MultiEdit", "Write", "NotebookEdit", "Read"]);

/** Reads the tool uses from the transcripts (Claude Code's JSON lines) below a folder, each once. */
export function readRealCalls(directory: string): RealCall[] {
  const calls = new Map<string, RealCall>();
  const files = readdirSync(directory, { recursive: true, withFileTypes: true }).filter(
    (entry) => entry.isFile() && entry.name.endsWith(".jsonl"),
  );
  for (const file of files) {
    for (const line of readFileSync(join(file.parentPath, file.name), "utf8").split("\n")) {
      for (const call of callsIn(line)) calls.set(JSON.stringify(call), call);
    }
  }
  return [...calls.values()];
}

/** The key of a label: a hash, so that the repository holds nothing of the data. */
export function labelKey(guard: string, call: RealCall): string {
  const text = JSON.stringify([guard, call.tool, call.input]);
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}

function callsIn(line: string): RealCall[] {
  if (!line.includes('"tool_use"')) return [];
  let record: unknown;
  try {
    record = JSON.parse(line);
  } catch {
    return [];
  }
  const { message, cwd } = record as { message?: { content?: unknown }; cwd?: unknown };
  if (!Array.isArray(message?.content)) return [];
  return (message.content as { type?: string; name?: string; input?: unknown }[]).flatMap(
    ({ type, name, input }): RealCall[] =>
      type === "tool_use" &&
      name !== undefined &&
      TOOLS.has(name) &&
      typeof input === "object" &&
      input !== null
        ? [
            {
              tool: name,
              input: input as Record<string, unknown>,
              cwd: typeof cwd === "string" ? cwd : "/repo",
            },
          ]
        : [],
  );
}

/** Guards that a careful team could have; the bench asks them about the tool uses of real sessions. */
export const SENSIBLE_GUARDS: Readonly<Record<string, unknown>> = {
  "no-verify": { command: ["git commit", "git push", "git merge"], flags: ["--no-verify"] },
  "force-push": [
    { command: "git push", flags: ["--force"] },
    { command: "git push", args: ["+*"] },
  ],
  "push-to-main": { command: "git push", args: ["main", "master", "*:main", "*:master"] },
  "hard-reset": { command: "git reset", flags: ["--hard"] },
  "clean-all": { command: "git clean", flags: ["-f -d"] },
  "rm-rf": {
    command: "rm",
    flags: ["-rf"],
    unless: {
      paths: ["**/dist/**", "**/build/**", "**/node_modules/**", "**/coverage/**", "/tmp/**", "**/.next/**"],
    },
  },
  amend: { command: "git commit", flags: ["--amend"] },
  "add-all": { command: "git add", flags: ["-A"] },
  "add-dot": { command: "git add", args: ["."] },
  publish: { command: ["npm publish", "pnpm publish", "yarn publish", "cargo publish"] },
  "npm-not-pnpm": { command: ["npm install", "npm i", "npm ci", "yarn add"] },
  "curl-to-shell": { pattern: "(curl|wget) .*\\| (ba|z)?sh( |$)" },
  drop: { command: ["psql", "mysql", "sqlite3"], pattern: "(?i)drop (table|database)" },
  secrets: {
    command: ["cat", "less", "head", "tail", "grep", "rg"],
    paths: [".env", ".env.*", "*.pem"],
    unless: { paths: [".env.example"] },
  },
  lockfile: { paths: ["package-lock.json", "pnpm-lock.yaml", "yarn.lock", "Cargo.lock"] },
  migrations: { paths: ["**/migrations/**"] },
  production: {
    command: ["kubectl *", "terraform destroy", "terraform apply", "vercel"],
    flags: ["--prod", "--context=prod*", "-auto-approve"],
  },
  sudo: { command: "sudo" },
  kill: { command: ["pkill", "killall"] },
  chmod: { command: "chmod", args: ["777"] },
  "any-type": {
    content: [{ regex: ": any\\b" }],
    paths: ["**/*.ts", "**/*.tsx"],
    tool: ["Edit", "MultiEdit", "Write"],
  },
  "eslint-disable": { content: ["eslint-disable", "@ts-ignore"] },
};

/** Firings on real calls that were checked one by one and are what the guard means, by their keys. */
export const LABELLED_RIGHT: ReadonlySet<string> = new Set(
  `
  0478e01b19d7ca69 0fc71d05a62f1d5f 0fd1d91c3633a149 102640852a77ce9d 1319e734962fa497 18ba09a3b027581c
  20549502b8f10a53 2403987d2416d464 25a82183da274b68 263f2c733a7a8a72 274e8c0c5199daca 33083215d9ecd2ac
  3a1e334e8c679137 5d98275a2f6a009c 69ce55e8850197b5 6a73e26703ae3ef3 793500359ac6d241 7cc681c9fb5782e0
  7de81c0ba292c7c9 8162d60b22fbb8ee 82fda76c6f46377a 86624adedb1b9f01 8a4eecf8d0d9b67b 8d44a49f665af4d0
  90bd5ce4fb2de77c 94fb66c8f1038cd9 982492f8e6669368 a620decb6e27739b a6840bbe18628c2d ac206db103fa6955
  b0a48cd760bd2dc7 b3612894ffc10370 b7c4bffcd9327510 ba2b3f4457c82be6 bb99613410675859 dd9b00f809363344
  eb7b624ddb74077e ec9d54304c4adf1e f30962c98d5228fb f6228bbc0a036b2e f770ab440a28a817
`.match(/\w+/g),
);
