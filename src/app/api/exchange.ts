import type { Actor } from "../../memory/actor.ts";
import type {
  ExportReport,
  ExportRequest,
  ForeignStore,
  ImportReport,
  ImportRequest,
} from "./exchange-reports.ts";
import type { Progress } from "./progress.ts";

/** Memories of other tools in, heed's own out. */
export interface ExchangeApi {
  /**
   * Names the memories that other tools keep for this directory and user, with the command that takes each over.
   *
   * @throws HeedError The codes that every method can come with (see `Heed`).
   * @example
   * const found = await heed.exchange.sources();
   * found; // → []
   */
  sources(): Promise<ForeignStore[]>;
  /**
   * Tells what it would take of another tool's file or folder, and why it would leave the rest; takes it with `isApplied`,
   * each statement through the gates. What was imported before is found again.
   *
   * @throws HeedError `invalid-input` for a path with nothing at it, a source of no known format, or a database that this
   *   Node cannot read; `no-store`.
   * @example
   * const told = await heed.exchange.importFrom({ from: notes }, person).catch(({ code }) => code);
   * told; // → "invalid-input"
   */
  importFrom(request: ImportRequest, actor: Actor, progress?: Progress): Promise<ImportReport>;
  /**
   * Gives memories in a form that others read. Writes nothing.
   *
   * @throws HeedError `invalid-input` for a form that is none.
   * @example
   * const { files } = await heed.exchange.exportAs({ format: "json" });
   * files.map(({ path }) => path); // → ["heed-memories.json"]
   */
  exportAs(request?: ExportRequest): Promise<ExportReport>;
}
