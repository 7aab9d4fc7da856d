// Risk: days without data look like days with data.
import { expect, test } from 'vitest';
import { partial } from '../../../test/partial.ts';
import { stripsOf } from './freshness-plot.view.ts';

type History = Parameters<typeof stripsOf>[0];

test('each day has its own balance, one carried forward by its age, or none', () => {
  const days = ['2026-03-02', '2026-03-03', '2026-03-04', '2026-03-05', '2026-03-06', '2026-03-10'];
  const points = days.map((date) => ({ date, as_of: '2026-03-02', balance_cents: 1, currency: 'USD' }));
  const history = partial<History>({
    to: '2026-03-10',
    streams: [
      { connection_id: 'a', excluded: null, points },
      { connection_id: 'b', excluded: 'disconnected', points },
    ],
  });
  const [strip, ...others] = stripsOf(history, 10);
  expect(others).toEqual([]);
  expect(strip?.days.map(({ state }) => state).join(' ')).toBe(
    'none received carried carried late late none none none stale',
  );
  expect(strip).toMatchObject({ received: 1, longestGap: 8 });
});
