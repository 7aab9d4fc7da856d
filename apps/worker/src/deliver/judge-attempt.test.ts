// Risk: a result is recorded wrongly: retried after the last attempt, or a manual attempt changes the schedule.
import type { ClaimedDelivery } from '@finhook/core';
import type { SendResult } from '@finhook/delivery';
import { describe, expect, test } from 'vitest';
import { claimOf } from '../../test/claim-of.ts';
import { judgeAttempt } from './judge-attempt.ts';

const now = new Date('2026-01-15T12:00:00.000Z');
const timing = { scale: 1, random: () => 0.5 };

function answer(statusCode: number, headers: Record<string, string> = {}) {
  return { kind: 'response', statusCode, headers, bodySnippet: 'text', durationMs: 12 } as const;
}

function failure(errorClass: 'timeout' | 'blocked_address' | 'tls') {
  return { kind: 'error', errorClass, message: 'It failed, whsec_abcdefghijkl.', durationMs: 15_000 } as const;
}

const dispositionOf = (result: SendResult, over: Partial<ClaimedDelivery> = {}) =>
  judgeAttempt(claimOf(over), result, { at: now, now }, timing).record.disposition;

describe('judgeAttempt', () => {
  test('an automatic attempt succeeds, waits for the next step, or has been the last', () => {
    expect(dispositionOf(answer(204))).toEqual({ kind: 'succeeded' });
    expect(dispositionOf(answer(500))).toEqual({ kind: 'retry', delayMs: 5_000 });
    expect(dispositionOf(failure('timeout'), { step: 1, attempt: 7 })).toEqual({ kind: 'retry', delayMs: 300_000 });
    expect(dispositionOf(answer(429, { 'retry-after': '60' }))).toEqual({ kind: 'retry', delayMs: 60_000 });
    expect(dispositionOf(answer(500), { step: 9 })).toEqual({ kind: 'failed' });
    expect(dispositionOf(answer(500), { step: 8 })).toMatchObject({ kind: 'retry' });
    expect(dispositionOf(answer(410))).toEqual({ kind: 'failed' });
    expect(dispositionOf(failure('blocked_address'))).toEqual({ kind: 'failed' });
  });

  test('a manual attempt that fails changes no schedule', () => {
    expect(dispositionOf(answer(500), { trigger: 'manual' })).toEqual({ kind: 'restore' });
    expect(dispositionOf(answer(410), { trigger: 'manual' })).toEqual({ kind: 'restore' });
    expect(dispositionOf(answer(500), { trigger: 'manual', scheduled: false })).toEqual({ kind: 'failed' });
    expect(dispositionOf(answer(200), { trigger: 'manual' })).toEqual({ kind: 'succeeded' });
  });

  test('a test is never retried', () => {
    expect(dispositionOf(answer(500), { trigger: 'test', scheduled: false })).toEqual({ kind: 'failed' });
    expect(dispositionOf(answer(200), { trigger: 'test', scheduled: false })).toEqual({ kind: 'succeeded' });
  });

  test('the record says what happened in plain words, without secrets', () => {
    const times = { at: now, now };
    expect(judgeAttempt(claimOf(), answer(200), times, timing).record).toMatchObject({
      at: now,
      durationMs: 12,
      statusCode: 200,
      error: null,
      errorMessage: null,
      responseSnippet: 'text',
    });
    expect(judgeAttempt(claimOf(), answer(307), times, timing).record).toMatchObject({
      error: 'http_307',
      errorMessage: 'The endpoint returned 307; redirects are not followed.',
    });
    const cutOff: SendResult = { ...answer(200), responseTruncated: true };
    expect(judgeAttempt(claimOf(), cutOff, times, timing)).toMatchObject({
      outcome: { kind: 'delivered' },
      record: { statusCode: 200, error: null, responseTruncated: true },
    });
    const expired: SendResult = { ...failure('tls'), errorCode: 'CERT_HAS_EXPIRED' };
    expect(judgeAttempt(claimOf(), expired, times, timing).record).toMatchObject({ errorCode: 'CERT_HAS_EXPIRED' });
    const endless: SendResult = {
      ...failure('timeout'),
      response: { statusCode: 200, headers: {}, bodySnippet: 'tick' },
    };
    expect(judgeAttempt(claimOf(), endless, times, timing)).toMatchObject({
      outcome: { kind: 'retry' },
      record: { statusCode: 200, error: 'timeout', responseSnippet: 'tick' },
    });
    const failed = judgeAttempt(claimOf(), failure('timeout'), times, timing).record;
    expect(failed).toMatchObject({ statusCode: null, error: 'timeout', responseSnippet: null });
    expect(failed.errorMessage).not.toContain('abcdefghijkl');
  });
});
