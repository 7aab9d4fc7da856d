export interface TestEnv {
  /** A Redis to test against instead of one started here; its current database gets flushed. */
  readonly redisUrl: string | null;
  /** Folders that may hold a redis-server program. */
  readonly searchPath: readonly string[];
}

/** The only place of the test tools that reads the environment. */
export function testEnv(source: NodeJS.ProcessEnv = process.env): TestEnv {
  return {
    redisUrl: source['REDIS_URL'] || null,
    searchPath: (source['PATH'] ?? '').split(':').filter((folder) => folder !== ''),
  };
}
