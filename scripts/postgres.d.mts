export interface ThrowawayServer {
  url: (role?: string, database?: string) => string;
  socketUrl: (role?: string, database?: string) => string;
  start: () => Promise<void>;
  kill: () => Promise<void>;
  stop: () => Promise<void>;
}
export function findPostgres(): string | undefined;
export function startPostgres(folder: string, settings?: Record<string, string>): Promise<ThrowawayServer>;
