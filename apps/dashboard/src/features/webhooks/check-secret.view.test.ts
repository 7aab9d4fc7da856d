// Risk: the checker calls a right signature wrong, or a wrong one right, or names another mistake than was made.
import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { checkWithSecret, secretFault } from './check-secret.view.ts';

const bare = Buffer.from('0123456789abcdef0123456789abcdef').toString('base64');
const secret = `whsec_${bare}`;
const other = `whsec_${Buffer.from('another secret of another endpoint').toString('base64')}`;
const seconds = 1_772_355_600;
const at = seconds * 1000;
const body = '{"id":"evt_1","data":{"name":"Žofia","balance_cents":1234567}}';

const hmac = (key: string | Buffer, content: string) => createHmac('sha256', key).update(content);
const bytes = Buffer.from(bare, 'base64');
const service = (key: string | Buffer = secret, content = `${seconds}.${body}`) => ({
  'x-service-signature': `t=${seconds},v1=${hmac(key, content).digest('hex')}`,
});
const standard = (key: string | Buffer = bytes, content = `evt_1.${seconds}.${body}`) => ({
  'webhook-id': 'evt_1',
  'webhook-timestamp': String(seconds),
  'webhook-signature': `v1,${Buffer.alloc(32).toString('base64')} v1,${hmac(key, content).digest('base64')} v1a,AAAA`,
});
const check = (part: Partial<Parameters<typeof checkWithSecret>[0]>) =>
  checkWithSecret({ headers: service(), body, secret, at, ...part });

test.each([
  ['x-service-signature', service()],
  ['webhook-signature', standard()],
  ['both', { ...service(), ...standard() }],
])('what was signed as documented verifies: %s', async (_name, headers) => {
  expect(await check({ headers })).toMatchObject({ valid: true, blames: 'nothing' });
});

test.each([
  [service(), { secret: other }, 'unknown', 'The secret does not fit'],
  [standard(), { secret: other }, 'unknown', 'The secret does not fit'],
  [{ ...service(), ...standard(other) }, {}, 'unknown', 'The secret does not fit'],
  [service(), { secret: `${secret}\n` }, 'secret', 'spaces or a newline'],
  [service(), { secret: ` ${secret}` }, 'secret', 'spaces or a newline'],
  [service(), { body: `${body}\n` }, 'body', 'newline at its end'],
  [service(), { body: `  ${body}\r\n` }, 'body', 'spaces or newlines around it'],
  [standard(), { body: JSON.stringify(JSON.parse(body), null, 2) }, 'body', 'parsed and written again'],
  [service(), { body: body.replace('1234567', '1234568') }, 'unknown', 'not the raw bytes'],
  [service(bare), {}, 'headers', 'without whsec_'],
  [service(bytes), {}, 'headers', 'decoded secret'],
  [standard(secret), {}, 'headers', 'secret as text'],
  [service(secret, body), {}, 'headers', 'does not cover the timestamp'],
  [service(), { at: at + 301_000 }, 'clock', '1 s more than the allowed 300 s before'],
  [service(), { at: at - 400_000 }, 'clock', '100 s more than the allowed 300 s after'],
  [{}, {}, 'headers', 'are missing'],
  [{ 'x-service-signature': 'v1=abc' }, {}, 'headers', 'copy it whole'],
  [{ ...standard(), 'webhook-signature': 'abc' }, {}, 'headers', 'no entry of the form'],
  [{ 'webhook-signature': 'v1,abc' }, {}, 'headers', 'copy all three'],
])('a mistake is named: %#', async (headers, part, blames, words) => {
  const result = await check({ headers, ...part });
  expect(result).toMatchObject({ valid: false, blames });
  expect(`${result.title} ${result.hint}`).toContain(words);
});

test('the edge of the allowed time is inside', async () => {
  expect((await check({ at: at + 300_000 })).valid).toBe(true);
  expect((await check({ at: at - 300_000 })).valid).toBe(true);
});

test('what is no secret is told before anything is computed, and never repeated', async () => {
  for (const text of ['', 'hello', 'whsec_', 'whsec_!!!', 'whsec_YWJj', `whpk_${bare}`]) {
    expect(secretFault(text)).toBeDefined();
    expect(secretFault(text)).not.toContain(text === '' ? 'undefined' : text.slice(6) || '\0');
    expect(await check({ secret: text })).toMatchObject({ valid: false, blames: 'secret' });
  }
});
