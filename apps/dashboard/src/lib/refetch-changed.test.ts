// Risk: a figure stays old because each event restarts its read, or because nothing refetches it.
import { allEventTypes } from '@finhook/contracts';
import { MutationObserver, QueryClient, type QueryMeta, QueryObserver } from '@tanstack/react-query';
import { expect, test } from 'vitest';
import { changedParts, createRefetchChanged } from './refetch-changed.ts';

const partsOf = (type: string) => [...changedParts({ events: [type] })];

test('a posted balance changes cash, the figures computed from it, and the log', () => {
  expect(partsOf('bank.balance.updated').sort()).toEqual([
    'activity',
    'cash.balances',
    'deliveries',
    'events',
    'financials',
  ]);
});

test('a changed company changes every figure, because they depend on its zone and base currency', () => {
  expect(partsOf('company.updated')).toEqual(expect.arrayContaining(['companies', 'cash', 'financials']));
});

test('a mutation without an event changes its own part of the table', () => {
  expect([...changedParts({ mutation: 'cases.update' })]).toContain('cases');
  expect([...changedParts({ mutation: 'bank.wires.create' })]).toContain('bank.approvals');
  const settings = [...changedParts({ mutation: 'financials.settings.update' })];
  expect(settings).toEqual(expect.arrayContaining(['financials.settings', 'cash']));
});

test.each(allEventTypes)('%s changes something beyond the log', (type) => {
  expect(partsOf(type).some((part) => !['activity', 'events', 'deliveries'].includes(part))).toBe(true);
});

function watch(client: QueryClient, path: string[] | string, meta?: QueryMeta, input?: object) {
  const reads: PromiseWithResolvers<number>[] = [];
  const observer = new QueryObserver(client, {
    queryKey: [path, { type: 'query', ...(input && { input }) }],
    queryFn: () => {
      const read = Promise.withResolvers<number>();
      reads.push(read);
      return read.promise;
    },
    ...(meta ? { meta } : {}),
  });
  observer.subscribe(() => undefined);
  return { reads, data: () => observer.getCurrentResult().data };
}

const turn = () => new Promise((resolve) => setTimeout(resolve));

test('an event refetches only the data that it changed', async () => {
  const client = new QueryClient();
  const cash = watch(client, ['cash', 'onHand']);
  const cases = watch(client, ['cases', 'list']);
  cash.reads[0]?.resolve(1);
  cases.reads[0]?.resolve(1);
  await turn();
  void createRefetchChanged(client)({ events: ['bank.balance.updated'] });
  await turn();
  expect([cash.reads.length, cases.reads.length]).toEqual([2, 1]);
});

test('a query in flight finishes despite new events, and is refetched once', async () => {
  const client = new QueryClient();
  const refetchChanged = createRefetchChanged(client);
  const slow = watch(client, ['financials', 'dataQuality']);
  for (let i = 0; i < 5; i++) void refetchChanged({ events: ['bank.balance.updated'] });
  await turn();
  expect(slow.reads).toHaveLength(1);
  slow.reads[0]?.resolve(1);
  await turn();
  await turn();
  expect(slow.data()).toBe(1);
  expect(slow.reads).toHaveLength(2);
  slow.reads[1]?.resolve(2);
  await turn();
  expect([slow.data(), slow.reads.length]).toEqual([2, 2]);
});

test('a query with `changedBy` is refetched by a mutation of this page, and not by an event', async () => {
  const client = new QueryClient();
  const refetchChanged = createRefetchChanged(client);
  const sums = watch(client, 'sums', { changedBy: 'bank.transactions' });
  sums.reads[0]?.resolve(1);
  await turn();
  void refetchChanged({ events: ['bank.transaction.updated'] });
  await turn();
  expect(sums.reads).toHaveLength(1);
  void refetchChanged({ mutation: 'bank.transactions.bulk' });
  await turn();
  expect(sums.reads).toHaveLength(2);
});

test('a query with `eventsEveryMs` is read once for the events of that time, and for what changed while it was read', async () => {
  const client = new QueryClient();
  const scheduled: [run: () => void, ms: number][] = [];
  const refetchChanged = createRefetchChanged(client, (...one) => void scheduled.push(one));
  const day = 86_400_000;
  const sums = watch(client, 'sums', { changedBy: 'bank.transactions', eventsEveryMs: day });
  sums.reads[0]?.resolve(1);
  await turn();
  for (let i = 0; i < 3; i++) void refetchChanged({ events: ['bank.transaction.updated'] });
  void refetchChanged({ events: ['bank.balance.updated'] });
  await turn();
  expect([scheduled.length, sums.reads.length]).toEqual([1, 1]);
  expect(scheduled[0]?.[1]).toBeLessThanOrEqual(day);
  scheduled[0]?.[0]();
  await turn();
  expect(sums.reads).toHaveLength(2);
  void refetchChanged({ events: ['bank.transaction.updated'] });
  await turn();
  expect([scheduled.length, scheduled[1]?.[1], sums.reads.length]).toEqual([2, day, 2]);
  sums.reads[1]?.resolve(2);
  await turn();
  expect(sums.reads).toHaveLength(2);
  scheduled[1]?.[0]();
  await turn();
  expect(sums.reads).toHaveLength(3);
});

test('queries with `first` are refetched before the others', async () => {
  const client = new QueryClient();
  const first = watch(client, ['cash', 'onHand'], { first: true });
  const rest = watch(client, ['cash', 'history']);
  first.reads[0]?.resolve(1);
  rest.reads[0]?.resolve(1);
  await turn();
  void createRefetchChanged(client)({ events: ['bank.balance.updated'] });
  await turn();
  expect([first.reads.length, rest.reads.length]).toEqual([2, 1]);
  first.reads[1]?.resolve(2);
  await turn();
  expect(rest.reads).toHaveLength(2);
});

test('a mutation of this page refetches what it changed, except what it deleted', async () => {
  const client = new QueryClient();
  createRefetchChanged(client);
  const list = watch(client, ['webhookEndpoints', 'list']);
  const record = watch(client, ['webhookEndpoints', 'get'], undefined, { endpoint_id: 'we_1' });
  const cases = watch(client, ['cases', 'list']);
  for (const { reads } of [list, record, cases]) reads[0]?.resolve(1);
  await turn();
  const mutate = (id: string) =>
    new MutationObserver<unknown, Error, object>(client, { mutationKey: [id], mutationFn: async () => ({}) }).mutate({
      endpoint_id: 'we_1',
    });
  await mutate('webhookEndpoints.update');
  await turn();
  expect([list, record, cases].map(({ reads }) => reads.length)).toEqual([2, 2, 1]);
  for (const { reads } of [list, record]) reads[1]?.resolve(2);
  await turn();
  await mutate('webhookEndpoints.delete');
  await turn();
  expect([list, record, cases].map(({ reads }) => reads.length)).toEqual([3, 2, 1]);
});
