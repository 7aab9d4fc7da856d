// Risk: a typed number or key is stored as another one, because parsing changed it silently.
import { expect, test } from 'vitest';
import { parseJson } from './parse-json.ts';

test.each([
  ['{"payout_id": 1234567890123456789}', '/payout_id', 'out_of_range'],
  ['{"lines": [1, {"a/b": 9007199254740993}]}', '/lines/1/a~1b', 'out_of_range'],
  ['[-1e400]', '/0', 'out_of_range'],
  ['1.00000000000000000001', '', 'not_an_integer'],
  ['{"a": 1, "b": {"a": 2, "a": 3}}', '/b/a', 'duplicate_json_key'],
])('%s is refused at its place: parsing would change it', (text, pointer, code) => {
  const read = parseJson(text);
  expect(read).toMatchObject({ faults: [{ pointer, code }] });
  expect(read).toHaveProperty('fault', expect.stringContaining(pointer));
});

test.each([
  '{"a": [1, -0.5, 9007199254740991, 1e21, 0.30000000000000004], "b": "1234567890123456789", "1e999": null}',
  '9007199254740994',
  '"twice \\"{a: 1234567890123456789}"',
  'true',
])('%s is read as it stands', (text) => {
  expect(parseJson(text)).toEqual({ value: JSON.parse(text) });
});

test('empty text holds nothing, and what is no JSON says why', () => {
  expect([parseJson(undefined), parseJson(' \n')]).toEqual([{ value: undefined }, { value: undefined }]);
  expect(parseJson('{"a": ')).toHaveProperty('fault', expect.stringMatching(/^Invalid JSON\. ./));
});
