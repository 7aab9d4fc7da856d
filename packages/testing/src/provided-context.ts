declare module 'vitest' {
  interface ProvidedContext {
    /** Superuser URL of the run's PostgreSQL server, database `postgres`. */
    pgUrl: string;
    /** URL of the run's Redis, or null where there is none. */
    redisUrl: string | null;
  }
}

export {};
