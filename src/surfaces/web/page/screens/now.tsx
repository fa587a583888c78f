import type { VNode } from "preact";
import type { Receipt } from "../../../../heed.ts";
import { call, useAnswer } from "../state/call.ts";
import { Head } from "../parts/fields.tsx";
import { Waiting } from "../parts/messages.tsx";
import { Injection, isStop } from "../parts/receipt.tsx";
import { plural, tokens } from "../parts/words.tsx";
import { linkTo, page } from "../state/page.ts";

const RECEIPTS = 1_000;
const SHOWN = 50;

export function NowScreen(): VNode {
  const { value, error } = useAnswer(() => call("session.receipts", { limit: RECEIPTS }), []);
  if (!value) return <Waiting error={error} what="Reading receipts" />;
  const isStops = page.params["only"] === "stops";
  const receipts = isStops ? value.filter(isStop) : value;
  return (
    <>
      <Head title="Now" note={plural(receipts.length, isStops ? "stop" : "injection")}>
        {isStops && <a href={linkTo("now")}>All injections</a>}
      </Head>
      <Today receipts={value} />
      {value.length === 0 && (
        <p class="empty">
          Nothing was injected yet. Connect a client with <code>heed init</code> and start a session.{" "}
          <code>heed why PROMPT</code> shows what a prompt would get.
        </p>
      )}
      {isStops && receipts.length === 0 && <p class="empty">No guard has stopped a tool.</p>}
      <ol>
        {receipts.slice(0, SHOWN).map((receipt) => (
          <Injection key={receipt.id} receipt={receipt} />
        ))}
      </ol>
      {receipts.length > SHOWN && (
        <p class="quiet">
          Older ones: <code>heed why</code>
        </p>
      )}
    </>
  );
}

function Today({ receipts }: { receipts: readonly Receipt[] }): VNode {
  const midnight = new Date().setHours(0, 0, 0, 0);
  const today = receipts.filter(({ time }) => Date.parse(time) >= midnight);
  const injected = today.filter((receipt) => receipt.chars > 0);
  const chars = injected.reduce((sum, receipt) => sum + receipt.chars, 0);
  const known = page.memories.value?.filter((memory) => memory.known !== undefined).length ?? 0;
  const figures = [
    [today.filter(isStop).length, "stopped today", linkTo("now", { only: "stops" })],
    [injected.length, `injected today, ${tokens(chars)}`, linkTo("now")],
    [page.overview?.pending ?? 0, "waiting for approval", linkTo("review"), "is-exception"],
    [known, "moved or expired", linkTo("memories", { state: "needs a look" }), "is-exception"],
  ] as const;
  return (
    <ul class="today" aria-label="Today">
      {figures.map(([count, words, href, style]) => (
        <li>
          <a href={href} class={`card ${count > 0 ? (style ?? "") : ""}`}>
            <strong>{count.toLocaleString("en")}</strong> {words}
          </a>
        </li>
      ))}
    </ul>
  );
}
