// Risk: an API key, a signing secret or a password is logged.
import { describe, expect, test } from 'vitest';
import { isSecretName, maskFields, maskStrings, maskText } from './mask-secrets.ts';

describe('secrets are masked by their form, wherever they stand', () => {
  test.each([
    ['key sk_live_4f9Zq_x-Y was refused', 'key sk_live_[masked] was refused'],
    [`key sk_live_eu_${'a1'.repeat(18)}.`, 'key sk_live_eu_[masked].'],
    ['key sk_live_eu_short', 'key sk_live_[masked]'],
    ['sk_test_abc,sk_live_def', 'sk_test_[masked],sk_live_[masked]'],
    ['signed with whsec_c2VjcmV0+/==', 'signed with whsec_[masked]'],
    ['Authorization: Bearer abc.def-ghi', 'Authorization: Bearer [masked]'],
    ['authorization: basic dXNlcjpwYXNz', 'authorization: basic [masked]'],
    ['postgres://finhook:hunter2@db:5432/x', 'postgres://[masked]@db:5432/x'],
    ['no route to rediss://:hunter2@cache', 'no route to rediss://[masked]@cache'],
    [`/api/v1/companies/sk_test_${'a1'.repeat(18)}/cash`, '/api/v1/companies/sk_test_[masked]/cash'],
    [`/api/v1/companies/%73k%5Ftest_${'a1'.repeat(18)}`, '/api/v1/companies/sk_test_[masked]'],
    [`batch${`sk_live_eu_${'a1'.repeat(18)}`}`, 'batchsk_live_eu_[masked]'],
    ['/hooks/whsec_c2Vj%2Bcm%3D%3D', '/hooks/whsec_[masked]'],
    [`/dashboard/sign-in?link=eu.${'aB3'.repeat(14)}x&next=%2F`, '/dashboard/sign-in?link=[masked]&next=%2F'],
    [`session ${'aB3'.repeat(14)}_.`, 'session [masked].'],
    [`eu.${'aB3'.repeat(14)}x`, 'eu.[masked]'],
    ['/dashboard/device?code=BCDF-GHJK', '/dashboard/device?code=[masked]'],
    ['Send Authorization: Bearer sk_…', 'Send Authorization: Bearer sk_…'],
    [`digest ${'ab3'.repeat(14)}x of a lower-case name`, `digest ${'ab3'.repeat(14)}x of a lower-case name`],
    ['100 % of a%20b', '100 % of a%20b'],
    [`/companies/%2573k_test_${'a1'.repeat(18)}`, '/companies/sk_test_[masked]'],
    ['postgres://finhook:p@ss@db:5432/x', 'postgres://[masked]@db:5432/x'],
    ['private whsk_c2VjcmV0+/==', 'private whsk_[masked]'],
    [`session ${'aBc'.repeat(14)}x, without a digit`, 'session [masked], without a digit'],
    ['/sign-in?next=%2Fdevice%3Fcode%3DBCDF-GHJK', '/sign-in?next=%2Fdevice%3Fcode%3D[masked]'],
    ['nothing to hide at https://example.com/a@b', 'nothing to hide at https://example.com/a@b'],
  ])('%s', (text, expected) => {
    expect(maskText(text)).toBe(expected);
  });
});

test.each([
  'authorization',
  'Cookie',
  'set-cookie',
  'secret',
  'signing_secret',
  'apiKey',
  'X-Api-Key',
  'access_token',
  'key',
  'DB_PASSWORD',
  'SECRETS_KEY',
  'secretAccessKey',
  'kek',
])('a field called %s is secret', (name) => {
  expect(isSecretName(name)).toBe(true);
});

test.each(['idempotency_key', 'key_id', 'key_prefix', 'tokens_left', 'endpoint_id', 'keyboard'])(
  'a field called %s is not',
  (name) => {
    expect(isSecretName(name)).toBe(false);
  },
);

test('fields are masked at any depth, in lists, maps and errors with causes', () => {
  const cause = Object.assign(new Error('inner sk_live_canary'), { token: 'canary' });
  const err = Object.assign(new Error('outer whsec_canary', { cause }), { code: '23505', detail: 'Key (x)=(canary)' });
  const fields = {
    err,
    request: { headers: { authorization: 'canary', accept: '*/*' }, body: [{ secret: 'canary' }] },
    more: new Map([['password', 'canary']]),
    url: new URL('https://u:canary@example.com/'),
    bytes: Buffer.from('canary'),
  };
  const text = JSON.stringify(maskFields(fields));
  expect(text).not.toContain('canary');
  expect(text).toContain('23505');
  expect(text).toContain('[6 bytes]');
});

test('values that JSON can not hold do not break a log line', () => {
  const circle: Record<string, unknown> = { count: 10n, at: new Date(0), gone: undefined, none: null };
  circle['self'] = circle;
  const copy = JSON.parse(JSON.stringify(maskFields(circle)));
  expect(copy).toMatchObject({ count: '10', at: '1970-01-01T00:00:00.000Z', none: null });
  expect(JSON.stringify(copy)).toContain('[too deep]');
  expect(maskFields({ at: new Date(Number.NaN) })).toEqual({ at: 'Invalid Date' });
});

test('an absent secret shows as absent, so that a missing setting can be seen', () => {
  expect(maskFields({ secret: undefined, token: null, password: '' })).toEqual({
    secret: undefined,
    token: null,
    password: '',
  });
});

test('a JSON value is masked by form at any depth, in names too, and stays as it is otherwise', () => {
  const value = {
    detail: 'sk_live_abc is unknown',
    errors: [{ pointer: '/sk_live_abc', limit: 3 }],
    key: 'x',
    none: null,
  };
  expect(maskStrings(value)).toEqual({
    detail: 'sk_live_[masked] is unknown',
    errors: [{ pointer: '/sk_live_[masked]', limit: 3 }],
    key: 'x',
    none: null,
  });
  expect(maskStrings({ sk_live_abc: 1 })).toEqual({ 'sk_live_[masked]': 1 });
});
