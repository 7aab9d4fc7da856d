/**
 * @finhook/worker: the delivery process. It owns the jobs of the catalogue, the schedules and the reconciler.
 * It must not decide who receives what (core does), or what a response means (delivery does); it keeps nothing that
 * can't be lost.
 */
export { createWorker, type SharedStores, type Worker } from './create-worker.ts';
export { workerEnvSchema } from './env.ts';
