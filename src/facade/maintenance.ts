import type { Attestation, RepairRequest } from "../care/verify-memory.ts";
import type { CheckDiffRequest } from "../care/check-diff.ts";
import type { CheckRequest } from "../care/health.ts";
import { object, optional, described, shape } from "../here/schema.ts";
import { optionalText, optionalFlag, isApplied, texts, handle, actor } from "./arguments.ts";
import { method, onPage } from "../here/call.ts";
import { wholeStatus } from "./setup.ts";

const attestation = shape<Attestation>({
  claims: described(texts, "a further claim that holds: path:src/a.ts …"),
  note: described(optionalText, "how it was checked; it is kept with the change"),
});
const repair = shape<RepairRequest>({ isApplied, ifHash: optionalText, takesValues: optionalFlag });
const diff = shape<CheckDiffRequest>({
  base: optionalText,
  isStaged: optionalFlag,
  isFixed: optionalFlag,
});

const verifyMemory = () => import("../care/verify-memory.ts");
const loadHealth = () => import("../care/health.ts");
const loadTidy = () => import("../care/tidy.ts");

export const MAINTENANCE = {
  /**
   * Checks every file of the stores that hold here; a broken one is reported and hides no other.
   *
   * @param request - `withHealth`: what `health` tells too, without looking at the files twice.
   * @throws HeedError `invalid-input` for an invalid request.
   */
  check: method(
    { request: optional(shape<CheckRequest>({ withHealth: optionalFlag })) },
    loadHealth,
    "checkAll",
  ),
  /**
   * Tells what a change of the repository does to the memories in it: what it makes false, with the repair as a patch; rules
   * and guards that it brings or takes out of force; what is wrong with the memory files that it touches. Makes the repairs with `isFixed`.
   *
   * @throws HeedError `invalid-input` outside of a repository or for a base that is not here; `changed-outside`.
   */
  checkDiff: method({ request: diff, actor }, () => import("../care/check-diff.ts"), "checkDiff"),
  /** Tells what is wrong with the memories here, each finding with the command that mends it. */
  health: onPage({}, async (place) => (await loadHealth()).healthOf(place)),
  /**
   * Attests a memory: what it claims is checked; refused when a claim is false or nothing was attested.
   *
   * @throws HeedError `invalid-input`; `not-found` and `ambiguous`; `read-only`; `changed-outside`; `broken-file`.
   */
  verify: onPage({ handle, attestation, actor }, verifyMemory, "verifyMemory"),
  /**
   * Proposes to put right what a memory says of things that moved or changed; makes the change with `isApplied`.
   *
   * @throws HeedError `invalid-input`; `not-found` and `ambiguous`; `changed-outside` when it no longer has `ifHash`;
   *   `read-only`; `broken-file`.
   */
  repair: onPage({ handle, request: repair, actor }, verifyMemory, "repairMemory"),
  /**
   * Tells what maintenance would merge or retire; does it with `isApplied`. Every step can be undone.
   *
   * @throws HeedError `invalid-input`; `changed-outside`; `broken-file`.
   */
  tidy: method({ request: optional(object({ isApplied })) }, loadTidy, "tidy"),
  /** Builds the search indexes of all stores again. Nothing needs it: what is damaged or old is built again when it is read. */
  reindex: method({}, async (place) => {
    await (await import("../care/setup/status.ts")).reindexAll(place);
    return wholeStatus(place);
  }),
  /**
   * Looks over all claims here for ten seconds at most, so that prompts find the verdicts ready; resolves to the number of
   * stale memories.
   */
  refreshVerdicts: method({}, async (place) =>
    (await import("../here/claims/claim-checker.ts")).refreshVerdicts(place),
  ),
};
