import { SKILL_FORMAT } from "./agent-skills.ts";
import type { ForeignSource, ImportFormat } from "./import-format.ts";
import { ANY_NOTES_FORMAT, NOTES_FORMATS } from "./note-formats.ts";
import { jsonListOf, RECORD_FORMATS } from "./record-formats.ts";
import { RULE_FILE_FORMATS } from "./rule-files.ts";
import { HEED_EXPORT_FORMAT, TYPED_FILE_FORMATS } from "./typed-files.ts";

/** All formats that can be imported. What says itself what it is comes before what is told by its looks. */
const IMPORT_FORMATS: readonly ImportFormat[] = [
  HEED_EXPORT_FORMAT,
  ...NOTES_FORMATS,
  SKILL_FORMAT,
  ...TYPED_FILE_FORMATS,
  ...RECORD_FORMATS,
  ...RULE_FILE_FORMATS,
  ANY_NOTES_FORMAT,
];

/** The format of a source; undefined for none that heed knows. */
export function formatOf(source: ForeignSource): ImportFormat | undefined {
  return IMPORT_FORMATS.find((format) => format.recognise(source));
}

/** What a source that is no known format looks like, for a refusal that helps. */
export function describeUnknown(source: ForeignSource): string {
  const [left] = source.passedOver;
  if (source.files.length === 0)
    return left ? `a folder that heed cannot read (${left.place || "."}: ${left.reason})` : "an empty folder";
  const { records, damaged } = jsonListOf(source);
  const isDamaged = records.length === 0 && damaged.length > 0;
  const what = isDamaged ? "is no JSON, or damaged" : "has no known form";
  return source.isFile
    ? `a file named ${source.name} that ${what}`
    : "a folder without a file that looks like a memory";
}
