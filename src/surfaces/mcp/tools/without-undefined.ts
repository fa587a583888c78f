/** A type without `undefined` in its optional fields, deeply: what exact optional fields of the façade want. */
export type Defined<T> = T extends readonly unknown[]
  ? T
  : T extends object
    ? { [K in keyof T]: Defined<Exclude<T[K], undefined>> }
    : T;

/** The fields of a record that are set: optional input comes as `undefined`, the façade wants it absent. */
export function withoutUndefined<T extends object>(record: T): Defined<T> {
  const set = Object.entries(record).filter(([, value]) => value !== undefined);
  return Object.fromEntries(set) as Defined<T>;
}
