import { type VNode, render } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { call, enter, useAnswer } from "./state/call.ts";
import { ToastArea } from "./parts/messages.tsx";
import { Repository } from "./parts/words.tsx";
import { MemoriesScreen } from "./screens/memories.tsx";
import { NowScreen } from "./screens/now.tsx";
import { ReviewScreen } from "./screens/review.tsx";
import { SetupScreen } from "./screens/setup.tsx";
import { linkTo, page, startDrawing } from "./state/page.ts";

const NOW = { name: "now", title: "Now", Screen: NowScreen };
const SCREENS = [
  NOW,
  { name: "review", title: "Review", Screen: ReviewScreen },
  { name: "memories", title: "Memories", Screen: MemoriesScreen },
  { name: "setup", title: "Setup", Screen: SetupScreen },
];

function App(): VNode {
  const isOnMemories = page.screen === "memories";
  const isEverywhere = isOnMemories && page.params["all"] === "yes";
  page.overview = useAnswer(() => call("memories.overview"), []).value;
  page.memories = useAnswer(
    () => call("memories.summaries", isEverywhere ? { isScopedHere: false } : {}),
    [isEverywhere],
  );
  const { repository, mode, pending = 0 } = page.overview ?? {};
  const { name, title, Screen } = SCREENS.find(({ name }) => name === page.screen) ?? NOW;
  const main = useRef<HTMLElement>(null);
  useEffect(() => {
    if (document.title !== "heed") main.current?.focus({ preventScroll: true });
    scrollTo(0, 0);
    document.title = `${title} · heed`;
  }, [name]);
  return (
    <>
      <header class="menu">
        <h1>heed</h1>
        <nav aria-label="Screens">
          {SCREENS.map((one) => (
            <a href={linkTo(one.name)} aria-current={one.name === name ? "page" : undefined}>
              {one.title} {one.name === "review" && pending > 0 && <span class="tag">{pending}</span>}
            </a>
          ))}
        </nav>
        <p class="quiet">
          {repository === undefined ? "no repository" : <Repository of={repository} />} · mode {mode}
        </p>
      </header>
      <main tabIndex={-1} aria-label={title} ref={main}>
        {page.ended !== undefined && (
          <p class="trouble banner" role="alert">
            {page.ended}
          </p>
        )}
        <fieldset role="none" disabled={page.ended !== undefined}>
          <Screen key={name} />
        </fieldset>
      </main>
      <ToastArea />
    </>
  );
}

/** The focus goes on to the title when what had it is gone. */
function keepFocus(place: HTMLElement): void {
  let last: EventTarget | null = null;
  place.addEventListener("focusin", ({ target }) => (last = target));
  new MutationObserver(() => {
    if (!(last instanceof Element) || last.isConnected) return;
    last = null;
    if (document.activeElement === document.body) place.querySelector<HTMLElement>("main h2")?.focus();
  }).observe(place, { childList: true, subtree: true });
}

async function start(): Promise<void> {
  const place = document.getElementById("page");
  await enter();
  if (!place) return;
  place.replaceChildren();
  startDrawing(() => render(<App />, place));
  keepFocus(place);
}
void start();
