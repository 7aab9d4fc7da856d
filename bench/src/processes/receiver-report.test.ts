// Risk: latencies of unrelated requests, or of warm-up deliveries.
import { expect, test } from 'vitest';
import { joinReceipts } from './receiver-report.ts';

test('pairs each delivery with the request of its event, and leaves out the others', () => {
  const accepted = [
    ['evt_a', 1000, 1004],
    ['evt_b', 1010.5, 1013],
  ] as const;
  const receipts = [
    ['evt_b', '/ok/1', 1015],
    ['evt_warmup', '/ok/1', 1016],
    ['evt_a', '/ok/1', 1020],
    ['evt_a', '/ok/2', 1003],
  ] as const;
  expect(joinReceipts(accepted, receipts)).toEqual([4.5, 20, 3]);
  expect(joinReceipts(accepted, receipts, 'response')).toEqual([2, 16, -1]);
});
