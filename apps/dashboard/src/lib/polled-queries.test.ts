// Risk: a page says that changes appear automatically, and shows outdated data that no event reports.
import { operationList } from '@finhook/contracts';
import { QueryClient } from '@tanstack/react-query';
import { expect, test } from 'vitest';
import { polledParts, pollSilentChanges } from './polled-queries.ts';

/** The pages of these operations poll on their own; a sync and a redelivery end with an event. */
const followed = ['bank.connections.sync', 'deliveries.', 'events.'];

const silent = operationList
  .filter(({ kind, emits }) => kind === 'mutation' && emits.length === 0)
  .map(({ id }) => id)
  .filter((id) => !followed.some((prefix) => id.startsWith(prefix)));

test.each(silent)('what %s changes is read again although no event tells of it', (id) => {
  const client = new QueryClient();
  pollSilentChanges(client);
  const path = [...id.split('.').slice(0, -1), 'list'];
  expect(client.getQueryDefaults([path, { type: 'query' }]).refetchInterval).toBeGreaterThan(0);
});

test('what events tell of is not read again for nothing', () => {
  const client = new QueryClient();
  pollSilentChanges(client);
  for (const path of [
    ['bank', 'transactions', 'list'],
    ['cash', 'onHand'],
    ['financials', 'burn'],
    ['companies', 'list'],
  ])
    expect(client.getQueryDefaults([path, { type: 'query' }])).toEqual({});
  expect(polledParts().length).toBeGreaterThan(0);
});
