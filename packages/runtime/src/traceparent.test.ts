// Risk: a malformed trace header breaks a request or joins strangers' traces, or a valid one is dropped.
import { expect, test } from 'vitest';
import { formatTraceparent, parseTraceparent } from './tracing.ts';

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const spanId = '00f067aa0ba902b7';

test.each([
  ['sampled', `00-${traceId}-${spanId}-01`, 1],
  ['not sampled', `00-${traceId}-${spanId}-00`, 0],
  ['flags of later versions', `00-${traceId}-${spanId}-03`, 1],
  ['a later version', `cc-${traceId}-${spanId}-01`, 1],
  ['a later version with more', `cc-${traceId}-${spanId}-01-what-will-be`, 1],
  ['white space around it', ` 00-${traceId}-${spanId}-01 `, 1],
])('goes on with: %s', (_what, text, traceFlags) => {
  expect(parseTraceparent(text)).toEqual({ traceId, spanId, traceFlags, isRemote: true });
});

test.each([
  ['none', undefined],
  ['empty', ''],
  ['two headers', `00-${traceId}-${spanId}-01, 00-${traceId}-${spanId}-01`],
  ['more than version 00 has', `00-${traceId}-${spanId}-01-what`],
  ['the forbidden version', `ff-${traceId}-${spanId}-01`],
  ['no trace', `00-${'0'.repeat(32)}-${spanId}-01`],
  ['no span', `00-${traceId}-${'0'.repeat(16)}-01`],
  ['upper case', `00-${traceId.toUpperCase()}-${spanId}-01`],
  ['too short', `00-${traceId.slice(1)}-${spanId}-01`],
  ['SQL', `00-${traceId}-${spanId}-01'); DROP TABLE event; --`],
])('begins a new trace: %s', (_what, text) => {
  expect(parseTraceparent(text)).toBeUndefined();
});

test('what it formats it reads again', () => {
  for (const traceFlags of [0, 1]) {
    const text = formatTraceparent({ traceId, spanId, traceFlags });
    expect(text).toMatch(/^[\da-f]{2}-[\da-f]{32}-[\da-f]{16}-0[01]$/);
    expect(parseTraceparent(text)).toMatchObject({ traceId, spanId, traceFlags });
  }
});
