import { TypeTable } from "../src/memory/memory-type.ts";

/** The types whose memories a prompt may bring. */
export const FACT_TYPES: readonly string[] = new TypeTable()
  .all()
  .filter(({ injection }) => ["personal", "related", "mentioned", "symptom"].includes(injection))
  .map(({ name }) => name);
