import { company as companySchema, normalizeCurrency, type operations } from '@finhook/contracts';
import { assertQuota, quotaLock } from '../../access/quota.ts';
import { statement } from '../../db/queryable.ts';
import { recordChange } from '../../outbox/record-change.ts';
import { transaction, type UnitOfWork } from '../../outbox/transaction.ts';
import type { Context } from '../../verbs/context.ts';
import { DomainError, rejectFields } from '../../verbs/domain-error.ts';
import { record } from '../../verbs/record.ts';
import { insertRecord, pickGiven } from '../../verbs/record-entity.ts';
import type { InputOf, OutputOf, Verb } from '../../verbs/verb.ts';
import { Company, companyFields } from './company.entity.ts';
import { formationTemplate } from './formation/formation-template.ts';
import { FormationStep, formationOf } from './formation/steps.ts';

const isKnown = statement(
  'is_known_time_zone',
  'SELECT EXISTS (SELECT FROM pg_timezone_names WHERE lower(name) = lower($1)) AS known',
);

/** PostgreSQL knows fewer time zones than Node, and computes the days and months of all figures. */
export async function checkTimeZone(context: Context, timeZone: string | undefined | null): Promise<void> {
  if (timeZone === undefined || timeZone === null || timeZone === 'UTC') return;
  const [row] = await context.database.query<{ known: boolean }>(isKnown, [timeZone]);
  if (row?.known) return;
  const message = 'is a time zone that the database does not know; use its current name, like America/Los_Angeles';
  rejectFields([{ pointer: '/timezone', code: 'invalid_timezone', message }]);
}

type Op = typeof operations.companies.create;

const DEFAULT_WIRE_THRESHOLD = 1_000_000;

function rejectRestricted({ access }: Context): void {
  if (access.companyIds === undefined) return;
  throw new DomainError('insufficient_scope', {
    detail:
      'This key is limited to some companies and cannot create others. Use a key with access to the whole account.',
  });
}

export const createCompany: Verb<Op> = async (context, input) => {
  rejectRestricted(context);
  await checkTimeZone(context, input.timezone);
  return transaction(context, { records: 'audit and event', lock: quotaLock('companies', context) }, async (tx) => {
    await assertQuota(tx, context, 'companies');
    return addCompany(tx, context, input);
  });
};

/** For callers with their own transaction and a checked input. */
export async function addCompany(tx: UnitOfWork, context: Context, input: InputOf<Op>): Promise<OutputOf<Op>> {
  const base_currency = normalizeCurrency(input.base_currency ?? 'USD') ?? 'USD';
  const thresholdCents = input.wire_approval_threshold_cents ?? DEFAULT_WIRE_THRESHOLD;
  // The creator's own wires stay under the default threshold too.
  const replaced = { thresholdCents: DEFAULT_WIRE_THRESHOLD, currency: base_currency, personId: context.personId };
  const company = await insertRecord(tx, context, Company, 'co', {
    ...pickGiven(input, companyFields),
    country: input.country ?? 'US',
    base_currency,
    timezone: input.timezone ?? 'UTC',
    status: input.status ?? 'active',
    wire_approval_threshold_cents: thresholdCents,
    prior_wire_terms: thresholdCents === DEFAULT_WIRE_THRESHOLD ? [] : [replaced],
    metadata: input.metadata ?? {},
  });
  const steps = company.status === 'forming' ? addSteps(tx, company) : [];
  await tx.em.flush();
  const after = record(companySchema, company, { formation: formationOf(steps) });
  const event = { type: 'company.created', data: after } as const;
  recordChange(tx, context, { action: 'companies.create', companyId: company.id, after, event });
  return after;
}

function addSteps(tx: UnitOfWork, { id, account_id, entity_type, created_at }: Company): FormationStep[] {
  return formationTemplate(entity_type ?? null).map((step, i) =>
    tx.em.create(FormationStep, {
      ...step,
      company_id: id,
      account_id,
      position: i + 1,
      status: 'pending',
      created_at,
      updated_at: created_at,
    }),
  );
}
