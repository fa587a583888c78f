import type { ClaudeHooks } from "./claude-hooks.ts";
import { isHeedHook } from "./claude-hooks.ts";
import type { JsonObject } from "./config-file.ts";
import { childObject, isObject, notEditable } from "./config-file.ts";

/** Whether the settings enable heed's plugin, which brings hooks and server itself. */
export function hasHeedPlugin(settings: JsonObject): boolean {
  const plugins = settings["enabledPlugins"];
  return (
    isObject(plugins) && Object.entries(plugins).some(([id, on]) => id.startsWith("heed@") && on === true)
  );
}

/**
 * Puts heed's hooks into settings: where hooks of heed's stand, they are replaced in their place, else appended; all
 * others stay as they are.
 */
export function mergeHooks(settings: JsonObject, wanted: ClaudeHooks, file: string): void {
  const hooks = childObject(settings, "hooks", file);
  for (const event of new Set([...Object.keys(hooks), ...Object.keys(wanted)])) {
    const known = hooks[event] ?? [];
    if (!Array.isArray(known)) {
      if (wanted[event] === undefined) continue;
      throw notEditable(file, `its hooks for ${event} are no list`);
    }
    const groups = known as unknown[];
    const fresh: unknown[] = [...(wanted[event] ?? [])];
    const merged = groups.flatMap((group) => {
      const others = withoutHeed(group);
      if (others === group) return [group];
      return [...fresh.splice(0), ...(others === undefined ? [] : [others])];
    });
    const all = [...merged, ...fresh];
    if (all.length > 0 || groups.length === 0) hooks[event] = all;
    else delete hooks[event];
  }
}

/** Takes heed's hooks out of settings, and what became empty by it. */
export function removeHooks(settings: JsonObject, file: string): void {
  if (settings["hooks"] === undefined) return;
  mergeHooks(settings, {}, file);
  if (Object.keys(childObject(settings, "hooks", file)).length === 0) delete settings["hooks"];
}

/** A group without heed's hooks: itself when it has none, undefined when nothing else is in it. */
function withoutHeed(group: unknown): unknown {
  if (!isObject(group) || !Array.isArray(group["hooks"])) return group;
  const hooks = group["hooks"] as unknown[];
  const others = hooks.filter((hook) => !isHeedHook(hook));
  if (others.length === hooks.length) return group;
  return others.length === 0 ? undefined : { ...group, hooks: others };
}
