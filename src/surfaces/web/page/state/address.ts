import { signal } from "@preact/signals";

/** Where the page is: a screen, and what it shows of it; kept in the address, so that it can be bookmarked. */
export interface Address {
  screen: string;
  params: Readonly<Record<string, string>>;
}

/** Where the page is now. */
export const address = signal<Address>(read());

window.addEventListener("hashchange", () => (address.value = read()));

/** The link to a screen. */
export function linkTo(screen: string, params: Readonly<Record<string, string>> = {}): string {
  const query = new URLSearchParams(Object.entries(params).filter(([, value]) => value !== ""));
  return `#/${screen}${query.size > 0 ? `?${query.toString()}` : ""}`;
}

/** Goes to a screen. */
export function goTo(screen: string, params: Readonly<Record<string, string>> = {}): void {
  location.hash = linkTo(screen, params);
}

/** Changes what a screen shows, without a further step in the browser's history. */
export function show(params: Readonly<Record<string, string>>): void {
  const { screen, params: before } = address.value;
  history.replaceState(null, "", linkTo(screen, { ...before, ...params }));
  address.value = read();
}

function read(): Address {
  // What is no screen, as a ticket, is not one of the page's addresses.
  const hash = location.hash.startsWith("#/") ? location.hash.slice(2) : "";
  const [path = "", query = ""] = hash.split("?");
  return { screen: path === "" ? "now" : path, params: Object.fromEntries(new URLSearchParams(query)) };
}
