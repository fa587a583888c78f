const STORAGE = "heed-key";
/** How long a new tab waits for another one to hand it the key, in milliseconds. */
const HANDOVER_MS = 400;

let key: string | undefined;

/** The key of this page, once it has entered. */
export function currentKey(): string | undefined {
  return key;
}

/**
 * Finds the key: for the ticket of the address, which is taken out of it; from before, for a page that was reloaded; or
 * from another tab of the same page. Undefined when there is none.
 */
export async function enter(): Promise<string | undefined> {
  const ticket = /^#ticket=([\w-]+)$/.exec(location.hash)?.[1];
  if (ticket !== undefined) {
    // Out of the address and of the history at once, used or not.
    history.replaceState(null, "", "/#/now");
    const response = await fetch("/api/enter", {
      method: "POST",
      headers: { "content-type": "application/json", "x-heed-key": ticket },
      body: "[]",
    }).catch(() => undefined);
    if (response?.ok === true) key = ((await response.json()) as { answer: string }).answer;
  }
  // Of this tab and this origin alone; the key dies with the server.
  key ??= sessionStorage.getItem(STORAGE) ?? (await askOtherTabs());
  if (key === undefined) return undefined;
  sessionStorage.setItem(STORAGE, key);
  answerOtherTabs();
  return key;
}

/** Forgets a key that opens nothing any more. */
export function forgetKey(): void {
  key = undefined;
  sessionStorage.removeItem(STORAGE);
}

function askOtherTabs(): Promise<string | undefined> {
  return new Promise((resolve) => {
    const channel = new BroadcastChannel(STORAGE);
    const done = (found?: string): void => {
      channel.close();
      resolve(found);
    };
    channel.addEventListener("message", ({ data }: MessageEvent<{ key?: string }>) => {
      if (data.key !== undefined) done(data.key);
    });
    channel.postMessage({ asks: true });
    setTimeout(done, HANDOVER_MS);
  });
}

function answerOtherTabs(): void {
  const channel = new BroadcastChannel(STORAGE);
  channel.addEventListener("message", ({ data }: MessageEvent<{ asks?: boolean }>) => {
    if (data.asks === true && key !== undefined) channel.postMessage({ key });
  });
}
