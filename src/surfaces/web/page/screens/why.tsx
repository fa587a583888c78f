import type { VNode } from "preact";
import type { Explained, Receipt } from "../../../../heed.ts";
import { address, goTo, linkTo } from "../state/address.ts";
import { call } from "../state/call.ts";
import { say } from "../parts/toast.tsx";
import { Waiting } from "../parts/trouble.tsx";
import { plural, Time, tokens } from "../parts/words.tsx";
import { useAnswer } from "../state/use-answer.ts";
import { Candidates } from "./candidates.tsx";
import { MapOfSession } from "./session-map.tsx";

/** What a prompt would be told here, or what a past telling was, with the numbers behind each decision. */
export function WhyScreen(): VNode {
  const { prompt = "", receipt = "" } = address.value.params;
  const ask = (event: SubmitEvent): void => {
    event.preventDefault();
    const field = (event.currentTarget as HTMLFormElement).elements.namedItem(
      "prompt",
    ) as HTMLTextAreaElement;
    goTo("why", { prompt: field.value });
  };
  return (
    <>
      <h2>Why</h2>
      <form class="form" onSubmit={ask}>
        <label>
          A prompt, as it could be typed here
          <textarea
            key={prompt}
            name="prompt"
            rows={2}
            data-search
            required
            defaultValue={prompt}
            onKeyDown={(event) => {
              if (event.key !== "Enter" || event.shiftKey) return;
              event.preventDefault();
              event.currentTarget.form?.requestSubmit();
            }}
          />
        </label>
        <button type="submit">What would it be told?</button>
      </form>
      {receipt !== "" && <Answer key={receipt} about={{ receipt }} />}
      {receipt === "" && prompt !== "" && <Answer key={prompt} about={{ prompt }} />}
      {receipt === "" && prompt === "" && (
        <>
          <p class="quiet">Nothing is told by asking, and no trace is left.</p>
          <PastTellings />
        </>
      )}
      <MapOfSession key={`${prompt} ${receipt}`} isOpen={receipt === "" && prompt === ""} />
    </>
  );
}

function Answer({ about }: { about: Explained }): VNode {
  const isPast = "receipt" in about;
  const { value, error } = useAnswer(
    () => call("session.why", about),
    [about],
    isPast ? [] : ["memories", "settings"],
  );
  if (!value) return <Waiting error={error} what="Asking" />;
  const { receipt, context, isRehearsal } = value;
  return (
    <section aria-label="What was told">
      <p class="marks">
        {isRehearsal ? (
          <strong>It would be told</strong>
        ) : (
          <>
            <strong>It was told</strong> <Time of={receipt.time} /> <span class="quiet">{receipt.kind}</span>
          </>
        )}
        <span class="quiet">
          {context.length.toLocaleString("en")} characters, {tokens(context.length)}, {receipt.elapsedMs} ms
        </span>
        {isRehearsal || receipt.kind === "prompt" ? <SaveTest about={about} /> : null}
      </p>
      {receipt.about !== "" && !isRehearsal && <p class="about">{receipt.about}</p>}
      {context === "" ? (
        <p class="empty">Nothing: no memory is sure enough to bear on it.</p>
      ) : (
        <pre class="context" tabIndex={0}>
          {context}
        </pre>
      )}
      <Candidates decisions={receipt.decisions.filter(Boolean)} />
      {!isRehearsal && receipt.kind === "prompt" && <Replay past={receipt} />}
    </section>
  );
}

const TELLINGS = 30;

/** What was told on prompts lately, to be looked into. */
function PastTellings(): VNode | null {
  const { value } = useAnswer(() => call("session.receipts", { limit: 200 }), [], ["told"]);
  const prompts = (value ?? []).filter(({ kind }) => kind === "prompt").slice(0, TELLINGS);
  if (prompts.length === 0) return null;
  return (
    <section aria-label="Prompts of late">
      <h3>Prompts of late</h3>
      <ul class="timeline">
        {prompts.map(({ id, time, about, decisions }) => (
          <li key={id}>
            <Time of={time} />
            <a href={linkTo("why", { receipt: id })}>{about}</a>
            <span class="quiet">
              {plural(decisions.filter((one) => one && one.form !== "none").length, "told", "told")}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The same prompt, asked of today's memories in a fresh session: what would be told otherwise. */
function Replay({ past }: { past: Receipt }): VNode {
  const { value, error } = useAnswer(
    () => call("session.why", { prompt: past.about }),
    [past.id],
    ["memories", "settings"],
  );
  if (!value) return <Waiting error={error} what="Asking today's memories" />;
  const [then, now] = [formsIn(past), formsIn(value.receipt)];
  const names = [...new Set([...then.keys(), ...now.keys()])];
  const changed = names.filter((name) => then.get(name) !== now.get(name));
  return (
    <section class="card" aria-label="Today">
      <h3>The same prompt today, in a fresh session</h3>
      {changed.length === 0 && <p>It would be told the same.</p>}
      <ul class="plain-list">
        {changed.map((name) => (
          <li>
            <a href={linkTo("memories", { open: name })}>{name}</a>: {then.get(name) ?? "not told"} then,{" "}
            <strong>{now.get(name) ?? "not told"}</strong> today
            <span class="quiet"> {reasonFor(value.receipt, name)}</span>
          </li>
        ))}
      </ul>
      <a href={linkTo("why", { prompt: past.about })}>all that was considered today</a>
    </section>
  );
}

function formsIn({ decisions }: Receipt): Map<string, string> {
  return new Map(
    decisions.flatMap((one) => (one && one.form !== "none" ? [[one.name, one.form] as const] : [])),
  );
}

function reasonFor({ decisions }: Receipt, name: string): string {
  return decisions.find((one) => one?.name === name)?.reason ?? "no candidate any more";
}

function SaveTest({ about }: { about: Explained }): VNode {
  const save = (): void => {
    call("upkeep.saveTest", about).then(
      ({ path }) => say(`saved as a test case in ${path}: heed test runs it`),
      (error: unknown) => say(error instanceof Error ? error.message : String(error)),
    );
  };
  return (
    <button type="button" class="plain" onClick={save}>
      save as a test
    </button>
  );
}
