import type { MemorySummary, Overview } from "../../../../heed.ts";

export class CallError extends Error {
  readonly code: string;
  readonly data: Readonly<Record<string, unknown>>;

  constructor(code: string, message: string, data: Record<string, unknown> = {}) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

export interface Answer<T> {
  value?: T;
  error?: CallError;
}

interface Page {
  /** Screen and parameters of the address, which can be bookmarked. */
  screen: string;
  params: Readonly<Record<string, string>>;
  overview: Overview | undefined;
  memories: Answer<MemorySummary[]>;
  /** Counted up when anything may have changed, so that all is read again. */
  version: number;
  /** Why nothing works any more; undefined while it does. */
  ended: string | undefined;
  toast: { words: string; undo?: (() => Promise<unknown>) | undefined } | undefined;
}

export const page: Page = {
  ...readAddress(),
  overview: undefined,
  memories: {},
  version: 0,
  ended: undefined,
  toast: undefined,
};

let draw = (): void => {};

export function startDrawing(by: () => void): void {
  draw = by;
  draw();
  window.addEventListener("hashchange", () => set(readAddress()));
  window.addEventListener("focus", readAnew);
}

export function set(change: Partial<Page>): void {
  Object.assign(page, change);
  draw();
}

export function readAnew(): void {
  set({ version: page.version + 1 });
}

export function linkTo(screen: string, params: Readonly<Record<string, string>> = {}): string {
  const query = new URLSearchParams(Object.entries(params).filter(([, value]) => value !== ""));
  return `#/${screen}${query.size > 0 ? `?${query.toString()}` : ""}`;
}

/** Changes parameters of the address, without a step in the browser's history. */
export function show(params: Readonly<Record<string, string>>): void {
  history.replaceState(null, "", linkTo(page.screen, { ...page.params, ...params }));
  set(readAddress());
}

function readAddress(): Pick<Page, "screen" | "params"> {
  const [screen = "", query = ""] = location.hash.replace(/^#\/?/, "").split("?");
  return { screen, params: Object.fromEntries(new URLSearchParams(query)) };
}
