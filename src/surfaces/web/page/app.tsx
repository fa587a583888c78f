import type { VNode } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { address, goTo, linkTo } from "./state/address.ts";
import { ended } from "./state/call.ts";
import { isLive, overview } from "./state/live.ts";
import { Facts } from "./parts/fields.tsx";
import { useKeys } from "./parts/keys.ts";
import { ToastArea, undoLast } from "./parts/messages.tsx";
import { Repository } from "./parts/words.tsx";
import { HealthScreen } from "./screens/health.tsx";
import { HistoryScreen } from "./screens/history.tsx";
import { MemoriesScreen } from "./screens/memories.tsx";
import { NowScreen } from "./screens/now.tsx";
import { ReviewScreen } from "./screens/review.tsx";
import { SetupScreen } from "./screens/setup.tsx";
import { WhyScreen } from "./screens/why.tsx";

const NOW = { name: "now", title: "Now", key: "1", Screen: NowScreen };
const SCREENS: readonly { name: string; title: string; key: string; Screen: () => VNode }[] = [
  NOW,
  { name: "review", title: "Review", key: "2", Screen: ReviewScreen },
  { name: "memories", title: "Memories", key: "3", Screen: MemoriesScreen },
  { name: "why", title: "Why", key: "4", Screen: WhyScreen },
  { name: "health", title: "Health", key: "5", Screen: HealthScreen },
  { name: "history", title: "History", key: "6", Screen: HistoryScreen },
  { name: "setup", title: "Setup", key: "7", Screen: SetupScreen },
];

const KEYS: readonly (readonly [keys: string, what: string])[] = [
  ["1 – 7", "the screens, in the order of the menu"],
  ["/", "search or filter, where there is a field for it"],
  ["n", "in Memories: a new one"],
  ["j k ↓ ↑", "next and previous"],
  ["Enter", "open"],
  ["Esc", "close, or leave a field"],
  ["k e d s", "in Review: keep, edit before it counts, drop, later"],
  ["u", "undo what was done last"],
  ["?", "these keys"],
];

/** The page: a menu, a screen, and what was done last. */
export function App(): VNode {
  const { screen } = address.value;
  const { repository, mode, pending = 0 } = overview.value ?? {};
  const keys = useRef<HTMLDialogElement>(null);
  const main = useRef<HTMLElement>(null);
  const { title, Screen } = SCREENS.find(({ name }) => name === screen) ?? NOW;
  useKeys({
    ...Object.fromEntries(SCREENS.map(({ name, key }) => [key, () => goTo(name)])),
    "?": () => keys.current?.showModal(),
    u: undoLast,
    "/": () => document.querySelector<HTMLElement>("[data-search]")?.focus(),
  });
  useEffect(() => {
    // Whoever reads by ear is taken along to another screen; a page that was just opened begins at its top.
    if (document.title !== "heed") main.current?.focus();
    document.title = `${title} · heed`;
  }, [screen]);
  return (
    <>
      <a class="skip" href="#main" onClick={(event) => (event.preventDefault(), main.current?.focus())}>
        To the content
      </a>
      <header class="menu">
        <h1>heed</h1>
        <nav aria-label="Screens">
          <ul>
            {SCREENS.map(({ name, title, key }) => (
              <li>
                <a href={linkTo(name)} aria-current={name === screen ? "page" : undefined}>
                  <span>{title}</span>
                  {name === "review" && pending > 0 && (
                    <span class="tag">
                      {pending}
                      <span class="unseen"> waiting</span>
                    </span>
                  )}
                  <kbd aria-hidden="true">{key}</kbd>
                </a>
              </li>
            ))}
          </ul>
        </nav>
        <p class="where">
          {repository === undefined ? "no repository" : <Repository of={repository} />}
          <span class="quiet">mode {mode}</span>
        </p>
        <button class="plain keys-button" onClick={() => keys.current?.showModal()}>
          Keys <kbd aria-hidden="true">?</kbd>
        </button>
      </header>
      <main id="main" tabIndex={-1} aria-label={title} ref={main}>
        <Banner />
        <fieldset role="none" disabled={ended.value !== undefined}>
          <Screen key={screen} />
        </fieldset>
      </main>
      <dialog class="card" ref={keys} aria-labelledby="keys">
        <h2 id="keys">Keys</h2>
        <Facts facts={KEYS.map(([keys, what]) => [<kbd>{keys}</kbd>, what] as const)} />
        <form method="dialog">
          <button>
            Close <kbd aria-hidden="true">Esc</kbd>
          </button>
        </form>
      </dialog>
      <ToastArea />
    </>
  );
}

const ENDED = {
  gone: "heed ui has ended, so nothing can be changed here any more, and what you see may be out of date. Run heed ui again.",
  locked:
    "This page belongs to another run of heed ui, or its address was used before. Press Enter where heed ui runs, or run it again.",
};

/** Says that the server does not answer, for as long as it does not. */
function Banner(): VNode | null {
  if (ended.value === undefined && isLive.value !== false) return null;
  return (
    <p class="trouble banner" role="alert">
      {ended.value === undefined ? "heed ui does not answer. Trying again …" : ENDED[ended.value]}
    </p>
  );
}
