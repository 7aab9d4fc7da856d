/**
 * @finhook/worker: the delivery process. It owns the handlers of jobs, their schedules and the reconciler.
 * It must not decide who receives an event (core does) or what a response means (delivery does). Its memory may be lost.
 */
export { createWorker, type Worker } from './create-worker.ts';
export { workerEnvSchema, workerOptionsOf } from './env.ts';
