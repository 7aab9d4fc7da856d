// Risk: a hand-off that Redis has stored counts as rejected, and is sent twice.
import { createLogger } from '@finhook/runtime';
import { expect, test } from 'vitest';
import { createBackendHealth } from './backend-health.ts';
import { reopeningQueue } from './bullmq.ts';
import { JobsRejectedError } from './driver.ts';

/** A queue whose adds fail with this reply of Redis. */
function failing(message: string) {
  const reply = Object.assign(new Error(message), { name: 'ReplyError' });
  const fail = () => Promise.reject(reply);
  const opened = {
    on: () => undefined,
    waitUntilReady: async () => undefined,
    close: async () => undefined,
    add: fail,
    addBulk: fail,
    getJobCounts: fail,
  };
  const health = createBackendHealth(createLogger({ level: 'silent', name: 'test' }));
  health.up();
  return { reply, health, queue: reopeningQueue(() => opened, health) };
}

const job = { name: 'deliver', data: {}, opts: {} };
const full = "OOM command not allowed when used memory > 'maxmemory'.";
const inScript = (reply: string) => `ERR Error running script (call to f_1b): @user_script:25: -${reply}`;

test.each([
  `${full} script: 1b, on @user_script:25.`,
  inScript(full),
  "READONLY You can't write against a read only replica.",
  inScript("READONLY You can't write against a read only replica."),
  'MISCONF Redis is configured to save RDB snapshots, but it is currently unable to persist to disk.',
])('a job that Redis rejects before it writes is rejected, and the queue is away: %s', async (message) => {
  const { queue, health } = failing(message);
  await expect(queue.addBulk([job])).rejects.toThrow(JobsRejectedError);
  expect(health.isUp()).toBe(false);
});

test.each([
  'WRONGTYPE Operation against a key holding the wrong kind of value script: 1b, on @user_script:25.',
  "NOPERM User finhook has no permissions to run the 'zadd' command script: 1b, on @user_script:25.",
  'ERR value is not an integer or out of range',
])('a job whose script Redis may have run in part is not rejected: %s', async (message) => {
  const { queue, health, reply } = failing(message);
  await expect(queue.addBulk([job])).rejects.toBe(reply);
  expect(health.isUp()).toBe(true);
});

test('of several jobs, Redis may have some when it rejects others', async () => {
  const { queue, reply } = failing(full);
  await expect(queue.addBulk([job, job])).rejects.toBe(reply);
});

test('calls on a queue that failed to become ready wait for the one that replaces it', async () => {
  const added: string[] = [];
  let opened = 0;
  const open = () => {
    opened += 1;
    const name = `queue ${opened}`;
    const add = async () => void added.push(name);
    const waitUntilReady =
      opened === 1 ? () => Promise.reject(new Error('Connection is closed.')) : async () => undefined;
    const getJobCounts = async () => ({ waiting: opened });
    return { on: () => undefined, waitUntilReady, close: async () => undefined, add, addBulk: add, getJobCounts };
  };
  const health = createBackendHealth(createLogger({ level: 'silent', name: 'test' }));
  health.up();
  const queue = reopeningQueue(open, health);
  await Promise.all([queue.addBulk([job]), queue.addBulk([job, job])]);
  expect(await queue.counts()).toMatchObject({ waiting: 2 });
  expect(added).toEqual(['queue 2', 'queue 2']);
});
