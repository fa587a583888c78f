import { render } from "preact";
import { App } from "./app.tsx";
import { ended } from "./state/call.ts";
import { enter } from "./state/key.ts";
import { listen } from "./state/live.ts";
import { keepOverview } from "./state/overview.ts";

async function start(): Promise<void> {
  const key = await enter();
  if (key === undefined) ended.value = "locked";
  const place = document.getElementById("page");
  if (!place) return;
  place.replaceChildren();
  render(<App />, place);
  if (key === undefined) return;
  keepOverview();
  await listen();
}
void start();
