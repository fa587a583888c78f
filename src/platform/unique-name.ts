/** A name that no other process or call uses, without the cost of loading node:crypto. */
export function uniqueName(): string {
  const random = Math.floor(Math.random() * 0x1_00_00_00_00).toString(36);
  return `${Date.now().toString(36)}-${process.pid.toString(36)}-${random}`;
}
