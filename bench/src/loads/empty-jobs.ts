import { createPostgresBackend, Queue, runMigrations, Worker, withBackend } from 'bullmq';
import { Pool } from 'pg';
import type { EmptyJobsLoad, LoadResult } from './load.ts';

const queueName = 'bench-empty';
const concurrency = 100;
const chunk = 500;
const jobOptions = { removeOnComplete: true, removeOnFail: true };

interface Opened {
  addBulk(jobs: { name: string; data: object; opts: object }[]): Promise<unknown>;
  startWorker(process: () => Promise<void>): void;
  close(): Promise<void>;
}

function openRedis(queueUrl: string): Opened {
  const { hostname, port } = new URL(queueUrl);
  const connection = { host: hostname, port: Number(port), maxRetriesPerRequest: null };
  const queue = new Queue(queueName, { connection });
  let worker: Worker | undefined;
  return {
    addBulk: (jobs) => queue.addBulk(jobs),
    startWorker: (process) => {
      worker = new Worker(queueName, process, { connection, concurrency });
    },
    close: async () => {
      await worker?.close();
      await queue.close();
    },
  };
}

async function openPostgres(queueUrl: string): Promise<Opened> {
  const pool = new Pool({
    connectionString: queueUrl,
    max: 10,
    options: '-c search_path=bullmq,public -c synchronous_commit=off',
  });
  const client = await pool.connect();
  await runMigrations(client);
  client.release();
  const backend = withBackend(createPostgresBackend);
  const connection = { connectionString: queueUrl };
  const queue = new backend.Queue(queueName, { connection });
  let worker: { close(): Promise<unknown> } | undefined;
  return {
    addBulk: (jobs) => queue.addBulk(jobs),
    startWorker: (process) => {
      worker = new backend.Worker(queueName, process, { connection, concurrency });
    },
    close: async () => {
      await worker?.close();
      await queue.close();
      await pool.end();
    },
  };
}

/** Adds jobs that do nothing, in bulk, while a worker in the same process takes them; measures until the last is done. */
export async function runEmptyJobs({ queueUrl, jobs }: EmptyJobsLoad): Promise<LoadResult> {
  const opened = queueUrl.startsWith('postgres') ? await openPostgres(queueUrl) : openRedis(queueUrl);
  const finished = Promise.withResolvers<void>();
  let done = 0;
  const startedAt = performance.now();
  opened.startWorker(async () => {
    done += 1;
    if (done === jobs) finished.resolve();
  });
  for (let added = 0; added < jobs; added += chunk) {
    const size = Math.min(chunk, jobs - added);
    await opened.addBulk(Array.from({ length: size }, () => ({ name: 'empty', data: {}, opts: jobOptions })));
  }
  await finished.promise;
  const seconds = (performance.now() - startedAt) / 1000;
  await opened.close();
  return { count: jobs, seconds, latencies: [], accepted: [] };
}
