// Risk: saving an endpoint's form changes an option that nobody edited, or drops a stored header value.
import { expect, test } from 'vitest';
import { changesOf, draftOf, newPair, readDraft } from './endpoint-draft.view.ts';
import type { Endpoint } from './endpoint-health.view.ts';
import { sampleEndpoint } from './test/sample-endpoint.ts';

const endpoint: Endpoint = sampleEndpoint({
  events: ['bank.balance.updated'],
  headers: { authorization: '***abcd' },
  timeout_ms: 2_500,
  retry_schedule: [5, 300],
  filter: { op: 'not', of: { op: 'eq', field: 'data.currency', value: 'USD' } },
  rate_limit: { requests: 100, per_seconds: 60 },
  signature_versions: ['v1', 'v1a'],
  metadata: { team: 'treasury' },
});

function inputOf(draft: ReturnType<typeof draftOf>) {
  const read = readDraft(draft);
  if (!('input' in read)) throw new Error(JSON.stringify(read.errors));
  return read.input;
}

test('an untouched form changes nothing', () => {
  expect(changesOf(endpoint, inputOf(draftOf(endpoint)))).toEqual({});
  expect(changesOf(sampleEndpoint(), inputOf(draftOf(sampleEndpoint())))).toEqual({});
});

test('a change names only what differs', () => {
  const draft = { ...draftOf(endpoint), description: ' Treasury ', timeoutSeconds: '', ordered: true };
  expect(changesOf(endpoint, inputOf(draft))).toEqual({ description: 'Treasury', timeout_ms: null, ordered: true });
});

test('headers are sent whole, with the masked values as they were read', () => {
  const draft = draftOf(endpoint);
  const changed = { ...draft, headers: [...draft.headers, newPair('X-Team', 'a')] };
  expect(changesOf(endpoint, inputOf(changed))).toEqual({ headers: { authorization: '***abcd', 'x-team': 'a' } });
});

test('a new endpoint asks for the defaults', () => {
  expect(inputOf({ ...draftOf(), url: ' https://example.com ' })).toMatchObject({
    url: 'https://example.com',
    events: [],
    company_id: null,
    headers: {},
    timeout_ms: null,
    retry_schedule: null,
    filter: null,
    rate_limit: null,
    signature_versions: ['v1'],
  });
});

test.each([
  [{ url: ' ' }, 'url'],
  [{ allEvents: false, events: [] }, 'events'],
  [{ timeoutSeconds: '15s' }, 'timeout_ms'],
  [{ maxConcurrency: '1.5' }, 'max_concurrency'],
  [{ retry: 'custom' as const, waits: 'soon' }, 'retry_schedule'],
  [{ rateRequests: '100', ratePerSeconds: '' }, 'rate_limit'],
  [{ headers: [newPair('X-A', '1'), newPair('x-a ', '2')] }, 'headers'],
  [{ metadata: [newPair('', 'value')] }, 'metadata'],
])('%j is told at its field', (part, field) => {
  const read = readDraft({ ...draftOf(endpoint), ...part });
  expect(Object.keys('errors' in read ? read.errors : {})).toEqual([field]);
});
