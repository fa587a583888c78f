import { render } from "preact";
import { App } from "./app.tsx";
import { ended, enter } from "./state/call.ts";
import { listen, keepOverview } from "./state/live.ts";

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
