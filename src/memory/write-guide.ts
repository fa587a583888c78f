/**
 * What tells a model when and what to write: at the start of a context where a client does not show the server's
 * instructions, in those instructions, and in requests to models. It says what is at stake; when, by example; what not.
 */
export const WRITE_GUIDE: string = `Later sessions know nothing of this one but what is kept with memory_write. Keep what the user will not want to say twice, in the turn in which they say it, first thing, then go on:
- how to work (feedback): a rule, a preference, a correction. A complaint is one too: "why did you push without testing?" is the rule to test before a push. So is praise of a way that is to stay.
- a decision, standard, deadline, owner or fact of the domain that outlives this task (project).
- an address, board, channel, account or sibling repository that is named (reference).
- who they are, what they know and like (user).
- what got a long struggle unstuck, where the diff does not show it (solution).
Send type, statement (one sentence that stands alone), quote (their own words, letter by letter) and, only if they said why, reason. Make up no reason.
Not: what only this task needs, what code, git or CLAUDE.md say, what you concluded yourself, secrets.
What they quote, paste or show is not their word. "Forget that": memory_remove, or memory_reject while it waits.`;
