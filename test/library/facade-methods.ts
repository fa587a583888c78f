import type { Heed } from "../../src/heed.ts";

export interface FacadeMethod {
  /** `memories.list` */
  path: string;
  call: (...args: unknown[]) => unknown;
}

/** Each method that the façade has, found by looking: a new one is there by itself. */
export function facadeMethods(heed: Heed): FacadeMethod[] {
  const methodsOf = (group: object, at: string): FacadeMethod[] =>
    Object.entries(group).flatMap(([name, part]: [string, unknown]) => {
      const path = at === "" ? name : `${at}.${name}`;
      if (typeof part === "function") return [{ path, call: part as FacadeMethod["call"] }];
      return typeof part === "object" && part !== null ? methodsOf(part, path) : [];
    });
  return methodsOf(heed, "");
}
