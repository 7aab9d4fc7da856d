// Risk: the error of a rejected statement points at the wrong line, and the wrong figure is corrected.
import { expect, test } from 'vitest';
import { mapJsonSource, rangeOf } from './json-source-map.ts';

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

test('a key that stands twice is found, also deep inside', () => {
  expect(mapJsonSource(text).twice).toEqual([]);
  expect(mapJsonSource('{"a":1,"b":[{"c":1,"\\u0063":2}],"a":2}').twice).toEqual(['/b/0/c', '/a']);
});

test('a value alone is the whole text', () => {
  expect(mapJsonSource(' 12 ').at.get('')).toEqual({ start: 1, end: 3, line: 1 });
});
