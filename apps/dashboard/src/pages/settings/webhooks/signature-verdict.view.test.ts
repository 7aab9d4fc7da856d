// Risk: a verdict's wording differs from the service's result, and a developer looks for the wrong bug.
import { expect, test } from 'vitest';
import { isGenuine, type Verification, verdictOf, withoutNewline } from './signature-verdict.view.ts';

function found(reason: Verification['reason'], hint: string | null = reason): Verification {
  return {
    object: 'signature_verification',
    endpoint_id: 'we_1',
    valid: reason === null,
    reason,
    hint,
    at: '2026-03-01T09:00:00.000Z',
    tolerance_seconds: 300,
    schemes: [],
    event_id: null,
    delivery_id: null,
    sent_to_endpoint_id: null,
  };
}

test.each([
  [null, 'The signature is right'],
  ['body_altered', 'The body was changed'],
  ['timestamp_too_old', 'The signature is too old'],
  ['previous_secret', 'It is signed with the secret that was replaced'],
] as const)('%s is told as "%s"', (reason, title) => {
  expect(verdictOf(found(reason)).title).toBe(title);
});

test('what the service says of a reason is told with it', () => {
  expect(verdictOf(found('body_altered', 'Something changed it.'))).toEqual({
    valid: false,
    title: 'The body was changed',
    hint: 'Something changed it.',
  });
});

test('a newline at the end is looked into only where the body is blamed and has one', () => {
  expect(withoutNewline(found('body_reserialised'), '{}\r\n')).toBe('{}');
  expect(withoutNewline(found('body_altered'), '{}\n\n')).toBe('{}\n');
  expect(withoutNewline(found('body_altered'), '{}')).toBeUndefined();
  expect(withoutNewline(found(null), '{}\n')).toBeUndefined();
  expect([null, 'timestamp_too_old', 'body_altered'].map((reason) => isGenuine(found(asReason(reason))))).toEqual([
    true,
    true,
    false,
  ]);
  expect(verdictOf(found('body_reserialised'), true).title).toContain('newline');
});

function asReason(text: string | null): Verification['reason'] {
  return text as Verification['reason'];
}
