import { FACT_INJECTIONS, TypeTable } from "../src/memory/memory-type.ts";

/** The types whose memories a prompt may bring. */
export const FACT_TYPES: readonly string[] = new TypeTable()
  .all()
  .filter(({ injection }) => FACT_INJECTIONS.has(injection))
  .map(({ name }) => name);
