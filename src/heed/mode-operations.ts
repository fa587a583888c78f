import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseDocument } from "yaml";
import { HeedError } from "../memory/heed-error.ts";
import type { Mode } from "../store/store-config.ts";
import { CONFIG_FILE, MODES } from "../store/store-config.ts";
import { recordSession } from "./session-state.ts";
import type { Workspace } from "./workspace.ts";

/**
 * Sets the mode for the user, for the project at hand, or for one session. Throws `invalid-input` for a mode or
 * session that is none, `no-store` where the user or project has no store, `io-failed` when nothing can be written.
 */
export function setMode(
  workspace: Workspace,
  mode: Mode,
  where: "user" | "project" | { session: string },
): void {
  if (!MODES.includes(mode)) {
    throw invalid("mode", mode, `mode ${JSON.stringify(mode)} is none: use one of ${MODES.join(", ")}`);
  }
  if (typeof where === "string") {
    setStoreMode(workspace, mode, where);
    return;
  }
  if (where.session.trim() === "") {
    throw invalid("session", where.session, "the session has no id: give the one that the client names");
  }
  writing(workspace.places.state, () =>
    recordSession(workspace.places, where.session, [
      { kind: "mode", time: workspace.now().toISOString(), mode },
    ]),
  );
}

/** Changes one key of a store's configuration; comments and everything else stay. */
function setStoreMode(workspace: Workspace, mode: Mode, kind: "user" | "project"): void {
  const store = workspace.find().stores.find((found) => found.kind === kind);
  const root = store?.root ?? (kind === "user" ? workspace.places.userStore : undefined);
  if (root === undefined) {
    throw new HeedError("no-store", "there is no project store here: `heed init --project` makes one", {
      store: kind,
    });
  }
  const file = join(root, CONFIG_FILE);
  writing(file, () => {
    const document = parseDocument(existsSync(file) ? readFileSync(file, "utf8") : "", {
      logLevel: "silent",
    });
    if (document.errors.length > 0) {
      throw new HeedError("broken-file", `${file} is no valid YAML: mend it, then set the mode`, {
        file,
        line: document.errors[0]?.linePos?.[0].line,
      });
    }
    document.set("mode", mode);
    mkdirSync(root, { recursive: true });
    const draft = `${file}.${process.pid}.tmp`;
    writeFileSync(draft, document.toString());
    renameSync(draft, file);
  });
}

function writing(file: string, work: () => void): void {
  try {
    work();
  } catch (error) {
    if (error instanceof HeedError) throw error;
    throw new HeedError(
      "io-failed",
      `the mode could not be written to ${file}: make it writable, or set HEED_MODE`,
      {
        file,
        operation: "write",
      },
      { cause: error },
    );
  }
}

function invalid(argument: string, value: unknown, message: string): HeedError {
  return new HeedError("invalid-input", message, { argument, value });
}
