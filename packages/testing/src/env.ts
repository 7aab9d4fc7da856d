export interface TestEnv {
  /** A Redis to test against instead of one started here; its current database gets flushed. */
  readonly redisUrl: string | null;
  /** A Chromium to drive instead of one of the search path. */
  readonly chromiumPath: string | null;
  /** Folders that may hold the programs redis-server and chromium. */
  readonly searchPath: readonly string[];
}

/** The only place of the test tools that reads the environment. */
export function testEnv(source: NodeJS.ProcessEnv = process.env): TestEnv {
  return {
    redisUrl: source['REDIS_URL'] || null,
    chromiumPath: source['CHROMIUM_PATH'] || null,
    searchPath: (source['PATH'] ?? '').split(':').filter((folder) => folder !== ''),
  };
}
