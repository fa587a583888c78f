import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { address, goTo, linkTo } from "./state/address.ts";
import { ended } from "./state/call.ts";
import { isLive, overview } from "./state/live.ts";
import { useKeys } from "./parts/keys.ts";
import { ToastArea, undoLast } from "./parts/messages.tsx";
import { shortName } from "./parts/words.tsx";
import { HealthScreen } from "./screens/health.tsx";
import { HistoryScreen } from "./screens/history.tsx";
import { MemoriesScreen } from "./screens/memories.tsx";
import { NowScreen } from "./screens/now.tsx";
import { ReviewScreen } from "./screens/review.tsx";
import { SetupScreen } from "./screens/setup.tsx";
import { WhyScreen } from "./screens/why.tsx";

const SCREENS: readonly { name: string; title: string; key: string; Screen: () => VNode }[] = [
  { name: "now", title: "Now", key: "1", Screen: NowScreen },
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
  ["j k ↓ ↑", "next and previous"],
  ["Enter", "open"],
  ["Esc", "close, or leave a field"],
  ["k e d s", "in Review: keep, edit before it counts, drop, later"],
  ["u", "take back what was done last"],
  ["?", "these keys"],
];

/** The page: a menu, a screen, and what was done last. */
export function App(): VNode {
  const { screen } = address.value;
  const [showsKeys, setShowsKeys] = useState(false);
  const { title, Screen } = SCREENS.find(({ name }) => name === screen) ?? {
    title: "Not found",
    Screen: Unknown,
  };
  useKeys({
    ...Object.fromEntries(SCREENS.map(({ name, key }) => [key, () => goTo(name)])),
    "?": () => setShowsKeys(!showsKeys),
    u: () => void undoLast(),
    "/": () => document.querySelector<HTMLElement>("[data-search]")?.focus(),
  });
  document.title = `${title} · heed`;
  return (
    <>
      <a class="skip" href="#main" onClick={skip}>
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
                  {name === "review" && <Pending />}
                  <kbd aria-hidden="true">{key}</kbd>
                </a>
              </li>
            ))}
          </ul>
        </nav>
        <Standing />
        <button class="plain keys-button" onClick={() => setShowsKeys(!showsKeys)} aria-expanded={showsKeys}>
          Keys <kbd aria-hidden="true">?</kbd>
        </button>
      </header>
      <main id="main" tabIndex={-1}>
        {ended.value && <Ended why={ended.value} />}
        {showsKeys && <Keys />}
        <Screen key={screen} />
      </main>
      <ToastArea />
    </>
  );
}

function skip(event: Event): void {
  event.preventDefault();
  document.getElementById("main")?.focus();
}

function Pending(): VNode | null {
  const { value } = overview;
  return value && value.pending > 0 ? (
    <span class="tag">
      {value.pending}
      <span class="unseen"> waiting</span>
    </span>
  ) : null;
}

function Standing(): VNode {
  const { value } = overview;
  return (
    <p class="where">
      {value && (
        <>
          <span title={value.repository}>
            {value.repository === undefined ? "no repository" : shortName(value.repository)}
          </span>
          <span>mode {value.mode}</span>
        </>
      )}
      <span class={isLive.value ? "standing fresh" : "quiet"}>{isLive.value ? "live" : "not live"}</span>
    </p>
  );
}

function Keys(): VNode {
  return (
    <section class="card" aria-label="Keys">
      <h2>Keys</h2>
      <dl>
        {KEYS.map(([keys, what]) => (
          <>
            <dt>
              <kbd>{keys}</kbd>
            </dt>
            <dd>{what}</dd>
          </>
        ))}
      </dl>
    </section>
  );
}

function Ended({ why }: { why: "gone" | "locked" }): VNode {
  return (
    <div class="trouble" role="alert">
      {why === "gone"
        ? "heed ui has ended: nobody had looked for half an hour, or it was stopped. Run heed ui again."
        : "This page is of another run of heed ui, or its address was used before. Press Enter where heed ui runs, or run it again."}
    </div>
  );
}

function Unknown(): VNode {
  return (
    <p>
      There is no such screen. <a href={linkTo("now")}>Now</a>
    </p>
  );
}
