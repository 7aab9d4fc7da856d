import { type AccountType, type MonthlyLine, operations } from '@finhook/contracts';
import { createTestClock, createTestRandom, type TestClock, type TestRandom } from '@finhook/testing';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { createConnection } from '../src/modules/bank/connections/create.ts';
import { disconnectConnection } from '../src/modules/bank/connections/disconnect.ts';
import { ingestTransactions } from '../src/modules/bank/transactions/ingest.ts';
import { updateTransaction } from '../src/modules/bank/transactions/update.ts';
import { upsertCashBalance } from '../src/modules/cash/balances/upsert.ts';
import { createCompany } from '../src/modules/companies/create.ts';
import { getBreakdown } from '../src/modules/financials/figures/breakdown.ts';
import { getMonthly, getRunway } from '../src/modules/financials/figures/get-figures.ts';
import { getSettings, updateSettings } from '../src/modules/financials/figures/settings.ts';
import { applyFlowRules } from '../src/modules/financials/rollup/apply-flow-rules.ts';
import { bulkUpdateTransactions } from '../src/modules/financials/transactions/bulk.ts';
import { getFxRates, putFxRates } from '../src/modules/fx-rates/fx-rates.ts';
import type { Context, Core } from '../src/verbs/context.ts';
import { DomainError } from '../src/verbs/domain-error.ts';
import { type CoreFixture, openFixture } from './core-fixture.ts';
import { openOwnZone } from './own-dates.ts';
import { words } from './recompute-classes.ts';
import {
  categoryOf,
  type ExportedBalance,
  type ExportedTransaction,
  figuresOf,
  type RecomputedCompany,
  type RecomputedMonth,
  recomputeCompany,
} from './recompute-runway.ts';
import { type RecomputeRules, rulesOf } from './rules-of.ts';

const LANES = 4;
const NOW = '2026-11-25T12:00:00Z';
const TIMEZONES = ['America/New_York', 'Asia/Tokyo', 'UTC', 'Europe/Berlin'];
const DAY = 86_400_000;
const categories = [
  null,
  null,
  'rent',
  'software',
  'Transfer',
  'internal_transfer',
  'Credit Card Payment',
  'Series A',
  'payout',
];
const counterparties = [null, 'Acme GmbH', 'ACME  GmbH', 'Brex Card', 'Landlord'];
const types: AccountType[] = ['depository', 'depository', 'investment', 'restricted', 'credit_card', 'loan'];
const currencies = ['USD', 'USD', 'USD', 'EUR', 'JPY'];

/** One client, the only writer of its company. */
interface Lane {
  core: Core;
  context: Context;
  random: TestRandom;
  company_id: string;
  timezone: string;
  /** Connection ids and labels of providers; null for rows without one. */
  accounts: (string | null)[];
  replacing: { id: string; replaces: string }[];
  disconnected: string[];
  balances: Map<string, ExportedBalance>;
  /** By connection and external ID. */
  rows: Map<string, ExportedTransaction & { external_id: string }>;
  /** The types that senders sent last. */
  named: Map<string, AccountType>;
}

function pick<T>(random: TestRandom, items: readonly T[]): T {
  return items[random.integer(items.length)] as T;
}

async function openLane(core: Core, context: Context, index: number): Promise<Lane> {
  const timezone = TIMEZONES[index % TIMEZONES.length] ?? 'UTC';
  const { id } = await createCompany(context, { name: 'Figures Inc', timezone, base_currency: 'USD' });
  return {
    core,
    context,
    random: createTestRandom(91 + index),
    company_id: id,
    timezone,
    accounts: [null, 'main', 'card', 'savings', 'escrow'],
    replacing: [],
    disconnected: [],
    balances: new Map(),
    rows: new Map(),
    named: new Map(),
  };
}

const openAccounts = ({ accounts, disconnected }: Lane) => accounts.filter((id) => !disconnected.includes(id ?? ''));

/** Some amounts recur with the other sign, and some are far larger than others. */
function amountOf(random: TestRandom): number {
  if (random.integer(40) === 0) return 1_000 * (1 + random.integer(900));
  const size = random.integer(4) === 0 ? 500 : 1 + random.integer(900);
  return random.integer(3) === 0 ? size : -size;
}

async function postTransactions(lane: Lane): Promise<void> {
  const { context, random, company_id, rows } = lane;
  const connection_id = pick(random, openAccounts(lane));
  const sent = Array.from({ length: 1 + random.integer(12) }, () => ({
    connection_id,
    external_id: `t${random.integer(150)}`,
    posted_at: new Date(Date.parse(NOW) + 2 * DAY - random.integer(420 * DAY)).toISOString(),
    amount_cents: amountOf(random),
    currency: pick(random, currencies),
    category: pick(random, categories),
    counterparty: pick(random, counterparties),
    description: '',
  }));
  const on_duplicate = random.integer(3) === 0 ? 'update' : 'skip';
  const answer = await ingestTransactions(context, { company_id, transactions: sent, on_duplicate });
  for (const row of answer.transactions) {
    expect(rows.has(keyOf(row))).toBe(false);
    rows.set(keyOf(row), { ...row, category: row.posted_category });
  }
  if (on_duplicate === 'skip') return;
  const inserted = new Set(answer.transactions.map(({ external_id }) => external_id));
  const first = new Map(sent.toReversed().map((row) => [keyOf(row), row]));
  const updated = [...first].flatMap(([key, row]) => {
    const stored = rows.get(key);
    if (inserted.has(row.external_id) || stored === undefined || stored.voided_at != null) return [];
    rows.set(key, { ...stored, ...row });
    return [stored.id];
  });
  // An unchanged row is not updated.
  expect(updated).toEqual(expect.arrayContaining(answer.updated_transactions.map(({ id }) => id)));
}

const keyOf = (row: { connection_id: string | null; external_id: string }) =>
  `${row.connection_id ?? ''}|${row.external_id}`;

const givenClasses = [null, 'counted', 'financing', 'transfer', 'excluded'] as const;
const isRejected = (error: unknown) => error instanceof DomainError && error.code === 'account_not_counted';

/** Classifies, categorizes, voids or restores one row, or all rows of a filter. */
async function correct(lane: Lane): Promise<void> {
  const { context, random, company_id, rows } = lane;
  if (rows.size === 0) return;
  const set = pick(random, [
    { voided: random.integer(2) === 0 },
    { flow_class: pick(random, givenClasses) },
    { category: pick(random, categories) },
    { category: pick(random, categories), flow_class: pick(random, givenClasses) },
  ]);
  const one = pick(random, [...rows.values()]);
  const [counterparty, category] = [pick(random, ['Landlord', 'Brex Card']), pick(random, ['rent', 'payout'])];
  const isMany = random.integer(3) === 0;
  const rules = rulesOf(await getSettings(context, { company_id }));
  const chosen = isMany
    ? [...rows.values()].filter((row) => row.counterparty === counterparty && categoryOf(row, rules) === category)
    : [one];
  const filter = { counterparty, category };
  try {
    if (isMany) await bulkUpdateTransactions(context, { company_id, filter, set, expected_count: chosen.length });
    else await updateTransaction(context, { company_id, transaction_id: one.id, ...set });
  } catch (error) {
    if (isRejected(error)) return;
    throw error;
  }
  for (const row of chosen) {
    const voided = set.voided === undefined ? {} : { voided_at: set.voided ? NOW : null };
    const own = set.category === undefined ? {} : { own_category: set.category };
    rows.set(keyOf(row), { ...row, ...('flow_class' in set ? { flow_class: set.flow_class } : {}), ...own, ...voided });
  }
}

async function changeRules(lane: Lane): Promise<void> {
  const { context, random, company_id } = lane;
  const rule = () => ({
    contains: pick(random, ['landlord', 'brex card', 'acme gmbh', 'software', 'ACME  GMBH', 'transfer', 'rent']),
    ...pick(random, [
      { flow_class: pick(random, givenClasses.slice(1)) },
      { category: pick(random, categories.slice(2)) },
      { flow_class: pick(random, givenClasses.slice(1)), category: pick(random, categories.slice(2)) },
    ]),
    ...(random.integer(2) === 0 ? { direction: pick(random, ['in', 'out'] as const) } : {}),
  });
  const flow_rules = random.integer(3) === 0 ? null : Array.from({ length: 1 + random.integer(3) }, rule);
  await updateSettings(context, { company_id, flow_rules });
  await applyFlowRules(lane.core);
}

async function postBalance(lane: Lane): Promise<void> {
  const { context, random, company_id } = lane;
  const connection_id = pick(random, openAccounts(lane));
  const balance = {
    connection_id,
    as_of: new Date(Date.parse(NOW) - random.integer(150) * DAY).toISOString().slice(0, 10),
    balance_cents: random.integer(2_000_000) - 200_000,
    currency: pick(random, currencies),
  };
  const account_type = random.integer(3) === 0 ? pick(random, types) : undefined;
  await upsertCashBalance(context, { company_id, ...balance, ...(account_type ? { account_type } : {}) });
  lane.balances.set(`${connection_id ?? ''}|${balance.as_of}`, balance);
  if (account_type) lane.named.set(connection_id ?? '', account_type);
}

async function changeSettings(lane: Lane): Promise<void> {
  const { context, random, company_id } = lane;
  const kind = random.integer(5);
  const some = lane.accounts.filter(() => random.integer(4) === 0).map((id) => id ?? 'none');
  if (kind === 0) await updateSettings(context, { company_id, excluded_connections: random.integer(2) ? some : null });
  if (kind === 1) {
    const accounts = some.map((connection_id) => ({ connection_id, account_type: pick(random, types) }));
    await updateSettings(context, { company_id, accounts: random.integer(3) ? accounts : null });
  }
  if (kind === 2) {
    const excluded_categories = random.integer(3) ? null : ['rent', 'internal_transfer'];
    await updateSettings(context, { company_id, excluded_categories });
  }
  if (kind === 3) await updateSettings(context, { company_id, exclude_suspected_transfers: random.integer(4) > 0 });
  if (kind === 4) await putRates(context, random);
}

async function putRates(context: Context, random: TestRandom): Promise<void> {
  const rates: Record<string, string> = { EUR: '1', USD: '1.0842', JPY: '162.5' };
  if (random.integer(4) === 0) delete rates['JPY'];
  const as_of = new Date(Date.parse(NOW) - random.integer(9) * DAY).toISOString().slice(0, 10);
  await putFxRates(context, { base: 'EUR', as_of, rates });
}

/** Connects an account for the first time or again. */
async function connect(lane: Lane): Promise<void> {
  const { context, random, company_id, accounts, disconnected, replacing } = lane;
  if (accounts.length > 12) return;
  const ended = new Set([...disconnected, ...replacing.map(({ replaces }) => replaces)]);
  const open = accounts.filter((id): id is string => id?.startsWith('conn_') === true && !ended.has(id));
  const replaces = open.length > 0 && random.integer(3) > 0 ? pick(random, open) : undefined;
  if (replaces !== undefined) await disconnectConnection(context, { connection_id: replaces });
  const more = replaces === undefined ? {} : { replaces };
  const { id } = await createConnection(context, { company_id, provider: 'ledger', ...more });
  accounts.push(id);
  if (replaces === undefined) return;
  disconnected.push(replaces);
  replacing.push({ id, replaces });
}

async function step(lane: Lane): Promise<void> {
  const kind = lane.random.integer(100);
  if (kind < 50) await postTransactions(lane);
  else if (kind < 65) await postBalance(lane);
  else if (kind < 80) await correct(lane);
  else if (kind < 84) await changeRules(lane);
  else if (kind < 98) await changeSettings(lane);
  else await connect(lane);
}

const cents = (number: number | null, text?: string): bigint => BigInt(number ?? text ?? 0);

/** Compares runway, its total, and the sums of each month with those computed from the rows. */
async function check(lane: Lane, clock: TestClock): Promise<string> {
  const { context, company_id, timezone, random, disconnected, replacing } = lane;
  const months = 1 + random.integer(12);
  const rules = rulesOf(await getSettings(context, { company_id }));
  const recomputed = recomputeCompany({
    balances: [...lane.balances.values()],
    transactions: [...lane.rows.values()],
    timezone,
    baseCurrency: 'USD',
    now: clock.now(),
    months,
    rules: { ...rules, types: { ...Object.fromEntries(lane.named), ...rules.types } },
    disconnected,
    replacing,
    rates: await getFxRates(context, {}),
  });
  const { lines, total, rates_missing } = await getRunway(context, { company_id, months });
  const [line] = lines;
  // Without a complete month, the service uses balances and statements.
  if (line?.window.length) {
    expect(lines.map(figuresOf)).toEqual(recomputed.lines);
    expect(rates_missing).toEqual(recomputed.missing);
    const { rates: _, ...figures } = total ?? { rates: null };
    expect(total === null ? null : figuresOf(figures as typeof line)).toEqual(recomputed.total);
  }
  const table = (await getMonthly(context, { company_id, months: 12 })).months;
  for (const { month, flows } of table.filter(({ partial }) => !partial))
    for (const flow of flows) expect([month, atItsEnd(flow)]).toEqual([month, lineAtEnd(recomputed, month, flow)]);
  await checkBreakdown(lane, recomputed, rules);
  const shown = table.flatMap(({ month, flows }) =>
    // Other lines have only cash.
    flows
      .filter(({ transactions }) => transactions > 0)
      .map((flow): [string, RecomputedMonth] => [
        `${month} ${flow.currency}`,
        {
          in: cents(flow.money_in_cents, flow.money_in_string),
          out: cents(flow.money_out_cents, flow.money_out_string),
          leftOutIn: cents(flow.excluded_in_cents, flow.excluded_in_string),
          leftOutOut: cents(flow.excluded_out_cents, flow.excluded_out_string),
          transactions: flow.transactions,
        },
      ]),
  );
  const first = shown.map(([key]) => key.slice(0, 7)).sort()[0] ?? '~';
  const expected = [...recomputed.months].filter(([key]) => key.slice(0, 7) >= first);
  expect(new Map(shown)).toEqual(new Map(expected));
  return `${total === null} ${line?.window.length}`;
}

const atItsEnd = ({ closing_cash_cents, net_burn_3m_cents, runway_months }: MonthlyLine) => ({
  closing_cash_cents,
  net_burn_3m_cents,
  runway_months,
});

function lineAtEnd({ lineOf }: RecomputedCompany, month: string, { currency }: MonthlyLine) {
  const line = lineOf(month, currency);
  const runway_months = line.window.length === 0 ? null : line.runway_months;
  return { closing_cash_cents: line.cash_cents, net_burn_3m_cents: line.net_burn_cents, runway_months };
}

/** Compares the breakdown of the last three complete months. */
async function checkBreakdown(
  { context, company_id, timezone, random, rows }: Lane,
  { classes }: RecomputedCompany,
  rules: RecomputeRules,
) {
  const by = pick(random, ['category', 'counterparty', 'connection'] as const);
  const direction = pick(random, ['in', 'out'] as const);
  const currency = pick(random, currencies);
  const input = { company_id, by, direction, currency };
  const result = await getBreakdown(context, operations.financials.breakdown.input.parse(input));
  const breakdownKey = (row: ExportedTransaction): string | null => {
    if (by === 'category') return words(categoryOf(row, rules)) || null;
    return by === 'connection' ? row.connection_id : spaced(row.counterparty ?? '') || null;
  };
  const zone = openOwnZone(timezone);
  const sign = direction === 'in' ? 1 : -1;
  const months = ['2026-08', '2026-09', '2026-10'];
  const expected = new Map<string | null, { total: number; transactions: number }>();
  for (const row of rows.values()) {
    const isIn = months.includes(zone.dayOf(Date.parse(row.posted_at)).slice(0, 7));
    if (!isIn || row.currency !== currency || row.amount_cents * sign <= 0 || classes.get(row.id) !== 'counted')
      continue;
    const { total, transactions } = expected.get(breakdownKey(row)) ?? { total: 0, transactions: 0 };
    expected.set(breakdownKey(row), { total: total + row.amount_cents * sign, transactions: transactions + 1 });
  }
  const keys = result.rows.filter(({ total_cents }) => total_cents !== 0);
  const sums = keys.map(({ key, total_cents: total, transactions }) => [key, { total, transactions }] as const);
  expect(new Map(sums)).toEqual(expected);
}

const spaced = (text: string) => text.trim().toLowerCase().split(/\s+/).join(' ');

/** Registers a test with `count` random operations that compares the figures after every `checkEvery` of a lane. */
export function testFiguresModel(count: number, checkEvery: number): void {
  const clock = createTestClock(NOW);
  let fixture: CoreFixture;
  let lanes: Lane[];
  beforeAll(async () => {
    fixture = await openFixture(inject('pgUrl'), clock);
    // One account per lane, because rates belong to an account.
    const others = await Promise.all(Array.from({ length: LANES }, () => fixture.otherAccount()));
    lanes = await Promise.all(others.map(({ context }, i) => openLane(fixture.core, context, i)));
  });
  afterAll(() => fixture.close());

  test(`after ${count} random operations every figure is that of the rows alone`, {
    timeout: 600_000,
  }, async () => {
    const seen = new Set<string>();
    await Promise.all(
      lanes.map(async (lane, index) => {
        for (let i = 1; i <= count / LANES; i++) {
          await step(lane);
          if (i % checkEvery !== 0) continue;
          seen.add(
            await check(lane, clock).catch((error: Error) => {
              error.message = `lane ${index}, operation ${i}: ${error.message}`;
              throw error;
            }),
          );
        }
      }),
    );
    expect(seen.size).toBeGreaterThan(3);
  });
}
