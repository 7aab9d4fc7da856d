// Risk: a runway is longer than the cash lasts, or a zero means "unknown".
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { rational } from '../../../input/exact-arithmetic.ts';
import { computeBurn, type MonthFlow, toBurnLine } from './compute-burn.ts';
import { computeRunway, headlineOf, type RunwayInput } from './compute-runway.ts';
import { balanceDelta, statementBurn } from './fallback.ts';

const WINDOW = ['2026-02', '2026-03', '2026-04'];
const TODAY = '2026-05-20';
const MAX = BigInt(Number.MAX_SAFE_INTEGER);

const flow = (month: string, moneyIn: bigint, moneyOut: bigint, currency = 'USD'): MonthFlow => ({
  month,
  currency,
  moneyIn,
  moneyOut,
  excludedIn: 0n,
  excludedOut: 0n,
  transferIn: 0n,
  transferOut: 0n,
  transactions: 1,
});
const burnOf = (outs: readonly bigint[], ins: readonly bigint[] = [0n, 0n, 0n]) =>
  computeBurn(
    WINDOW.map((month, i) => flow(month, ins[i] ?? 0n, outs[i] ?? 0n)),
    WINDOW,
  )[0];
const runway = (more: Partial<RunwayInput>) =>
  computeRunway({
    currency: 'USD',
    cash: 12_000_000n,
    today: TODAY,
    window: WINDOW,
    hasTransactions: true,
    burn: undefined,
    fallback: undefined,
    flags: { stale: false, mixed_currency: false, unexplained: false },
    ...more,
  });
const thrice = (amount: bigint): bigint[] => [amount, amount, amount];

test('12 000 000 against 2 000 000 a month is 6.0 months', () => {
  expect(runway({ burn: burnOf(thrice(2_000_000n)) })).toMatchObject({
    status: 'ok',
    text: '6.0 months',
    runway_months: 6,
    runway_gross_months: 6,
    cash_out_date: '2026-11-18',
    net_burn_cents: 2_000_000,
    capped: false,
    flags: { low_confidence: false },
  });
});

test('0, 0 and 100.01 out are a mean of 33.34 a month', () => {
  const burn = burnOf([0n, 0n, 10_001n]);
  expect(burn && toBurnLine(burn)).toMatchObject({ gross_burn_cents: 3_334 });
});

test('2 000 000 out and 2 500 000 in is cash-flow positive, without months', () => {
  expect(runway({ burn: burnOf(thrice(2_000_000n), thrice(2_500_000n)) })).toMatchObject({
    status: 'cash_flow_positive',
    text: '∞ cash-flow positive',
    runway_months: null,
    runway_gross_months: 6,
    cash_out_date: null,
    net_burn_cents: -500_000,
  });
});

test('cash of −5 is 0.0 months and out of cash', () => {
  expect(runway({ cash: -5n, burn: burnOf(thrice(2_000_000n)) })).toMatchObject({
    status: 'out_of_cash',
    runway_months: 0,
    runway_gross_months: 0,
    cash_out_date: TODAY,
  });
});

test('the mean of [0, 3 000 000, 3 000 000] is 2 000 000, beside the median', () => {
  const burn = burnOf([0n, 3_000_000n, 3_000_000n]);
  expect(burn && toBurnLine(burn)).toMatchObject({
    net_burn_cents: 2_000_000,
    net_burn_median_cents: 3_000_000,
    net_burn_min_cents: 0,
    net_burn_max_cents: 3_000_000,
    net_burn_stddev_cents: 1_732_051,
  });
});

test.each<[string, Partial<RunwayInput>, object]>([
  [
    'no balance',
    { cash: undefined, burn: burnOf(thrice(5n)) },
    { status: 'no_cash_data', runway_months: null, net_burn_cents: 5 },
  ],
  [
    'no transactions',
    { window: [], hasTransactions: false },
    { status: 'no_transactions', runway_months: null, basis: null },
  ],
  [
    'no whole month',
    { window: [] },
    { status: 'insufficient_history', runway_months: null, text: 'Not a whole month of transactions yet' },
  ],
  [
    'no outflow',
    { burn: burnOf(thrice(0n), thrice(5n)) },
    { status: 'no_outflow', runway_months: null, text: 'No spending recorded' },
  ],
  [
    'a currency without transactions',
    { burn: undefined },
    { status: 'no_outflow', runway_months: null, net_burn_cents: 0 },
  ],
  [
    'income that equals the costs',
    { burn: burnOf(thrice(5n), thrice(5n)) },
    { status: 'cash_flow_positive', runway_months: null },
  ],
  [
    'overdrawn, and more comes in than goes out',
    { cash: -1n, burn: burnOf(thrice(5n), thrice(6n)) },
    { status: 'out_of_cash', text: 'Out of cash', runway_months: 0, cash_out_date: TODAY },
  ],
  [
    'overdrawn, and nothing goes out',
    { cash: -1n, burn: undefined },
    { status: 'out_of_cash', runway_months: 0, cash_out_date: TODAY, net_burn_cents: 0 },
  ],
  [
    'overdrawn, and no transactions',
    { cash: 0n, window: [], hasTransactions: false },
    { status: 'out_of_cash', runway_months: 0, basis: null },
  ],
  ['cash of nought', { cash: 0n, burn: burnOf(thrice(5n)) }, { status: 'out_of_cash', runway_months: 0 }],
])('%s has a status of its own, and 0 never means unknown', (_, input, expected) => {
  expect(runway(input)).toMatchObject(expected);
});

test('more than ten years is capped in the text, not in the value; a date beyond year 9999 is null', () => {
  expect(runway({ cash: 121n, burn: burnOf(thrice(1n)) })).toMatchObject({
    capped: true,
    text: '10+ years',
    runway_months: 121,
  });
  expect(runway({ cash: 120n, burn: burnOf(thrice(1n)) })).toMatchObject({ capped: false, text: '120.0 months' });
  const forever = runway({ cash: MAX * 1_000n, burn: burnOf([1n, 0n, 0n]) });
  expect(forever).toMatchObject({ capped: true, cash_out_date: null });
  expect(Number.isFinite(forever.runway_months)).toBe(true);
});

test('what promises a long life says that it is of low confidence in the same text', () => {
  const doubts = { silent: true };
  expect(runway({ cash: 121n, burn: burnOf(thrice(1n)), doubts }).text).toBe('10+ years (low confidence)');
  expect(runway({ burn: burnOf(thrice(1n), thrice(2n)), doubts }).text).toBe('Cash-flow positive (low confidence)');
  expect(runway({ burn: undefined, doubts }).text).toBe('No spending recorded (low confidence)');
});

test('fewer than three months are of low confidence', () => {
  const window = WINDOW.slice(1);
  const [burn] = computeBurn([flow('2026-03', 0n, 10n)], window);
  expect(runway({ window, burn, cash: 50n })).toMatchObject({
    runway_months: 10,
    flags: { low_confidence: true },
    confidence_reasons: [{ code: 'few_months', message: '2 of 3 full months are available.' }],
  });
});

test('a fallback gives months, keeps the status and says what it is made of', () => {
  const fallback = balanceDelta({ day: '2026-02-19', before: 9_000n, now: 6_000n }, TODAY);
  expect(runway({ window: [], hasTransactions: false, cash: 6_000n, fallback })).toMatchObject({
    status: 'no_transactions',
    basis: 'balance_delta',
    net_burn_cents: 1015,
    runway_months: 5.9,
    runway_gross_months: null,
  });
  expect(balanceDelta({ day: '2026-04-21', before: 2n, now: 1n }, TODAY)).toBeUndefined();
  const rising = balanceDelta({ day: '2026-04-20', before: 1n, now: 2n }, TODAY);
  expect(runway({ window: [], fallback: rising })).toMatchObject({ runway_months: null, text: 'Cash is not falling' });
  expect(statementBurn(-300n, '2026-01-01', '2026-03-31').net).toEqual(rational(300n, 3n));
  const odd = statementBurn(-100n, '2026-01-02', '2026-02-01');
  expect(Number(odd.net.n) / Number(odd.net.d)).toBeCloseTo((100 / 31) * 30.436875, 9);
});

test('the headline is the currency that runs out first, else the base currency', () => {
  const usd = runway({ burn: burnOf(thrice(2_000_000n)) });
  const eur = { ...runway({ burn: burnOf(thrice(4_000_000n)) }), currency: 'EUR' };
  const none = { ...runway({ burn: undefined }), currency: 'JPY' };
  expect(headlineOf([usd, eur, none], 'USD')).toMatchObject({ currency: 'EUR', runway_months: 3 });
  expect(headlineOf([{ ...none, currency: 'CHF' }, none], 'JPY')?.currency).toBe('JPY');
  const unused = { ...runway({ cash: 0n, burn: undefined }), currency: 'CHF' };
  expect(headlineOf([usd, unused], 'USD')?.currency).toBe('USD');
  expect(headlineOf([], 'USD')).toBeNull();
});

const amount = fc.bigInt(0n, MAX);

test('months are rounded down to a tenth of the exact quotient, for amounts of any size', () => {
  fc.assert(
    fc.property(fc.bigInt(1n, MAX * 100n), fc.tuple(amount, amount, amount), (cash, outs) => {
      const total = outs.reduce((sum, out) => sum + out, 0n);
      const line = runway({ cash, burn: burnOf(outs) });
      if (total === 0n) return expect(line.status).toBe('no_outflow');
      expect(line.runway_months).toBe(Number((cash * 30n) / total) / 10);
      expect(JSON.stringify(line)).not.toMatch(/Infinity|NaN/);
    }),
  );
});

test('the order of the sums of months changes nothing', () => {
  const flows = fc.array(
    fc.record({ month: fc.constantFrom(...WINDOW, '2026-05'), moneyIn: amount, moneyOut: amount }),
    { maxLength: 4 },
  );
  fc.assert(
    fc.property(flows, (rows) => {
      const unique = [...new Map(rows.map((row) => [row.month, flow(row.month, row.moneyIn, row.moneyOut)])).values()];
      expect(computeBurn(unique.toReversed(), WINDOW)).toEqual(computeBurn(unique, WINDOW));
    }),
  );
});
