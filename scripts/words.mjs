// Finds words that docs/glossary.md has replaced, in names of identifiers and files, in docs, comments and messages; and
// habits that make English hard to read, in what users and models read.
// `node scripts/words.mjs` prints FILE:LINE for each and exits with 1; `node scripts/words.mjs WORD…` looks for these
// words alone.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";

/**
 * Each replaced word with the one to use. `names`: parts of an identifier or file name (`toldBodies` has `told`,
 * `own-part.ts` has `own part`). `prose`: phrases of docs, comments and messages, only where the word has no other use in
 * English. `except`: names that have the part and mean something else.
 */
export const REPLACED = [
  {
    word: "told",
    use: "injected",
    names: ["told", "telling", "tellings"],
    prose: ["told whole", "told a body"],
  },
  { word: "card", use: "metadata", names: ["card", "cards"], prose: ["memory's card", "cards of memories"] },
  { word: "form", use: "render mode", names: ["injected form", "fact forms", "strongest form"] },
  { word: "settle", use: "reconcile", names: ["settle", "settles"] },
  { word: "survey", use: "summary", names: ["survey", "surveyed"], prose: ["surveys memories"] },
  { word: "twin", use: "duplicate", names: ["twin", "twins"], prose: ["twin", "twins"] },
  { word: "relatives", use: "look-alikes", names: ["relatives"], prose: ["relatives"] },
  {
    word: "matter",
    use: "topic",
    names: ["matter", "matters"],
    except: ["front matter"],
    prose: ["same matter"],
  },
  {
    word: "ground",
    use: "consent, or context",
    names: ["ground", "grounded"],
  },
  { word: "heard", use: "recorded", names: ["heard", "hear"] },
  { word: "stretch", use: "chunk", names: ["stretch", "stretches"] },
  { word: "digest", use: "session summary", names: ["session digest", "empty digest", "read digest"] },
  { word: "dialect", use: "adapter", names: ["dialect", "dialects"], prose: ["dialect", "dialects"] },
  {
    word: "box",
    use: "dialog",
    names: ["next box", "offer box", "shown box", "answered box", "box request"],
  },
  { word: "norm", use: "invariant", names: ["is norm", "read norm", "norm of"], prose: ["a norm", "norms"] },
  { word: "anchor", use: "extract claims", names: ["anchor", "anchored"], prose: ["anchoring"] },
  { word: "unmeasured", use: "unchecked", names: ["unmeasured"], prose: ["unmeasured"] },
  { word: "rehearsal", use: "dry run", names: ["rehearsal", "rehearsed"], prose: ["rehearsal"] },
  { word: "allowance", use: "exception", names: ["allowance", "allowances"], prose: ["allowance"] },
  { word: "likeness", use: "similarity", names: ["likeness"], prose: ["likeness"] },
  { word: "held", use: "quarantined", names: ["is held", "held text", "held card"], prose: ["held back"] },
  { word: "upkeep", use: "maintenance", names: ["upkeep"], prose: ["upkeep"] },
  { word: "own part", use: "typed text", names: ["own part"], prose: ["own part"] },
  { word: "anew", use: "again", names: [], prose: ["anew"] },
  {
    word: "is none",
    use: "is not a valid …",
    names: [],
    prose: ["that is none", "that are none", "which is none"],
  },
  { word: "bears on", use: "is relevant to", names: [], prose: ["bears on", "bear on"] },
  { word: "of late", use: "recently", names: [], prose: ["of late"] },
];

/**
 * Habits that make a sentence be read twice, in what users and models read: messages, docs, and comments of the library's
 * interface. Each with what to write.
 */
const HABITS = [
  { word: "so many", use: "a number, or: this many", pattern: /\bso many\b/i },
  { word: "stands", use: "is", pattern: /\bstands?\b/i },
  { word: "what came of", use: "the result of", pattern: /\bwhat came of\b/i },
  {
    word: "waits for your word",
    use: "needs your approval",
    pattern: /\bwaits? for (?:your|their|a person's|the user's) (?:word|yes|answer)\b/i,
  },
  {
    word: "a sentence that opens with Of",
    use: "the subject first",
    pattern:
      /(?:^|[.;:!?] |["'`])[-* ]*Of (?:an?|the|what|those|these|this|that|each|two|its|all|one|several|some)\b/,
  },
];
const HABITS_IN = /^(?:src\/.*\.tsx?|docs\/(?!decisions\/).*\.md|plugin\/.*\.md|[A-Z]+\.md)$/;
/** Other comments are for contributors. */
const INTERFACE = /^src\/(?:methods|app\/api)\//;
const COMMENT = /^\s*(?:\/\/|\/?\*)/;
/** English for a list of words to be indexed is not ours to change. */
const WORD_LISTS = "src/recall/background-frequency.ts";

/** Files that name replaced words on purpose. */
const UNREAD = ["scripts/words.mjs", "test/words.test.ts", "CHANGELOG.md"];
const CODE = /^(?:src|test|bench|scripts)\/.*\.(?:ts|tsx|mjs|cjs)$/;

/** ` next box `: the parts of a name, for finding `names` in. Keys such as `tool_use_id` are other people's, or stable. */
function partsOf(name) {
  if (/^[a-z\d]+(?:_[a-z\d]+)+$/.test(name)) return " ";
  const parts = name.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+/g) ?? [];
  return ` ${parts.join(" ").toLowerCase()} `;
}

const namesWord = ({ names, except = [] }, name) => {
  const parts = except.reduce((left, other) => left.replaceAll(` ${other} `, "  "), partsOf(name));
  return names.some((part) => parts.includes(` ${part} `));
};

/** The words that a name uses: each name is looked at once. */
const wordsOfName = new Map();
function replacedIn(name) {
  const known = wordsOfName.get(name);
  if (known) return known;
  const words = REPLACED.filter((row) => namesWord(row, name)).map(({ word }) => word);
  wordsOfName.set(name, words);
  return words;
}

const proseOf = ({ prose = [] }) =>
  prose.length === 0 ? undefined : new RegExp(`\\b(?:${prose.join("|")})\\b`, "i");

const TOKENS =
  /\/\/.*|\/\*[^]*?\*\/|(?<=[=(,:!&|?[{;\n] *)\/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\[\n])+\/[a-z]*|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`|[A-Za-z_$][\w$]*/g;

/** What a file says, each with its line: `name` for an identifier, `prose` for text that people read. */
export function wordsIn(file, text) {
  let line = 1;
  let upTo = 0;
  const named = [{ line: 1, name: basename(file).split(".")[0] }];
  if (file.endsWith(".md")) {
    const read = text.replace(/^(```).*?^\1/gms, (block) => block.replace(/[^\n]/g, ""));
    return read
      .split("\n")
      .map((line, at) => ({ line: at + 1, prose: line.replace(/`[^`]*`|\]\([^)]*\)/g, "") }));
  }
  const isRead = file.startsWith("src/");
  for (const { 0: token, index } of text.matchAll(TOKENS)) {
    for (; upTo < index; upTo += 1) if (text[upTo] === "\n") line += 1;
    const start = line;
    if (/^[A-Za-z_$]/.test(token)) named.push({ line: start, name: token });
    else if (token.startsWith("/"))
      named.push(...token.split("\n").map((prose, at) => ({ line: start + at, prose })));
    else {
      if (isRead && token.includes(" ")) named.push({ line: start, prose: token });
      for (const [, inner] of token.startsWith("`") ? token.matchAll(/\$\{([^}]*)\}/g) : [])
        named.push(...(inner.match(/[A-Za-z_$][\w$]*/g) ?? []).map((name) => ({ line: start, name })));
    }
  }
  return named;
}

function habitsIn(file, prose) {
  const isRead =
    HABITS_IN.test(file) && file !== WORD_LISTS && (INTERFACE.test(file) || !COMMENT.test(prose));
  return isRead ? HABITS.filter(({ pattern }) => pattern.test(prose)).map(({ word }) => word) : [];
}

/** Uses of replaced words in a file, as `FILE:LINE  use "new" for "old": what stands there`. */
export function usesIn(file, text) {
  const phrases = REPLACED.map((row) => [row.word, proseOf(row)]).filter(([, phrase]) => phrase);
  return wordsIn(file, text).flatMap(({ line, name, prose }) => {
    const found =
      name === undefined
        ? [
            ...phrases.filter(([, phrase]) => phrase.test(prose)).map(([word]) => word),
            ...habitsIn(file, prose),
          ]
        : replacedIn(name);
    return found.map((word) => {
      const { use } = [...REPLACED, ...HABITS].find((row) => row.word === word);
      return { word, text: `${file}:${line}  use "${use}" for "${word}": ${name ?? prose.trim()}` };
    });
  });
}

/** Every use of a replaced word in the repository at `root`. */
export function lookOver(root) {
  return execFileSync("git", ["ls-files", "-co", "--exclude-standard"], { cwd: root, encoding: "utf8" })
    .split("\n")
    .filter((file) => (CODE.test(file) || file.endsWith(".md")) && !UNREAD.includes(file))
    .filter((file) => existsSync(join(root, file)))
    .flatMap((file) => usesIn(file, readFileSync(join(root, file), "utf8")));
}

if (process.argv[1] === import.meta.filename) {
  const asked = process.argv.slice(2);
  const uses = lookOver(join(import.meta.dirname, ".."));
  const found = uses.filter(({ word }) => asked.length === 0 || asked.includes(word));
  for (const { text } of found) console.log(text);
  console.log(`${found.length} uses of replaced words.`);
  if (found.length > 0) process.exitCode = 1;
}
