/** What tells the JSON that heed exports; docs/format.md has its schema. */
export const EXPORT_FORMAT = "heed-memories";
export const EXPORT_VERSION = 1;
