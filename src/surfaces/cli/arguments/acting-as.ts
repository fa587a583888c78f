import { isatty } from "node:tty";
import { type Actor, HeedError } from "../../../heed.ts";
import { type Ancestor, AGENT_VARIABLES, agentOf, isPretender, processAncestors } from "../../processes.ts";
import { mayBeTerminal } from "../../standard-streams.ts";

type Environment = Readonly<Record<string, string | undefined>>;

const NAMING_VARIABLES: readonly string[] = ["AI_AGENT", "AGENT"];

/** Who gives a command. */
export interface ActingAs {
  actor: Actor;
  /** Why it is not taken for a person's, in words that follow a colon; undefined when it is. */
  doubt?: string;
}

/** What can be seen of whoever sits there. */
export interface Circumstances {
  /** Input, output or error is a terminal. */
  hasTerminal: boolean;
  /** The processes above, the nearest first; undefined where that cannot be told. */
  ancestors: readonly Ancestor[] | undefined;
}

/**
 * Who gives this command: a person, or a model through its shell tool. It decides whose word a confirmation is: a model
 * cannot confirm statements about the user by calling the command line.
 *
 * That a mark is missing proves nothing: a person is told by a terminal of their own and by no agent among the processes
 * above. Scripts, tests and builds have no person: what they write is a model's word.
 */
export function actingAs(env: Environment, look: () => Circumstances = lookAround): ActingAs {
  const named = NAMING_VARIABLES.map(
    (variable) => [variable, env[variable]?.toLowerCase().slice(0, 40)] as const,
  );
  const mark = [...AGENT_VARIABLES, ...named].find(([variable]) => isSet(env[variable]));
  if (mark) {
    const [variable, client = ""] = mark;
    const session = client === "claude-code" ? env["CLAUDE_CODE_SESSION_ID"] : undefined;
    return { actor: { kind: "model", client, ...(session && { session }) }, doubt: `${variable} is set` };
  }
  const { hasTerminal, ancestors = [] } = look();
  for (const { pid, words } of ancestors) {
    const client = agentOf(words)?.slice(0, 40);
    if (client !== undefined)
      return { actor: { kind: "model", client }, doubt: `${client} (process ${pid}) started it` };
  }
  if (!hasTerminal) return { actor: NOBODY, doubt: "it has no terminal" };
  const pretender = ancestors.find(({ words }) => isPretender(words));
  if (pretender)
    return {
      actor: NOBODY,
      doubt: `its terminal was made by ${pretender.words[0] ?? "a program"} (process ${pretender.pid})`,
    };
  return { actor: { kind: "person" } };
}

/** Scripts, builds and whatever else runs without a person, and under no agent that is seen. */
export const NOBODY: Actor = { kind: "model", client: "script" };

function lookAround(): Circumstances {
  // Node reads the half of its network for `isatty`: a pipe or a file is told without.
  const hasTerminal = [0, 1, 2].some((descriptor) => mayBeTerminal(descriptor) && isatty(descriptor));
  return { hasTerminal, ancestors: processAncestors() };
}

const isSet = (value = ""): boolean => !["", "0", "false"].includes(value);

/**
 * Refuses what only a person may decide: a repository can ask a model to run any command.
 *
 * @param what what is decided, as the beginning of a sentence.
 * @param command what the user types instead.
 * @throws HeedError `gate-refused` (gate `user-word`).
 */
export function assertPerson({ actor, doubt }: ActingAs, what: string, command: string): void {
  if (doubt === undefined) return;
  // Nobody but a person reads what a script is told.
  const [who, whose] = actor.client === NOBODY.client ? ["Run", "your"] : ["Ask the user to run", "their"];
  throw new HeedError(
    "gate-refused",
    `${what}, and heed cannot confirm that a person typed this (${doubt}). ` +
      `${who} ${command} in a terminal of ${whose} own.`,
    {
      gate: "user-word",
      remedy: `${actor.client === NOBODY.client ? "run" : "the user runs"} ${command} in a terminal`,
    },
  );
}
