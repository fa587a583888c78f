import type { SeededRandom } from "./seeded-random.ts";
import { hasGrammar, treeDefinitions } from "./tree-definitions.ts";

/** Something that a memory says about a repository, as its writer would name it. */
export type Fact =
  | { kind: "path"; path: string }
  | { kind: "symbol"; path: string; name: string }
  | { kind: "value"; path: string; name: string; value: string }
  | { kind: "literal"; path: string; text: string }
  | { kind: "script"; name: string }
  | { kind: "dependency"; name: string; major: string };

/** The text of a file at some commit; undefined when it is not there. */
export type TextAt = (path: string) => Promise<string | undefined>;

/** Words around facts: also what merely looks like a path, a script or a version. */
const DECOYS: readonly string[] = [
  "It is an input/output matter, and/or one of client/server.",
  "Nothing to do with etc/passwd or usr/bin.",
  "Never add `src/does-not-exist.ts` for it.",
  "Decided with Ann and Bob after the incident of 2026-03-05.",
  "The ratio was 3/4 before, see RFC 9110.",
];

/** A memory as a person would write it about some facts. */
export function memoryOf(facts: readonly Fact[], random: SeededRandom): { statement: string; body: string } {
  const lines = facts.map((fact) => {
    switch (fact.kind) {
      case "path":
        return `The reason for \`${fact.path}\` being as it is: the audit asked for it.`;
      case "symbol":
        return `\`${fact.name}\` in \`${fact.path}\` must stay synchronous, the device driver depends on it.`;
      case "value":
        return `In \`${fact.path}\` it is \`${fact.name} = ${fact.value}\`, agreed with the payment team.`;
      case "literal":
        return `The line \`${fact.text}\` in \`${fact.path}\` was put there for the customer in Oslo.`;
      case "script":
        return `Run \`npm run ${fact.name}\` on the build machine only.`;
      default:
        return `We stay on \`${fact.name}@${fact.major}\` until the vendor answers.`;
    }
  });
  const decoy = random.pick(DECOYS) ?? "";
  return { statement: "why it is done this way here", body: `${lines.join("\n\n")}\n\n${decoy}` };
}

/** Facts about a file, read off its text by ways that heed does not use. */
export async function factsOf(path: string, text: string, random: SeededRandom): Promise<Fact[]> {
  const facts: Fact[] = [{ kind: "path", path }];
  if (hasGrammar(path)) {
    const names = [...new Set((await treeDefinitions(path, text))?.map(({ name }) => name))].filter(
      (name) => name.length > 2 && /^[A-Za-z_]\w*$/.test(name),
    );
    for (const name of random.sample(names, 2)) facts.push({ kind: "symbol", path, name });
  }
  const values = [...text.matchAll(VALUE_LINE)].flatMap((match): Fact[] => {
    const { name, value } = match.groups ?? {};
    return name === undefined || value === undefined ? [] : [{ kind: "value", path, name, value }];
  });
  const value = random.pick(values);
  if (value) facts.push(value);
  const lines = text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter(
      (line) =>
        line.length >= 20 &&
        line.length <= 100 &&
        !line.includes("`") &&
        /[a-z]{3}/.test(line) &&
        /[^\w\s]/.test(line),
    );
  const line = random.pick(lines);
  // A sentence with an equals sign is read as a value, one like a path as a path: those kinds have their own facts.
  if (line !== undefined && !/^["']?[\w$.@-]+["']?\s*[:=]/.test(line) && !/^[\w./@-]+$/.test(line))
    facts.push({ kind: "literal", path, text: line });
  return facts;
}

/** Facts of a package.json. */
export function factsOfManifest(text: string, random: SeededRandom): Fact[] {
  const manifest = parseObject(text);
  const scripts = Object.keys(parseRecord(manifest["scripts"])).filter((name) => /^[\w:-]+$/.test(name));
  const dependencies = Object.entries(parseRecord(manifest["dependencies"])).flatMap(([name, version]) => {
    const major = /^[\^~]?(\d+)\.\d+/.exec(String(version))?.[1];
    return major === undefined ? [] : [{ name, major }];
  });
  const dependency = random.pick(dependencies);
  return [
    ...random.sample(scripts, 1).map((name): Fact => ({ kind: "script", name })),
    ...(dependency ? [{ kind: "dependency" as const, ...dependency }] : []),
  ];
}

/**
 * Whether a fact is so at some commit, decided slowly and by other means than heed's: grammars, git's own objects, and
 * plain reading of lines. Undefined where those means do not tell.
 */
export async function isTrue(fact: Fact, textAt: TextAt): Promise<boolean | undefined> {
  if (fact.kind === "script" || fact.kind === "dependency") {
    const manifest = parseObject((await textAt("package.json")) ?? "");
    if (fact.kind === "script") return Object.hasOwn(parseRecord(manifest["scripts"]), fact.name);
    const all = ["dependencies", "devDependencies", "peerDependencies", "optionalDependencies"].map((key) =>
      parseRecord(manifest[key]),
    );
    const version = all.map((table) => table[fact.name]).find((one) => typeof one === "string");
    return typeof version === "string" && /^[\^~>=v\s]*(\d+)/.exec(version)?.[1] === fact.major;
  }
  const text = await textAt(fact.path);
  if (text === undefined) return false;
  switch (fact.kind) {
    case "path":
      return true;
    case "literal":
      return text.split(/\r?\n/).some((line) => line.includes(fact.text));
    case "symbol": {
      const definitions = await treeDefinitions(fact.path, text);
      return definitions?.some(({ name }) => name === fact.name);
    }
    default:
      return [...text.matchAll(VALUE_LINE)].some(
        ({ groups }) =>
          groups?.["name"] === fact.name && bareValue(groups["value"] ?? "") === bareValue(fact.value),
      );
  }
}

/** Which quotes a language's formatter prefers says nothing about the value. */
function bareValue(value: string): string {
  return value.replace(/^(["'])(.*)\1$/, "$2");
}

/** A line that gives a name a number or a quoted word, and nothing else. */
const VALUE_LINE =
  /^[ \t]*(?:(?:export|public|private|protected|static|final|const|let|var|int|long|String|constexpr|readonly|val|internal)[ \t]+)*(?<name>[A-Za-z_]\w{3,})[ \t]*=[ \t]*(?<value>\d{1,9}|"[\w .:/-]{1,40}"|'[\w .:/-]{1,40}')[ \t]*;?[ \t]*$/gm;

function parseObject(text: string): Record<string, unknown> {
  try {
    return parseRecord(JSON.parse(text));
  } catch {
    return {};
  }
}

function parseRecord(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {};
}
