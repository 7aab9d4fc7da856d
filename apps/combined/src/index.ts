/**
 * @finhook/combined: api and worker in one process, for small installations and laptops. Owns what they share and the
 * order in which they start and stop. Contains nothing else: each part is what it is in a process of its own.
 */
export { type CombinedEnv, combinedEnv } from './env.ts';
export { type RunningCombined, startCombined } from './start-combined.ts';
