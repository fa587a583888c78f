import type {
  HealthReport,
  ExtractClaimsReport,
  ExtractClaimsRequest,
  Attestation,
  CheckDiffRequest,
  CheckReport,
  DiffReport,
  RepairRequest,
  RepairResult,
  TidyReport,
  VerifyResult,
} from "../here/api/maintenance-reports.ts";
import type { Progress, StatusReport } from "../here/api/setup-reports.ts";
import { milliseconds, object, optional, described, shape, type Methods } from "../here/api/schema.ts";
import type { Actor } from "../memory/memory.ts";
import {
  optionalText,
  optionalFlag,
  isApplied,
  texts,
  handle,
  handles,
  progress,
  actor,
} from "./arguments.ts";
import { method, onPage } from "../here/call.ts";
import { wholeStatus } from "./setup.ts";

/** Whether memories are sound, and keeping them so. */
export interface MaintenanceApi {
  /**
   * Checks every file of the stores that hold here; a broken one is reported and hides no other.
   *
   * @example
   * const { errors } = await heed.maintenance.check();
   * errors; // → 0
   */
  check(): Promise<CheckReport>;
  /**
   * Tells what a change of the repository does to the memories in it: what it makes false, with the repair as a patch; rules
   * and guards that it brings or takes out of force; what is wrong with the memory files that it touches. Makes the repairs with `isFixed`.
   *
   * @throws HeedError `invalid-input` outside of a repository or for a base that is not here; `changed-outside`.
   * @example
   * const { errors, patch } = await heed.maintenance.checkDiff({ isStaged: true }, person);
   * [errors, patch]; // → [0, ""]
   */
  checkDiff(request: CheckDiffRequest, actor: Actor): Promise<DiffReport>;
  /**
   * Tells what is wrong with the memories here, each finding with the command that mends it.
   *
   * @example
   * const { total } = await heed.maintenance.health();
   * total; // → 3
   */
  health(): Promise<HealthReport>;
  /**
   * Attests a memory: what it claims is checked; refused when a claim is false or nothing was attested.
   *
   * @throws HeedError `invalid-input`; `not-found` and `ambiguous`; `read-only`; `changed-outside`; `broken-file`.
   * @example
   * const { outcome } = await heed.maintenance.verify("budget-board", { note: "opened the board today" }, person);
   * outcome; // → "verified"
   */
  verify(handle: string, attestation: Attestation, actor: Actor): Promise<VerifyResult>;
  /**
   * Proposes to put right what a memory says of things that moved or changed; makes the change with `isApplied`.
   *
   * @throws HeedError `invalid-input`; `not-found` and `ambiguous`; `changed-outside` when it no longer has `ifHash`;
   *   `read-only`; `broken-file`.
   * @example
   * const { outcome, isApplied } = await heed.maintenance.repair("retries", {}, person);
   * [outcome, isApplied]; // → ["nothing", false]
   */
  repair(handle: string, request: RepairRequest, actor: Actor): Promise<RepairResult>;
  /**
   * Finds the claims that memories make about the repository at hand; adds them with `isApplied`.
   *
   * @throws HeedError `invalid-input`; `not-found` and `ambiguous`; `read-only`; `changed-outside`; `broken-file`.
   * @example
   * const { looked, isApplied } = await heed.maintenance.extractClaims({ handles: ["retries"] }, person);
   * [looked, isApplied]; // → [1, false]
   */
  extractClaims(request: ExtractClaimsRequest, actor: Actor): Promise<ExtractClaimsReport>;
  /**
   * Tells what maintenance would merge, retire, weigh again or ask about; does it with `isApplied`. Every step can be undone.
   *
   * @throws HeedError `invalid-input`; `changed-outside`; `broken-file`.
   * @example
   * const { isApplied, steps } = await heed.maintenance.tidy();
   * [isApplied, steps.length]; // → [false, 0]
   */
  tidy(request?: { isApplied?: boolean }): Promise<TidyReport>;
  /**
   * Builds the search indexes of all stores again. Nothing needs it: what is damaged or old is built again when it is read.
   *
   * @throws HeedError `invalid-input` for a progress that is no function.
   * @example
   * const { stores } = await heed.maintenance.reindex();
   * stores[0]?.index; // → "fresh"
   */
  reindex(progress?: Progress): Promise<StatusReport>;
  /**
   * Looks over all claims here so that prompts find the verdicts ready; resolves to the number of stale memories.
   *
   * @param options - `limitMs`: it ends after this many milliseconds, and goes on the next time. Default 10,000.
   * @throws HeedError `invalid-input` for an invalid limit.
   * @example
   * const stale = await heed.maintenance.refreshVerdicts({ limitMs: 5_000 });
   * stale; // → 0
   */
  refreshVerdicts(options?: { limitMs?: number | undefined }): Promise<number>;
}

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
const extraction = shape<ExtractClaimsRequest>({ handles: optional(handles), isApplied });
const refresh = optional(object({ limitMs: optional(milliseconds) }));

const verifyMemory = () => import("../care/verify-memory.ts");
const loadTidy = () => import("../care/tidy.ts");

/** @internal */
export const MAINTENANCE: Methods<MaintenanceApi> = {
  check: method({}, () => import("../care/check-stores.ts"), "checkStores"),
  checkDiff: method({ request: diff, actor }, () => import("../care/check-diff.ts"), "checkDiff"),
  health: onPage({}, () => import("../care/health.ts"), "healthOf"),
  verify: onPage({ handle, attestation, actor }, verifyMemory, "verifyMemory"),
  repair: onPage({ handle, request: repair, actor }, verifyMemory, "repairMemory"),
  extractClaims: onPage({ request: extraction, actor }, verifyMemory, "extractMemoryClaims"),
  tidy: method({ request: optional(object({ isApplied })) }, loadTidy, "tidy"),
  reindex: method({ progress }, async (place, report) => {
    await (await import("../care/setup/status.ts")).reindexAll(place, report);
    return wholeStatus(place);
  }),
  refreshVerdicts: method({ options: refresh }, async (place, { limitMs } = {}) =>
    (await import("../here/claims/claim-checker.ts")).refreshVerdicts(place, limitMs),
  ),
};
