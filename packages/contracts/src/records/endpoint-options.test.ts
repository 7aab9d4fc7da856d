// Risk: an endpoint is given an option that no delivery can honour, or one that harms the connection.
import { describe, expect, test } from 'vitest';
import { operations } from '../operations/index.ts';
import { filterSizeError, type PayloadFilter } from './payload-filter.ts';

const { input } = operations.webhookEndpoints.create;
const errorsOf = (options: object) =>
  input
    .safeParse({ url: 'https://example.com/', ...options })
    .error?.issues.flatMap((issue) => (issue.code === 'invalid_key' ? issue.issues : [issue]))
    .map(({ message, path }) => `${path.join('.')}: ${message}`);
const expectAccepted = (options: object) => expect(errorsOf(options)).toBeUndefined();
const expectRejected = (options: object) => expect(errorsOf(options)?.length).toBeGreaterThan(0);

describe('headers', () => {
  const many = (count: number, value = 'v') =>
    Object.fromEntries(Array.from({ length: count }, (_, i) => [`x-${i}`, value]));

  test.each(['Authorization', 'x-api-key', "!#$%&'*+-.^_`|~09azAZ", 'x'.repeat(64)])('%s may be set', (name) => {
    expectAccepted({ headers: { [name]: 'value' } });
  });

  const reserved =
    'Host,Content-Type,content-length,Transfer-Encoding,connection,Keep-Alive,TE,trailer,Upgrade,Expect,User-Agent,Cookie,' +
    'Accept-Encoding,Proxy-Authorization,Date,traceparent,webhook-id,Webhook-Signature,svix-id,x-service-signature,' +
    'X-Service-Anything,x-forwarded-for';
  const malformed = ['', 'a b', 'a:b', 'a\r\nb', 'é', 'x\0', 'x'.repeat(65)];

  test.each(reserved.split(',').concat(malformed))('%j is rejected as a name', (name) => {
    expectRejected({ headers: { [name]: 'value' } });
  });

  test.each(['', ' a', 'a ', 'a\r\nx-b: c', 'a\nb', 'a\0', 'é', '\u007f', 'x'.repeat(1_001)])(
    'the value %j is rejected, and the error does not repeat it',
    (value) => {
      const errors = errorsOf({ headers: { 'x-a': value } });
      expect(errors).toHaveLength(1);
      if (value.length > 2) expect(errors?.join()).not.toContain(value.slice(0, 10));
    },
  );

  test('twenty headers of eight kilobytes in all are the most, each named once', () => {
    expectAccepted({ headers: many(20) });
    expectAccepted({ headers: many(8, `a\t ${'b'.repeat(900)}`) });
    expectRejected({ headers: many(21) });
    expectRejected({ headers: many(9, 'a'.repeat(1_000)) });
    expectRejected({ headers: { 'X-A': '1', 'x-a': '2' } });
  });
});

test('timeouts, schedules and signature versions have their bounds', () => {
  for (const timeout_ms of [1_000, 30_000, null]) expectAccepted({ timeout_ms });
  for (const timeout_ms of [999, 30_001, 1.5, '1000']) expectRejected({ timeout_ms });
  for (const retry_schedule of [[], [1], Array(15).fill(86_400), null]) expectAccepted({ retry_schedule });
  for (const retry_schedule of [[0], [86_401], [1.5], Array(16).fill(1)]) expectRejected({ retry_schedule });
  for (const signature_versions of [['v1'], ['v1a', 'v1'], null]) expectAccepted({ signature_versions });
  for (const signature_versions of [[], ['v1a'], ['v2', 'v1'], ['v1', 'v1a', 'v1']])
    expectRejected({ signature_versions });
});

describe('filters', () => {
  const leaf: PayloadFilter = { op: 'eq', field: 'data.a', value: 1 };
  const wrap = (depth: number): PayloadFilter => (depth === 0 ? leaf : { op: 'not', of: wrap(depth - 1) });
  const list = (count: number) => Array.from({ length: count }, () => leaf);

  test('three groups deep, twenty parts in each, fifty conditions in all', () => {
    for (const depth of [0, 1, 2, 3]) expectAccepted({ filter: wrap(depth) });
    expectRejected({ filter: wrap(4) });
    expectAccepted({ filter: { op: 'any', of: list(20) } });
    expectRejected({ filter: { op: 'any', of: list(21) } });
    expectRejected({ filter: { op: 'any', of: [] } });
    expectAccepted({ filter: { op: 'all', of: [10, 20, 20].map((count) => ({ op: 'any', of: list(count) })) } });
    expectRejected({ filter: { op: 'all', of: [11, 20, 20].map((count) => ({ op: 'any', of: list(count) })) } });
  });

  test('two hundred values in all its conditions together', () => {
    const among = (count: number): PayloadFilter => ({ op: 'in', field: 'data.a', value: Array(count).fill(1) });
    expectAccepted({ filter: { op: 'any', of: [among(100), among(90), { op: 'not', of: among(9) }, leaf] } });
    expect(errorsOf({ filter: { op: 'any', of: [among(100), among(100), leaf] } })).toEqual([
      'filter: must compare with at most 200 values, those of all its conditions together',
    ]);
  });

  test('the largest filter that may be is within what is counted before it is looked at', () => {
    const four: PayloadFilter = { op: 'in', field: 'data.a', value: [1, 2, 3, 4] };
    const parts = (count: number) => Array.from({ length: count }, (): PayloadFilter => ({ op: 'not', of: four }));
    const filter = { op: 'any', of: [20, 20, 10].map((count) => ({ op: 'any', of: parts(count) })) };
    expectAccepted({ filter });
    expect(filterSizeError(filter)).toBeUndefined();
    expect(filterSizeError({ op: 'any', of: list(400) })).toContain('at most 50 conditions and 200 values');
  });

  test('a field is one of the envelope, or a path of up to eight names below data', () => {
    const exists = (field: string) => ({ filter: { op: 'exists', field, value: true } });
    const fields = ['type', 'company_id', 'data.a', 'data.a.b.c.d.e.f.g.h', `data.${'x'.repeat(64)}`, 'data.0'];
    for (const field of fields) expectAccepted(exists(field));
    const none = ['', 'data', 'data.', 'amount', 'data..a', 'data.a b', 'data.a"', 'data.*', '$.data.a'];
    for (const field of [...none, 'data.a.b.c.d.e.f.g.h.i']) expectRejected(exists(field));
  });

  test.each([
    [{ op: 'like', field: 'data.a', value: 'x' }, 'filter.op: must be all, any, not, eq'],
    [{ field: 'data.a', value: 'x' }, 'filter.op: must be all, any, not, eq'],
    [{ op: 'all', of: [{ op: 'regex' }] }, 'filter.of.0.op: must be all, any, not, eq'],
    [{ op: 'gt', field: 'data.a', value: null }, 'filter.value: must be a string'],
    [{ op: 'gt', field: 'data.a', value: true }, 'filter.value: must be a string'],
    [{ op: 'eq', field: 'data.a', value: {} }, 'filter.value: must be a string'],
    [{ op: 'eq', field: 'data.a', value: 'x'.repeat(201) }, 'filter.value: '],
    [{ op: 'eq', field: 'data.a', value: 'a\0' }, 'filter.value: must not contain NUL'],
    [{ op: 'in', field: 'data.a', value: [] }, 'filter.value: '],
    [{ op: 'starts_with', field: 'data.a', value: '' }, 'filter.value: '],
    [{ op: 'exists', field: 'data.a' }, 'filter.value: '],
  ])('%j is an error at its own pointer', (filter, error) => {
    expect(errorsOf({ filter })?.join('\n')).toContain(error);
  });
});
