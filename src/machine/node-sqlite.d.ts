declare module "node:sqlite" {
  export class DatabaseSync {
    constructor(path: string, options: { readOnly: boolean });
    prepare(sql: string): { all(...values: unknown[]): Record<string, unknown>[] };
    close(): void;
  }
}
