// Risk: the timing bar attributes an attempt's time to the wrong step.
import { expect, test } from 'vitest';
import {
  causeOf,
  endpointName,
  endpointNames,
  endpointWords,
  headerLines,
  hintAt,
  outcomeOf,
  segmentsOf,
  shortUrl,
} from './attempt.view.ts';

const timings = { dns_ms: 1, connect_ms: 2, tls_ms: null, first_byte_ms: 5, total_ms: 10 };

test('steps add up to the total, without those that took no time', () => {
  const segments = segmentsOf(timings);
  expect(segments.map(({ label, ms }) => [label, ms])).toEqual([
    ['DNS', 1],
    ['Connect', 2],
    ['Waiting for response', 5],
    ['Other', 2],
  ]);
  expect(segments.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(100);
});

test('steps that were rounded up beyond the total still fit', () => {
  const segments = segmentsOf({ ...timings, total_ms: 7 });
  expect(segments.map(({ ms }) => ms)).toEqual([1, 2, 5]);
  expect(segments.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(100);
  expect(segmentsOf({ dns_ms: null, connect_ms: null, tls_ms: null, first_byte_ms: null, total_ms: 0 })).toEqual([]);
});

test('outcomes, headers and addresses are short', () => {
  expect(outcomeOf({ status_code: 500, error: 'http_500' })).toBe('500');
  expect(outcomeOf({ status_code: 200, error: null, response_truncated: true })).toBe('200, response cut off');
  expect(outcomeOf({ status_code: 200, error: 'timeout' })).toBe('200, response did not end in time');
  expect(outcomeOf({ status_code: 503, error: 'protocol' })).toBe('503, response is not valid HTTP');
  expect(outcomeOf({ status_code: null, error: 'connect_refused' })).toBe('connect refused');
  expect(headerLines({ a: '1', b: '2' })).toBe('a: 1\nb: 2');
  expect(shortUrl('https://example.com/hook?token=x')).toBe('example.com/hook');
});

test('the cause of a failure is the last response, unless that succeeded or there was none', () => {
  const failed = (text: string | null) => ({ error: 'http_500', response_snippet: text });
  expect(causeOf([failed('locked'), failed('period is closing')])).toBe('period is closing');
  expect(causeOf([failed('locked'), { error: null, response_snippet: 'ok' }])).toBeNull();
  expect(causeOf([failed('locked'), { error: 'connect_refused', response_snippet: null }])).toBeNull();
  expect(causeOf([])).toBeNull();
});

test('endpoints of one server are distinguished by their path', () => {
  const words = (url: string, description: string | null = null) => Object.values(endpointWords(url, description));
  expect(words('http://127.0.0.1:4500/ledger?key=1')).toEqual(['/ledger', '127.0.0.1:4500']);
  expect(words('https://example.com/a/b', 'Ledger')).toEqual(['Ledger', 'example.com/a/b']);
  expect(words('https://example.com/')).toEqual(['example.com/', '']);
  expect(words('https://example.com')).toEqual(['example.com', '']);
});

test('an endpoint is called by its description, else by its address', () => {
  const url = 'https://example.com/hook?token=x';
  expect(endpointName({ url, description: 'ERP import' })).toBe('ERP import');
  expect(endpointName({ url, description: null })).toBe('example.com/hook');
});

test('endpoints that differ only in their hidden query get the end of their id', () => {
  const url = 'https://example.com/hook?token=';
  const names = endpointNames([
    { id: 'we_000000000001', url: `${url}x`, description: null },
    { id: 'we_000000000002', url: `${url}y`, description: null },
    { id: 'we_000000000003', url: `${url}z`, description: 'Billing' },
  ]);
  expect([...names.values()]).toEqual([
    'example.com/hook, …000001',
    'example.com/hook, …000002',
    'Billing (example.com/hook)',
  ]);
});

test('advice names the local time of the attempt', () => {
  const at = '2026-03-01T15:53:09.000Z';
  expect(hintAt({ hint: 'Check your server’s log at the time of this attempt: it failed.', at }, 'Europe/Berlin')).toBe(
    'Check your server’s log at 16:53:09: it failed.',
  );
  expect(hintAt({ hint: 'Look at the server’s own log for this time.', at }, 'UTC')).toContain('log at 15:53:09');
  expect(hintAt({ hint: null, at }, 'UTC')).toBeNull();
});
