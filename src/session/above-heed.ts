import { existsSync } from "node:fs";
import { basename, delimiter, dirname, join } from "node:path";
import type { Place } from "../here/place.ts";
import { logTrouble } from "../here/trouble-log.ts";
import { announceLater } from "../here/records/announcements.ts";
import { decidingFiles } from "../here/consent/rule-approvals.ts";
import { problemWords } from "../machine/heed-error.ts";
import { cutText, defuseLine } from "../memory/shown-text.ts";
import { asRecord } from "../machine/read-fields.ts";
import { homeOf } from "../machine/places.ts";
import { namesInFolder, readOrEmpty, realPathOf, stampOf } from "../machine/regular-file.ts";
import { FORMATS, readVersioned, writeVersioned } from "../machine/state-file.ts";

declare const __HEED_VERSION__: string | undefined;
const VERSION = typeof __HEED_VERSION__ === "string" ? __HEED_VERSION__ : "source";
const BOUNDS = { maxBytes: 16 * 1024 * 1024 };
const WRITTEN = /^ {4}("(?:[^"\\\n]|\\.)+\.(?:jsonc?|toml|ya?ml|[cm]?[jt]s)"): \{/gm;

/** What decides whether heed is asked: Claude Code's settings and plugins, what `heed init` wrote, heed's program. */
export function aboveHeed(place: Place): string[] {
  const { program, claude } = foldersOf(place);
  return [...settingsOf(place), join(claude, "plugins"), ...(program === undefined ? [] : [program])];
}

function foldersOf({ env, workspace, workRoot }: Place): { claude: string; program: string | undefined } {
  const claude = env["CLAUDE_CONFIG_DIR"] || join(homeOf(env), ".claude");
  const program = realPathOf(workspace.program ?? process.argv[1] ?? "");
  const isOwn = /^(?:heed|hook|mcp|cli)\.cjs$/.test(basename(program));
  const isHere = program.startsWith(realPathOf(workRoot));
  return { claude, program: isOwn && !isHere ? dirname(program) : undefined };
}

function settingsOf(place: Place): string[] {
  const { env, places, workRoot } = place;
  const { claude } = foldersOf(place);
  const written = readOrEmpty(join(places.state, "clients", "clients.json"), BOUNDS).matchAll(WRITTEN);
  const names = ["settings.json", "settings.local.json", join("plugins", "installed_plugins.json")];
  return [
    ...new Set([
      ...names.flatMap((name) => [join(claude, name), join(workRoot, ".claude", name)]),
      join(env["CLAUDE_CONFIG_DIR"] || homeOf(env), STATE_OF_CLAUDE),
      join(workRoot, ".mcp.json"),
      ...Array.from(written, ([, file = '""']) => String(JSON.parse(file))),
    ]),
  ];
}

const STATE_OF_CLAUDE = ".claude.json";
/** What concerns heed in settings, and what switches hooks off or answers dialogs; not that its tools are allowed. */
const OF_HEED =
  /"(?!mcp__)(?:[^"\n]{0,300}heed[^"\n]{0,300}|disableAllHooks|Elicitation\w*|PermissionRequest)"(?:\s*:\s*(?:true|false|"[^"\n]{0,300}"))?|HEED_\w+=\S{0,300}/gi;
const DECIDING = ["HEED_MODE", "HEED_LEARN", "HEED_DIR", "HEED_STATE_DIR", "HEED_CONFIG_DIR"];
const ENVIRONMENT = "the environment";
const [MAX_FILES, MAX_SHOWN_CHARS] = [500, 200];
const WRITING_MS = 50;
const GONE =
  "nothing counts as approved until you have looked at your rules: heed inbox trust --mine, heed inbox trust";
/** In this process, as what is gone can say nothing of itself. */
const wasThere = new Set<string>();

type Known = Record<string, { stamp: string; parts: string[] } | undefined>;

/** What of a file counts: the part of settings that concerns heed, the whole of anything else. */
function partsOf(path: string, isSetting: boolean, { workRoot }: Place): string[] {
  const text = readOrEmpty(path, BOUNDS);
  // Programs are megabytes, and seldom new: our own hash would take seconds in a hook, which V8 does not optimise.
  if (!isSetting)
    return [
      `content ${process.getBuiltinModule("node:crypto").createHash("sha256").update(text).digest("hex").slice(0, 12)}`,
    ];
  return [...new Set((basename(path) === STATE_OF_CLAUDE ? serversIn(text, workRoot) : text).match(OF_HEED))];
}

function serversIn(text: string, workRoot: string): string {
  try {
    const { mcpServers, projects } = JSON.parse(text) as Record<string, unknown>;
    const ofProject = asRecord(asRecord(projects)?.[workRoot]) ?? {};
    const listed = Object.entries(ofProject).filter(([key]) => /mcp/i.test(key));
    return JSON.stringify([mcpServers, Object.fromEntries(listed)], null, 1);
  } catch {
    return "";
  }
}

/** Tells user and model, once, what was changed outside heed of the files that decide over it. Returns whether anything was. */
export function keepWatch(place: Place, isStart: boolean): boolean {
  try {
    const file = join(place.places.state, "above.json");
    const last = readVersioned(file, FORMATS.above);
    const { program, files } = last ?? {};
    const known = (files ?? {}) as Known;
    const now = { ...known };
    const news: string[] = [];
    if (!last && wasThere.has(file)) news.push(`${place.places.state} is gone: ${GONE}`);
    wasThere.add(file);
    const compare = (path: string, stamp: string, partsNow: () => string[]): void => {
      const was = known[path];
      if (was?.stamp === stamp) return;
      const parts = partsNow();
      now[path] = { stamp, parts };
      const gone = (was?.parts ?? parts).filter((one) => !parts.includes(one)).map((one) => `without ${one}`);
      const added = parts.filter((one) => was?.parts.includes(one) === false).map((one) => `with ${one}`);
      if (gone.length + added.length === 0 || program !== VERSION) return;
      const what = cutText(defuseLine([...gone, ...added].join(", ")), MAX_SHOWN_CHARS);
      news.push(
        `${path} decides whether heed is asked, and was changed outside heed (${what}). If that was not you: heed doctor, heed init`,
      );
    };
    for (const path of settingsOf(place)) compare(path, stampOf(path), () => partsOf(path, true, place));
    for (const path of programFiles(place)) compare(path, stampOf(path), () => partsOf(path, false, place));
    if (isStart) {
      const set = DECIDING.flatMap((name) => (place.env[name] ? [`${name}=${place.env[name]}`] : []));
      const seen = known[ENVIRONMENT]?.parts ?? [];
      compare(ENVIRONMENT, set.join(), () => [...new Set([...seen, ...set])].slice(-MAX_FILES));
    }
    const past = changedState(place, known, now);
    news.push(...(isStart ? [] : past));
    for (const line of news)
      announceLater(place.places, { line: `heed: ${line}`, forModel: `${line}. Tell the user.` });
    const kept = Object.fromEntries(Object.entries(now).slice(-MAX_FILES));
    if (JSON.stringify(kept) !== JSON.stringify(known) || program !== VERSION)
      writeVersioned(file, FORMATS.above, { program: VERSION, files: kept });
    return news.length > 0;
  } catch (error) {
    logTrouble("what decides over heed", error, place.env);
    return false;
  }
}

function programFiles(place: Place): string[] {
  const { program } = foldersOf(place);
  const inPath = (place.env["PATH"] ?? "").split(delimiter).map((folder) => join(folder, "heed"));
  const started = inPath.find((file) => existsSync(file)) ?? [];
  if (program === undefined) return [started].flat();
  const plugin = dirname(program);
  const folders = [program, ...["", "hooks", ".claude-plugin"].map((name) => join(plugin, name))];
  const files = folders.flatMap((folder) => namesInFolder(folder).map((name) => join(folder, name)));
  return [...files.filter((file) => /\.(?:cjs|json)$/.test(file)), started].flat();
}

/** What is wrong with each file of deciding state that changed since the last look, where that was outside heed. */
function changedState(place: Place, known: Known, now: Known): string[] {
  const moved = decidingFiles(place).filter(({ file, kept }) => {
    const stamp = `${stampOf(file)} ${stampOf(kept)}`;
    now[file] = { stamp, parts: [] };
    return known[file]?.stamp !== stamp;
  });
  const look = (): string[] =>
    moved.flatMap((one) => {
      const { changed, problems } = one.look();
      return changed === undefined ? [] : problems.map(problemWords);
    });
  if (look().length === 0) return [];
  // Another heed may be between writing a file and keeping it.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, WRITING_MS);
  return look();
}
