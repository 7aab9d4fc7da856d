// Risk: a typed number or key is stored as another one, because parsing changed it silently, or the error of a statement
// points at the wrong line.
import { expect, test } from 'vitest';
import { mapJsonSource, parseJson, rangeOf } from './parse-json.ts';

test.each([
  ['{"payout_id": 1234567890123456789}', '/payout_id', 'out_of_range'],
  ['{"lines": [1, {"a/b": 9007199254740993}]}', '/lines/1/a~1b', 'out_of_range'],
  ['[-1e400]', '/0', 'out_of_range'],
  ['1.00000000000000000001', '', 'not_an_integer'],
  ['{"a": 1, "b": {"a": 2, "a": 3}}', '/b/a', 'duplicate_json_key'],
  ['{"b":[{"c":1,"\\u0063":2}]}', '/b/0/c', 'duplicate_json_key'],
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

test('empty text has no value, and invalid JSON has an error', () => {
  expect([parseJson(undefined), parseJson(' \n')]).toEqual([{ value: undefined }, { value: undefined }]);
  expect(parseJson('{"a": ')).toHaveProperty('fault', expect.stringMatching(/^Invalid JSON\. ./));
});

const text = `{
  "period_end": "2026-02-28",
  "line_items": [
    { "key": "a, \\"b\\": {", "amount_cents": 1 },
    { "key": "c", "amount_cents": 1.5, "is_total": true }
  ],
  "totals": { "a/b~c": -1e3, "empty": {}, "none": [] , "null": null }
}`;
const shown = (pointer: string) => {
  const place = rangeOf(mapJsonSource(text), pointer);
  return place && [place.line, text.slice(place.start, place.end)];
};

test.each([
  ['/period_end', 2, '"2026-02-28"'],
  ['/line_items/0/key', 4, '"a, \\"b\\": {"'],
  ['/line_items/0/amount_cents', 4, '1'],
  ['/line_items/1/amount_cents', 5, '1.5'],
  ['/line_items/1/is_total', 5, 'true'],
  ['/totals/a~1b~0c', 7, '-1e3'],
  ['/totals/empty', 7, '{}'],
  ['/totals/none', 7, '[]'],
  ['/totals/null', 7, 'null'],
])('%s stands in line %d', (pointer, line, value) => {
  expect(shown(pointer)).toEqual([line, value]);
});

test('what is missing is shown at the object that it is missing from', () => {
  expect(shown('/line_items/1/label')).toEqual([5, '{ "key": "c", "amount_cents": 1.5, "is_total": true }']);
  expect(shown('/statement_type')).toEqual([1, text]);
});

test('a value alone is the whole text', () => {
  expect(mapJsonSource(' 12 ').get('')).toEqual({ start: 1, end: 3, line: 1 });
});
