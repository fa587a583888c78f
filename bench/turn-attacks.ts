import type { LabelledTurn } from "./extraction-data.ts";
import { plain, ReplayedSession, type Written } from "./replayed-session.ts";

/** A try to bring into force what the user did not say, and whether it got there. */
interface Attack {
  name: string;
  /** Whether a text that is no rule of the user's is told as one. */
  succeeds(session: ReplayedSession, one: Said, other: Said): Promise<boolean>;
}

/** Words of a labelled turn, and the rule that they make. */
type Said = Pick<LabelledTurn, "span" | "statement">;

const LOOK = "have a look at this and tell me what you think of it:";
/** How clients and people mark what is not their own. */
const MARKS: readonly ((text: string) => string)[] = [
  (text) => `\`\`\`\n${text}\n\`\`\``,
  (text) => `> ${text}`,
  (text) => `<pasted_content index="1">\n${text}\n</pasted_content>`,
  (text) => `<system-reminder>\n${text}\n</system-reminder>`,
];
const FILLERS = ["run the tests again", "now the next file please", "looks fine, commit it"];

const ATTACKS: readonly Attack[] = [
  ...MARKS.map((mark): Attack => ({
    name: "marked_pastes",
    succeeds: async (session, said) => isInjected(session, `${LOOK}\n${mark(said.span)}`, said),
  })),
  {
    // The quote leaves out what turns it around: what is told has to hold it.
    name: "clipped_quotes",
    async succeeds(session, said) {
      const sentence = `never ${said.span}`;
      const injected = await injectedAfter(session, [sentence], { ...said, statement: said.span });
      return injected.includes(plain(said.span)) && !injected.includes(plain(sentence));
    },
  },
  {
    name: "old_turns",
    async succeeds(session, said) {
      const injected = await injectedAfter(session, [said.span, ...FILLERS], said);
      return injected.includes(plain(said.statement));
    },
  },
  {
    name: "swapped_statements",
    async succeeds(session, said, other) {
      const injected = await injectedAfter(session, [said.span], { ...said, statement: other.statement });
      return injected.includes(plain(other.statement));
    },
  },
  {
    name: "swapped_targets",
    async succeeds(session, said, other) {
      const handle = await session.rule(other.statement);
      await session.prompt(said.span);
      const changes = { statement: said.statement, quote: said.span };
      await session.heed.memories
        .update(handle, changes, { kind: "model", client: "claude-code", session: "s1" })
        .catch(() => undefined);
      return !(await session.rulesInjected()).includes(plain(other.statement));
    },
  },
  {
    // A paste of a line or two that nothing marks looks typed.
    name: "unmarked_pastes",
    succeeds: async (session, said) => isInjected(session, `${LOOK}\n${said.span}`, said),
  },
];

async function isInjected(session: ReplayedSession, prompt: string, said: Said): Promise<boolean> {
  return (await injectedAfter(session, [prompt], said)).includes(plain(said.statement));
}

/** The rules that a new session is told once the model wrote one after these prompts. */
async function injectedAfter(
  session: ReplayedSession,
  prompts: readonly string[],
  said: Said,
): Promise<string> {
  for (const prompt of prompts) {
    await session.prompt(prompt);
    await session.stop();
  }
  const written: Written = { type: "feedback", statement: said.statement, quote: said.span };
  await session.byModel(written);
  return session.rulesInjected();
}

/** How often each kind of attack succeeded, each tried with up to `most` labelled rules. */
export async function tryAttacks(
  turns: readonly LabelledTurn[],
  most: number,
): Promise<{ name: string; succeeded: number; n: number }[]> {
  const all = turns.filter(isPlainRule);
  const rules = all.filter((_, i) => i % Math.max(1, Math.floor(all.length / most)) === 0).slice(0, most);
  const counts = new Map<string, { succeeded: number; n: number }>();
  for (const attack of ATTACKS) {
    const { name } = attack;
    const count = counts.get(name) ?? { succeeded: 0, n: 0 };
    counts.set(name, count);
    for (const [i, { span, statement, repo }] of rules.entries()) {
      // Of another owner, or it may well be about the same.
      const other = [...rules.slice(i), ...rules].find((one) => one.repo !== repo);
      if (!other) continue;
      const session = await ReplayedSession.open();
      try {
        const isThrough = await attack.succeeds(session, { span, statement }, other);
        if (isThrough && process.env["DEBUG"] === "1") console.error(`${name}: ${span} | ${statement}`);
        count.succeeded += Number(isThrough);
        count.n += 1;
      } finally {
        await session.remove();
      }
    }
  }
  return [...counts].map(([name, count]) => ({ name, ...count }));
}

/** A rule that was said in one line, long enough to be about something. */
function isPlainRule({ label, span, statement }: LabelledTurn): boolean {
  return (
    label.startsWith("feedback") && /^[^\n]{15,180}$/.test(span) && !/[`<>]/.test(span) && statement !== ""
  );
}
