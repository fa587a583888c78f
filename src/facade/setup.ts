import type { StatusReport } from "../care/setup/status.ts";
import { anyText, count, either, object, oneOf, optional, text } from "../here/schema.ts";
import type { Place } from "../here/place.ts";
import { repositoryLabel } from "../machine/repository-identity.ts";
import { optionalText, optionalFlag, texts, isApplied, oneStore, actor } from "./arguments.ts";
import { method, onPage, now } from "../here/call.ts";

/** The state of everything, with the optional part that costs money. @internal */
export async function wholeStatus(place: Place): Promise<StatusReport> {
  const { statusOf } = await import("../care/setup/status.ts");
  const { learnStatus } = await import("../past/learner/learner.ts");
  return { ...(await statusOf(place)), learn: learnStatus(place) };
}

const makeStore = () => import("../write/make-store.ts");
const attachStore = () => import("../care/setup/attach-store.ts");
const scrubValue = () => import("../care/setup/scrub-value.ts");
const joinTeam = () => import("../care/setup/join-team.ts");
const trustStore = () => import("../here/consent/review-store.ts");
const loadSettings = () => import("../care/setup/settings.ts");

const attached = text("the path of an attached directory");
const directory = text("the path of a directory");
const byPerson = optional(actor);
const syncRequest = optional(
  object({ remote: optional(text("the address of a git repository")), isReadOnly: optionalFlag }),
);
const teamChange = object({
  kind: oneOf("admit", "dismiss", "leave"),
  url: optionalText,
  person: optionalText,
  audience: optionalText,
  isReader: optionalFlag,
});
const review = { store: optional(oneStore) };
const trusted = optional(object({ token: optionalText, ...review }));
const modePlace = either("user, project, or an object with session", oneStore, object({ session: anyText }));
const setting = either<unknown>("auto, off, or a number of characters", anyText, count());

export const SETUP = {
  /**
   * Makes a store: the user's, or `.heed/` in the repository at hand; keeps what is there. A `.heed/` that came with a
   * clone comes back with `isTrusted` false: its memories are data until `trust`.
   *
   * @throws HeedError `invalid-input` for another kind; `no-store` outside of a repository; `changed-outside` when
   *   somebody makes it at the same time.
   */
  init: method({ kind: oneStore, actor: byPerson }, makeStore, "makeStore"),
  /** Names the stores that hold here. */
  stores: now({}, (place) => place.stores),
  /**
   * What a person calls a repository: the folder of one that has no remote, else the name itself. To show, not to compare.
   *
   * @throws HeedError `invalid-input`.
   */
  repositoryLabel: now(
    { name: text("the name of a repository") },
    (place, name: string) => repositoryLabel(name, place.places, place.repository?.gitDir),
    true,
  ),
  /**
   * Attaches a directory of another tool as a store; it is only read. With `repositories`
   * (`github.com/acme/*`) a git address or path as a shared store for those, fetched now and in force after `trust`.
   *
   * @throws HeedError `invalid-input` for what is no directory, a store already, or no safe address; of a shared store
   *   `gate-refused` for anybody but a person, `git-failed` when it cannot be reached.
   */
  attach: method(
    {
      directory,
      options: object({ repositories: texts }),
      actor,
    },
    attachStore,
    "attachStore",
  ),
  /**
   * Takes an attached directory, or a shared store by its address, off again; its files stay as they are.
   *
   * @throws HeedError `invalid-input`; `no-store` when it is not attached.
   */
  detach: method({ directory: attached }, attachStore, "detachStore"),
  /**
   * Carries the user store to a git remote and back; what was edited on both sides is kept twice and asked about.
   *
   * @param request - `remote`: address or path; kept for the next time, and needed the first time alone. `isReadOnly`:
   *   nothing is pushed, and what models write waits; so it stays until a remote is given without it.
   * @throws HeedError `invalid-input` for an invalid or unsafe address; `git-failed` when it cannot be reached;
   *   `no-store`; `changed-outside` when the store was edited meanwhile.
   */
  sync: method({ request: syncRequest }, () => import("../care/setup/sync-stores.ts"), "syncStores"),
  /**
   * Joins a team's server, a PostgreSQL database: each audience of the person who logs in becomes a store here. Makes or
   * upgrades the schema where the login may. A password in the address is kept in a private file.
   *
   * @throws HeedError `gate-refused` for anybody but a person; `invalid-input` for an invalid address; `unreachable`
   *   when the server refuses; `read-only` where the login may not make the schema; `no-store`.
   */
  joinTeam: method({ url: anyText, actor }, joinTeam, "joinTeam"),
  /** Tells which teams' servers are joined, and how up to date their copies are. */
  teams: method({}, async (place) => (await joinTeam()).teamsHere(place)),
  /**
   * Says who sees what on a team's server, brings its schema to a version, or leaves it.
   *
   * @returns what was done, in words.
   * @throws HeedError `gate-refused` for anybody but a person; `no-store` where no such server is joined; `invalid-input`;
   *   `read-only` for a login that administers nothing; `unreachable`.
   */
  changeTeam: method({ change: teamChange, actor }, joinTeam, "changeTeam"),
  /**
   * Tells what would take force when the project store at hand is trusted, or again after it was changed outside heed;
   * before that, what was fetched of a shared store.
   * `store: "user"`: of the user's own store, what was edited by hand or laid there since heed last wrote it.
   *
   * @throws HeedError `invalid-input`; `no-store` when there is no such store.
   */
  reviewTrust: onPage({ options: optional(object(review)) }, trustStore, "reviewTrust"),
  /**
   * Approves the project store at hand on this machine: its rules are in force from now on, in the texts that they have,
   * and so are settings that were changed outside heed; heed's own state is put back as heed wrote it.
   *
   * @param options - `token`: of the review that was shown; exactly that is approved.
   * @throws HeedError `invalid-input`; `no-store`; `changed-outside` when something changed since the review.
   */
  trust: onPage({ options: trusted }, trustStore, "trustStoreHere"),
  /**
   * Tells which files that heed owns hold a leaked value; takes it out with `isApplied`, which cannot be undone.
   *
   * @throws HeedError `gate-refused` unless a person asks; `invalid-input` also for a value that is too short;
   *   `changed-outside` when files are edited meanwhile.
   */
  scrub: method({ value: anyText, options: object({ isApplied }), actor }, scrubValue, "scrubValue"),
  /**
   * Says how much is pushed: for the user, for the project at hand, or for one session. A session's own mode goes before
   * `HEED_MODE`, that before the project's, that before the user's.
   *
   * @param actor who its history names; a person where it is left out.
   * @throws HeedError `invalid-input` for an invalid mode or place; `no-store` when there is no project store;
   *   `broken-file` when the settings cannot be read; `changed-outside` when they are edited meanwhile.
   */
  setMode: method({ mode: anyText, where: modePlace, actor: byPerson }, loadSettings, "setMode"),
  /**
   * Says how many characters the map of a fresh session may take: `auto` (8,000), `off`, or a number.
   *
   * @throws HeedError `invalid-input` for an invalid setting or place; `no-store` when there is no project store;
   *   `broken-file` when the settings cannot be read; `changed-outside` when they are edited meanwhile.
   */
  setMap: method({ setting, where: oneStore, actor: byPerson }, loadSettings, "setMap"),
  /** Compares Claude Code's own memory of this project with heed's. */
  clientMemory: method({}, loadSettings, "clientMemoryHere"),
  /**
   * Says which memory is written from now on where Claude Code keeps one of its own, heed's or the client's, and has heed
   * read what the client keeps of this project.
   *
   * @throws HeedError `invalid-input` for another word; `gate-refused` for anybody but a person; `broken-file` for a
   *   configuration that cannot be read.
   */
  setWriter: method({ writer: oneOf("heed", "client"), actor }, loadSettings, "setWriter"),
  /**
   * Says whether a model reads what the user said after a session and proposes what of it to keep (`model`), or not
   * (`off`, the default).
   *
   * @throws HeedError `invalid-input` for another word; `gate-refused` for anybody but a person; `broken-file` for a
   *   configuration that cannot be read; `io-failed` where it cannot be written.
   */
  setLearn: method({ mode: oneOf("off", "model"), actor }, loadSettings, "setLearn"),
  /** Tells where everything is, how many there are, and what is wrong. */
  status: onPage({}, wholeStatus),
};
