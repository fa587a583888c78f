import { dirname, join } from "node:path";
import type { Place } from "../place/place.ts";
import { logTrouble } from "../place/trouble-log.ts";
import { announceLater } from "../records/announcements.ts";
import { cutText, defuseLine } from "../../inject/delimit.ts";
import { homeOf } from "../../platform/places.ts";
import { namesInFolder, readOrEmpty, realPathOf, stampOf } from "../../platform/regular-file.ts";
import { sha256Hex } from "../../platform/sha256.ts";
import { FORMATS, readVersioned, writeVersioned } from "../../platform/versioned-file.ts";

declare const __HEED_VERSION__: string | undefined;
const VERSION = typeof __HEED_VERSION__ === "string" ? __HEED_VERSION__ : "source";
const BOUNDS = { maxBytes: 16 * 1024 * 1024 };
const PROFILES =
  "bashrc bash_profile bash_login profile zshrc zshenv zprofile config/fish/config.fish config/fish/fish_variables";
const WRITTEN = /^ {4}("(?:[^"\\\n]|\\.)+\.(?:jsonc?|toml|ya?ml|[cm]?[jt]s)"): \{/gm;

/**
 * What decides whether heed is asked at all: the settings of Claude Code and those that `heed init` wrote, the files of
 * the shell that may set variables, Claude Code's plugins, and heed's program unless it lies in the repository at hand.
 */
export function aboveHeed(place: Place): Record<"settings" | "profiles" | "folders", string[]> {
  const { env, places, workspace, workRoot } = place;
  const claude = env["CLAUDE_CONFIG_DIR"] || join(homeOf(env), ".claude");
  const written = readOrEmpty(join(places.state, "clients", "clients.json"), BOUNDS).matchAll(WRITTEN);
  const folder = dirname(realPathOf(workspace.program ?? join(workRoot, "heed.cjs")));
  const names = ["settings.json", "settings.local.json", join("plugins", "installed_plugins.json")];
  return {
    settings: [
      ...names.flatMap((name) => [join(claude, name), join(workRoot, ".claude", name)]),
      ...Array.from(written, ([, file = '""']) => String(JSON.parse(file))),
    ],
    profiles: PROFILES.split(" ").map((file) => join(homeOf(env), `.${file}`)),
    folders: [join(claude, "plugins"), ...(folder.startsWith(realPathOf(workRoot)) ? [] : [folder])],
  };
}

/** What concerns heed in settings and profiles, and what switches hooks off or answers dialogs; not that its tools are allowed. */
const OF_HEED =
  /"(?!mcp__)(?:[^"\n]{0,300}heed[^"\n]{0,300}|disableAllHooks|Elicitation\w*|PermissionRequest)"(?:\s*:\s*(?:true|false|"[^"\n]{0,300}"))?|HEED_\w+=\S{0,300}/gi;
const [MAX_FILES, MAX_SHOWN_CHARS] = [500, 200];

/** Tells the user what changed above heed since the last session, as far as it concerns heed; a new version changes much. */
export function tellChangedAbove(place: Place): void {
  try {
    const file = join(place.places.state, "above.json");
    const { program, files } = readVersioned(file, FORMATS.above) ?? {};
    const known = (files ?? {}) as Record<string, { stamp: string; parts: string[] } | undefined>;
    const { settings, profiles, folders } = aboveHeed(place);
    const bundles = folders
      .slice(1)
      .flatMap((folder) => namesInFolder(folder).map((name) => join(folder, name)));
    const now = { ...known };
    for (const path of [...settings, ...profiles, ...bundles.filter((name) => name.endsWith(".cjs"))]) {
      const [stamp, was] = [stampOf(path), known[path]];
      if (was?.stamp === stamp) continue;
      const text = readOrEmpty(path, BOUNDS);
      const parts = path.endsWith(".cjs") ? [sha256Hex(text)] : [...new Set(text.match(OF_HEED))];
      now[path] = { stamp, parts };
      const gone = (was?.parts ?? parts).filter((one) => !parts.includes(one)).map((one) => `without ${one}`);
      const added = parts.filter((one) => was?.parts.includes(one) === false).map((one) => `with ${one}`);
      if (gone.length + added.length === 0 || program !== VERSION) continue;
      const what = cutText(defuseLine([...gone, ...added].join(", ")), MAX_SHOWN_CHARS);
      const line = `heed: ${path} decides whether heed is asked, and changed since the last session (${what}). If that was not you: heed doctor, heed init`;
      announceLater(place.places, { line });
    }
    const kept = Object.fromEntries(Object.entries(now).slice(-MAX_FILES));
    if (JSON.stringify(kept) !== JSON.stringify(known) || program !== VERSION)
      writeVersioned(file, FORMATS.above, { program: VERSION, files: kept });
  } catch (error) {
    logTrouble("what decides over heed", error, place.env);
  }
}
