// Risk: a password that an agent used is stored for years and sent to every webhook.
import { expect, test } from 'vitest';
import { redactSecrets } from './redact-secrets.ts';

test.each(
  (
    'password smtp_password passwd pwd clientSecret api_key apiKey X-API-Key access_token token ' +
    'Authorization Proxy-Authorization X-Forwarded-Authorization aws_authorization authorization_code ' +
    'authorizationHeaders cookie_header session_cookie_value bearer_auth secretArray set-cookie ' +
    'client_secrets bearer private_key credentials otp PIN'
  ).split(' '),
)('the value of the key %s is not kept, whatever it is', (key) => {
  for (const value of ['hunter2', 4711, { a: 'b' }, ['x']]) {
    expect(redactSecrets({ deep: [{ [key]: value }] })).toEqual({ deep: [{ [key]: '[redacted]' }] });
  }
});

test('values that are not secrets are kept, in their order', () => {
  const kept = {
    z: 1,
    max_tokens: 512,
    output_tokens: 20,
    token_count: 5,
    officers: { secretary: 'Bob', company_secretary: { name: 'Ann' } },
    secretary_of_state_file_number: '7654321',
    bearer_shares: 100,
    cookie_policy_url: 'https://example.com/cookies',
    board_authorization: 'Resolution 7',
    author: 'x',
    password: null,
    token: false,
    pinned: 'yes',
    spinning: 'no',
    list: [null, true, 1.5, 'text'],
  };
  expect(JSON.stringify(redactSecrets(kept))).toBe(JSON.stringify(kept));
  for (const scalar of [null, 5, 'text', true]) expect(redactSecrets(scalar)).toBe(scalar);
});

test('credentials within a text are redacted', () => {
  const key = `sk_${'live'}_${'a1'.repeat(18)} sk_${'live'}_eu_${'a1'.repeat(18)}`;
  const reported = redactSecrets(
    `curl -H "Authorization: Bearer abcdefgh.ijk" -d ${key} wh${'sec'}_${'A'.repeat(24)} end`,
  );
  expect(reported).toBe('curl -H "Authorization: [redacted]" -d [redacted] [redacted] [redacted] end');
});

test('the key __proto__ is data like any other', () => {
  const sent: unknown = JSON.parse('{"__proto__":{"password":"x","a":1},"b":2}');
  expect(JSON.stringify(redactSecrets(sent))).toBe('{"__proto__":{"password":"[redacted]","a":1},"b":2}');
  expect(Reflect.get({}, 'a')).toBeUndefined();
});
