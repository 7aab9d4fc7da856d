// Risk: a delivery that the worker of this process can't take waits for a lease that nobody uses, or fails its request.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { type HandOff, newDeliveryLeaseMs } from './delivery-queue.ts';
import { createInProcessQueue, type HandOffReceiver } from './in-process-queue.ts';

const handOffs: readonly HandOff[] = [
  {
    eventId: 'evt_1',
    eventType: 'case.created',
    sequence: '1',
    accountId: 'acct_1',
    body: '{}',
    bodyBytes: 2,
    at: 0,
    deliveries: [{ id: 'dlv_1', endpointId: 'we_1', endpointVersion: '1' }],
  },
];
const endpoint = { id: 'we_2', accountId: 'acct_1' };

/** A queue, with what happened in order. */
function openQueue() {
  const log: string[] = [];
  const queue = createInProcessQueue({
    wakeAny: (endpoints) => void log.push(`wakes any for ${endpoints.map(({ id }) => id).join()}`),
    onError: (error) => void log.push(String(error)),
  });
  const receiver = (full: readonly string[] = []): HandOffReceiver => ({
    hasRoom: (accountId = '') => !full.includes(accountId),
    take: (taken) => void log.push(...taken.map(({ eventId }) => `takes ${eventId}`)),
    poke: (endpoints) => void log.push(`looks at ${endpoints.map(({ id }) => id).join()}`),
  });
  const add = async (given: readonly HandOff[], endpoints = [endpoint]) => {
    queue.add(given, endpoints, () => void log.push('lost'));
    log.push('stored');
    await nextTurn();
    return log;
  };
  return { queue, receiver, add };
}

test('the worker of the process takes what was stored, after its request, and no other one is woken', async () => {
  const { queue, receiver, add } = openQueue();
  queue.connect(receiver());
  expect(queue.leaseMs('acct_1')).toBe(newDeliveryLeaseMs);
  expect(await add(handOffs)).toEqual(['stored', 'takes evt_1', 'looks at we_2']);
});

test('before the worker starts nothing is leased, and a worker of any process is woken', async () => {
  const { queue, add } = openQueue();
  expect(queue.leaseMs('acct_1')).toBe(0);
  expect(await add([])).toEqual(['stored', 'wakes any for we_2']);
});

test('an account whose slots are used up leases nothing and wakes a worker of any process; another one leases', async () => {
  const { queue, receiver, add } = openQueue();
  queue.connect(receiver(['acct_1']));
  expect(['acct_1', 'acct_2'].map((id) => queue.leaseMs(id))).toEqual([0, newDeliveryLeaseMs]);
  const endpoints = [endpoint, { id: 'we_3', accountId: 'acct_2' }];
  expect(await add([], endpoints)).toEqual(['stored', 'looks at we_2,we_3', 'wakes any for we_2']);
});

test('what was leased while the worker closed gives its leases back', async () => {
  const { queue, receiver, add } = openQueue();
  const disconnect = queue.connect(receiver());
  expect(queue.leaseMs('acct_1')).toBe(newDeliveryLeaseMs);
  disconnect();
  expect(queue.leaseMs('acct_1')).toBe(0);
  expect(await add(handOffs, [])).toEqual(['stored', 'lost']);
});

test('an error of the worker reaches the log and no request', async () => {
  const { queue, receiver, add } = openQueue();
  const take = () => {
    throw new Error('broken');
  };
  queue.connect({ ...receiver(), take });
  expect(await add(handOffs)).toEqual(['stored', 'Error: broken']);
});
