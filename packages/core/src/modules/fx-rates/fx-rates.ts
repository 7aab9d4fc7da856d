import { type FxRates, fxRates, normalizeCurrency, type operations } from '@finhook/contracts';
import { type Queryable, statement } from '../../db/queryable.ts';
import { changesBetween, recordChange } from '../../outbox/record-change.ts';
import { transaction } from '../../outbox/transaction.ts';
import { checkDay, dayLimits } from '../../time/calendar.ts';
import type { Context } from '../../verbs/context.ts';
import { DomainError, rejectFields } from '../../verbs/domain-error.ts';
import { type RowOf, record } from '../../verbs/record.ts';
import type { InputOf, Verb } from '../../verbs/verb.ts';
import type { RateSet } from './convert.ts';

type PutOp = typeof operations.fxRates.put;

const readRow = statement('read_fx_rates', 'SELECT * FROM fx_rates WHERE account_id = $1');

const store = statement(
  'store_fx_rates',
  `INSERT INTO fx_rates (account_id, base, as_of, rates, source, created_at, updated_at)
   VALUES ($1, $2, $3, $4, $5, $6, $6)
   ON CONFLICT (account_id) DO UPDATE
     SET base = excluded.base, as_of = excluded.as_of, rates = excluded.rates, source = excluded.source,
         updated_at = excluded.updated_at`,
);

export const getFxRates: Verb<typeof operations.fxRates.get> = async (context) =>
  read(context.database, context.accountId);

export const putFxRates: Verb<PutOp> = async (context, input) => {
  rejectRestricted(context);
  const content = contentOf(input);
  rejectFields([checkDay('/as_of', input.as_of, dayLimits(context.clock.now(), 1)), baseError(content)]);
  return transaction(context, { records: 'audit', lock: `fx_rates|${context.accountId}` }, async (tx) => {
    const before = await read(tx, context.accountId);
    const now = context.clock.now().toISOString();
    const after: FxRates = { ...before, ...content, created_at: before.created_at ?? now, updated_at: now };
    if (changesBetween(before, after, ['created_at', 'updated_at']).changed.length === 0) return before;
    const { base, as_of, rates, source } = content;
    await tx.query(store, [context.accountId, base, as_of, JSON.stringify(rates), source, now]);
    recordChange(tx, context, { action: 'fxRates.put', resourceId: context.accountId, before, after });
    return after;
  });
};

async function read(db: Queryable, accountId: string): Promise<FxRates> {
  const [row] = await db.query<RowOf<typeof fxRates>>(readRow, [accountId]);
  return record(fxRates, row ? { ...row, rates: inOrder(row.rates) } : { account_id: accountId, rates: {} });
}

/** The rates apply to every company. */
function rejectRestricted({ access }: Context): void {
  if (access.companyIds === undefined) return;
  throw new DomainError('insufficient_scope', {
    detail:
      'This key is limited to some companies, and exchange rates are those of all. Use a key with access to the whole account.',
  });
}

function contentOf({ base, as_of, rates, source }: InputOf<PutOp>): RateSet {
  const byCode = new Map<string, string>();
  const twice = new Set<string>();
  for (const [sent, rate] of Object.entries(rates)) {
    const code = codeOf(sent);
    if (byCode.has(code)) twice.add(code);
    byCode.set(code, rate);
  }
  rejectFields(
    [...twice].map((code) => ({
      pointer: '/rates',
      code: 'invalid_format',
      message: `has ${code} twice, in upper and lower case`,
    })),
  );
  return { base: codeOf(base), as_of, rates: inOrder(Object.fromEntries(byCode)), source: source ?? null };
}

function codeOf(sent: string): string {
  return normalizeCurrency(sent) ?? sent;
}

function baseError({ base, rates }: RateSet) {
  const rate = rates[base];
  if (rate === undefined || /^0*1(\.0*)?$/.test(rate)) return undefined;
  return {
    pointer: `/rates/${base}`,
    code: 'out_of_range',
    message: `must be 1, because ${base} is the base`,
  } as const;
}

/** Sorted by code, so that equal sets have equal JSON. */
function inOrder(rates: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(rates).sort(([a], [b]) => (a < b ? -1 : 1)));
}
