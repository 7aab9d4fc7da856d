// Risk: free JSON that no column can hold turns into an internal error, or grows without end.
import { expect, test } from 'vitest';
import { checkpointInput, MAX_CHECKPOINT_BYTES, MAX_PAYLOAD_BYTES, payloadInput } from './agent-runtime.ts';

const codesOf = (schema: typeof payloadInput, value: unknown) =>
  schema.safeParse(value).error?.issues.map((issue) => (issue.code === 'custom' ? issue.params?.['code'] : issue.code));

test.each([
  ['payload', payloadInput, MAX_PAYLOAD_BYTES],
  ['checkpoint', checkpointInput, MAX_CHECKPOINT_BYTES],
] as const)('a %s may have as many bytes as its limit says and not one more', (_, schema, max) => {
  expect(codesOf(schema, 'x'.repeat(max - 2))).toBeUndefined();
  expect(codesOf(schema, 'x'.repeat(max - 1))).toEqual(['too_long']);
  expect(codesOf(schema, ['ü'.repeat(max / 2)])).toEqual(['too_long']);
});

test('NUL and lone surrogates are rejected at any depth, in values and in keys', () => {
  for (const value of ['\0', '\ud800', [{ a: ['x\0'] }], { 'k\0': 1 }, { a: { '\udc00': 1 } }]) {
    expect(codesOf(payloadInput, value), JSON.stringify(value)).toEqual(['invalid_format']);
  }
});

test('any other JSON passes as it is, also the key __proto__', () => {
  for (const text of ['null', '0', '"x"', '[]', '{"__proto__":{"a":1},"b":[true,null]}']) {
    expect(JSON.stringify(payloadInput.parse(JSON.parse(text)))).toBe(text);
  }
  expect(payloadInput.parse(undefined)).toBeUndefined();
});
