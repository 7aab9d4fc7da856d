// Risk: a client gets a content type that it excluded, or is rejected although it accepts the response.
import { expect, test } from 'vitest';
import { assertAcceptable } from './request.ts';

const available = ['application/json', 'text/csv (format=csv)'];
const isAccepted = (accept: string | undefined, served = 'application/json'): boolean => {
  try {
    assertAcceptable(accept, served, available);
    return true;
  } catch (error) {
    expect(error).toMatchObject({ code: 'not_acceptable', status: 406, extra: { available } });
    return false;
  }
};

test.each([
  undefined,
  '',
  '*/*',
  'application/*',
  'application/json',
  'APPLICATION/JSON; charset=utf-8',
  'application/problem+json',
  'text/html, application/json;q=0.1',
  'application/json, text/plain, */*',
  'text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2',
  'application/json;q=nonsense',
  'nonsense',
])('Accept %o admits JSON', (accept) => {
  expect(isAccepted(accept)).toBe(true);
  expect(isAccepted(accept, 'text/csv')).toBe(true);
});

test.each([
  'text/html',
  'text/*',
  'application/xml',
  'application/vnd.api+json',
  'application/json;q=0, application/problem+json;q=0.0, */*',
  '*/*;q=0',
])('Accept %o excludes JSON', (accept) => {
  expect(isAccepted(accept)).toBe(false);
});

test('an export needs its own content type, a page does not', () => {
  expect(isAccepted('text/csv', 'text/csv')).toBe(true);
  expect(isAccepted('text/csv')).toBe(false);
  expect(isAccepted('application/x-ndjson', 'text/csv')).toBe(false);
});
