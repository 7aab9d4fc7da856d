// Risk: requests go on to where an endpoint no longer is, or with a key that its owner took back.
import type { Target } from '@finhook/core';
import { expect, test } from 'vitest';
import { target } from '../../test/slice-fixture.ts';
import { isSentAlike } from './is-sent-alike.ts';

const sealed = (id: string) => ({ id, open: () => '' });
const flow = { gated: false, ordered: false, spared: true, open: false, unreachable: 2 };

test.each<[string, Partial<Target>]>([
  ['nothing changed', { secret: { ...target.secret } }],
  ['it failed', { failing: true, flow }],
  ['it answered', { lastSuccessAt: new Date() }],
])('a turn goes on as it was when %s', (_what, change) => {
  expect(isSentAlike(target, { ...target, ...change })).toBe(true);
});

test.each<[string, Partial<Target>]>([
  ['url', { url: 'http://127.0.0.1/other' }],
  ['resumption', { resumedAt: new Date() }],
  ['secret', { secret: sealed('new') }],
  ['overlap', { previousSecret: sealed('old') }],
  ['private key', { privateKey: sealed('private') }],
  ['headers', { headers: { id: 'headers', open: () => ({}) } }],
  ['time limit', { timeoutMs: 1_000 }],
  ['schedule', { retrySchedule: [0, 1_000] }],
  ['rate limit', { flow: { ...flow, gated: true } }],
  ['concurrency', { flow: { ...flow, maxConcurrency: 1 } }],
])('a turn ends when its %s is another one', (_what, change) => {
  expect(isSentAlike(target, { ...target, ...change })).toBe(false);
});
