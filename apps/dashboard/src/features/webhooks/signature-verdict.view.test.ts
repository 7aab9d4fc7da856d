// Risk: of a wrong secret and a changed body the wrong one is blamed, and a developer looks in the wrong place.
import { expect, test } from 'vitest';
import type { SecretCheck } from './check-secret.view.ts';
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

const local = (blames: SecretCheck['blames']): SecretCheck => ({
  valid: blames === 'nothing',
  title: `local ${blames}`,
  hint: 'look',
  blames,
});

test.each([
  ['nothing asked', undefined, undefined, undefined],
  ['only a secret', undefined, local('unknown'), 'local unknown'],
  ['only an endpoint', found('body_altered'), undefined, 'The body was changed'],
  ['all right', found(null), local('nothing'), 'The signature is right'],
  ['genuine, but another secret', found(null), local('unknown'), 'The secret is wrong'],
  ['old and genuine, but another secret', found('timestamp_too_old'), local('unknown'), 'The secret is wrong'],
  ['a changed body, whatever the secret', found('body_altered'), local('unknown'), 'The body was changed'],
  ['a malformed secret', found(null), local('secret'), 'local secret'],
  ['only too old', found('timestamp_too_old'), local('clock'), 'The signature is too old'],
  [
    'the old secret in the server, too',
    found('previous_secret'),
    local('nothing'),
    'It is signed with the secret that was replaced',
  ],
])('%s', (_name, server, own, title) => {
  expect(verdictOf(server, own)?.title).toBe(title);
});

test('what the service says of a reason is told with it', () => {
  expect(verdictOf(found('body_altered', 'Something changed it.'), undefined)).toEqual({
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
  expect(verdictOf(found('body_reserialised'), undefined, true)?.title).toContain('newline');
  expect(verdictOf(found('body_reserialised'), local('secret'), true)?.title).toBe('local secret');
});

function asReason(text: string | null): Verification['reason'] {
  return text as Verification['reason'];
}
