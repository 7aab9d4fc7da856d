declare module 'vitest' {
  interface ProvidedContext {
    /** Superuser URL of the run's PostgreSQL server, database `postgres`. */
    pgUrl: string;
  }
}

export {};
