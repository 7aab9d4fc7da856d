// Risk: without transactions the total counts burn twice, or omits a currency silently.
import { expect, test } from 'vitest';
import { rational, roundHalfEven } from '../../../input/exact-arithmetic.ts';
import { createConversion } from '../../fx-rates/convert.ts';
import type { FallbackBurn } from './compute-runway.ts';
import { totalFallback } from './fallback.ts';

const set = { base: 'EUR', as_of: '2026-11-25', rates: { USD: '1.5' }, source: null };
const { conversion } = createConversion(set, ['EUR', 'USD'], 'USD', '2026-11-25');
const held = new Map([
  ['USD', ['bank']],
  ['EUR', ['berlin']],
]);
const delta = (net: bigint, excluded: string[] = []): FallbackBurn => ({
  net: rational(net),
  basis: 'balance_delta',
  excluded,
});
const stated = (net: bigint): FallbackBurn => ({ net: rational(net), basis: 'cash_flow_statement' });

test.each<[title: string, burns: [string, FallbackBurn][], total: [bigint, string, string[]] | undefined]>([
  [
    'adds the changes of all currencies',
    [
      ['USD', delta(100n, ['new'])],
      ['EUR', delta(11n)],
    ],
    [116n, 'balance_delta', ['new']],
  ],
  ['names the series of a currency without a change', [['USD', delta(100n)]], [100n, 'balance_delta', ['berlin']]],
  [
    'takes the statement alone, which is the company’s',
    [
      ['USD', stated(90n)],
      ['EUR', delta(10n)],
    ],
    [90n, 'cash_flow_statement', []],
  ],
  ['converts a statement in another currency', [['EUR', stated(90n)]], [135n, 'cash_flow_statement', []]],
  ['is none without any', [], undefined],
])('burn of the total %s', (_, burns, total) => {
  const burn = conversion && totalFallback(new Map(burns), held, conversion);
  expect(burn && [roundHalfEven(burn.net), burn.basis, burn.excluded ?? []]).toEqual(total);
});
