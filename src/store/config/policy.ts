import { lstatSync } from "node:fs";
import type { Problem } from "../../machine/heed-error.ts";
import { asRecord } from "../../machine/read-fields.ts";
import { readOrKept } from "../../machine/state-file.ts";
import { MAX_CONFIG_BYTES, MODES, type Mode, parseSettings, type WriteSetting } from "./store-config.ts";

/** Who may write, as an organisation says it: `nobody` freezes the memories, for people too. */
export type PolicyWrites = WriteSetting | "nobody";
export const POLICY_WRITES: readonly PolicyWrites[] = ["model", "ask", "me", "nobody"];

const SWITCHES = ["history", "capture", "learn"] as const;
type Switch = (typeof SWITCHES)[number];

/** A repository whose `.heed/` is approved: as one of these trees of git, or as whoever has one of the keys signed it. */
export interface Grant {
  repository: string;
  trees: readonly string[];
  keys: readonly string[];
}

/** What an organisation lets all users of a machine do. It wins over every setting, variable and store. */
export interface Policy {
  file: string;
  isThere: boolean;
  modes: readonly Mode[];
  writes: PolicyWrites;
  off: readonly Switch[];
  trust: readonly Grant[];
  problems: Problem[];
  /** Why it counts as the strict one. */
  fault?: string;
}

/** Never throws: a policy that cannot be read whole counts as the strict one. No kept copy: the user could write it. */
export function readPolicy(file: string): Policy {
  const none: Policy = {
    file,
    isThere: false,
    modes: MODES,
    writes: "model",
    off: [],
    trust: [],
    problems: [],
  };
  const read = readOrKept(file, undefined, parsePolicy, MAX_CONFIG_BYTES);
  // A link to nothing says that there is a policy.
  const isLost = !read.content && !read.fault && lstatSync(file, { throwIfNoEntry: false });
  const { content, fault = isLost ? { message: "it is a link to nothing" } : undefined } = read;
  if (content) return { ...none, isThere: true, ...content };
  if (!fault) return none;
  const why = `cannot be read (${fault.message})`;
  const message = `the organisation's policy ${why}: the strict one applies, and nobody writes`;
  const remedy = "an administrator fixes it (docs/teams.md)";
  const problem: Problem = { file, severity: "error", code: "policy", ...fault, message, remedy };
  const strict = { modes: ["rules"], writes: "nobody", off: SWITCHES } as const;
  return { ...none, isThere: true, ...strict, problems: [problem], fault: why };
}

function parsePolicy(text: string): Pick<Policy, "modes" | "writes" | "off" | "trust"> {
  const { modes = MODES, writes = "model", trust = [], ...switches } = parseSettings(text);
  const wordOf = <W extends string>(key: string, words: readonly W[], value: unknown): W => {
    // YAML 1.1 reads a bare `off` as false.
    const said = typeof value === "boolean" ? (value ? "on" : "off") : value;
    const word = words.find((one) => one === said);
    if (word === undefined) throw new Error(`${key} is ${JSON.stringify(value)}, not ${words.join(" or ")}`);
    return word;
  };
  const off = Object.entries(switches).flatMap(([key, value]) => {
    const known = SWITCHES.filter((one) => one === key);
    if (known.length === 0) throw new Error(`${key} is not modes, writes, trust, ${SWITCHES.join(" or ")}`);
    return wordOf(key, ["on", "off"], value) === "off" ? known : [];
  });
  const allowed = [modes].flat().map((mode) => wordOf("modes", MODES, mode));
  if (allowed.length === 0) throw new Error("modes names none");
  return {
    modes: allowed,
    writes: wordOf("writes", POLICY_WRITES, writes),
    off,
    trust: [trust].flat().map(grantOf),
  };
}

const TREE = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;
const KEY =
  /^(?:(?:ssh|ecdsa|sk-\w+)-[\w@.-]+ [A-Za-z0-9+/]+=*(?: .*)?|-----BEGIN PGP PUBLIC KEY BLOCK-----[^]+)$/;

function grantOf(value: unknown): Grant {
  const { repository, tree = [], signed_by = [], ...others } = asRecord(value) ?? {};
  const textsOf = (list: unknown, form: RegExp): string[] =>
    [list].flat().map((one) => {
      if (typeof one === "string" && form.test(one.trim())) return one.trim();
      throw new Error(`trust has ${JSON.stringify(one)}, where a repository, tree or public key belongs`);
    });
  const [[name = ""], trees, keys] = [
    textsOf(repository, /^\S+$/),
    textsOf(tree, TREE),
    textsOf(signed_by, KEY),
  ];
  if (Object.keys(others).length > 0 || trees.length + keys.length === 0)
    throw new Error("an entry of trust has a repository, and a tree or signed_by");
  return { repository: name, trees, keys };
}

/** The allowed mode that is nearest to a wanted one; of two as near, the one that injects less. */
export function allowedMode({ modes }: Policy, wanted: Mode): Mode {
  const distance = (mode: Mode): number => Math.abs(MODES.indexOf(mode) - MODES.indexOf(wanted));
  const [nearest = "rules"] = modes.toSorted(
    (a, b) => distance(a) - distance(b) || MODES.indexOf(b) - MODES.indexOf(a),
  );
  return nearest;
}

/** What a policy says, on one line: `modes typed, pull; writes me; history, capture off`. */
export function describePolicy({ modes, writes, off, trust }: Policy): string {
  return [
    ...(modes.length < MODES.length ? [`modes ${modes.join(", ")}`] : []),
    ...(writes === "model" ? [] : [`writes ${writes}`]),
    ...(off.length > 0 ? [`${off.join(", ")} off`] : []),
    ...(trust.length > 0 ? [`trust ${trust.map(({ repository }) => repository).join(", ")}`] : []),
  ].join("; ");
}
