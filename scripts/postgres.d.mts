export interface ThrowawayServer {
  url: (role?: string, database?: string) => string;
  socketUrl: (role?: string, database?: string) => string;
  start: () => Promise<void>;
  kill: () => Promise<void>;
  stop: () => Promise<void>;
}
export function findPostgres(): string | undefined;
export function startPostgres(folder: string, settings?: Record<string, string>): Promise<ThrowawayServer>;
export const hasPgbouncer: boolean;
export function startPgbouncer(
  server: { url: (role: string) => string },
  options?: { poolSize?: number },
): Promise<{ url: (role?: string) => string; stop: () => Promise<void> }>;
