import { allEventTypes, type FieldError, isAnyEventType, type operations, type Warning } from '@finhook/contracts';
import { generateWebhookSecret } from '@finhook/signing';
import type { EntityManager } from '@mikro-orm/postgresql';
import { hasCompanyAccess } from '../../access/access.ts';
import { assertQuota, quotaLock } from '../../access/quota.ts';
import type { Transaction } from '../../db/database.ts';
import { truncate } from '../../input/field-errors.ts';
import { nearestNames } from '../../input/nearest-names.ts';
import { recordChange } from '../../outbox/record-change.ts';
import { transaction } from '../../outbox/transaction.ts';
import type { Context } from '../../verbs/context.ts';
import { rejectFields, rejectWithFields, unknownCompany } from '../../verbs/domain-error.ts';
import type { Verb } from '../../verbs/verb.ts';
import { Company } from '../companies/company.entity.ts';
import { applyOptions } from './apply-options.ts';
import { completeRecord } from './endpoint-flow.ts';
import { secretAad, storedEndpoint, WebhookEndpoint } from './webhook-endpoint.entity.ts';

const MAX_SHOWN = 64;

/** Hints for a request for all event types. */
const allOf = { events: 'send [] for all types', types: 'leave types out for all of them' };

function suggestion(name: string, field: keyof typeof allOf): string {
  const prefix = name.replace(/\.?\*?$/, '');
  const group = prefix === '' ? [] : allEventTypes.filter((type) => type.startsWith(`${prefix}.`));
  if (name === '*' || group.length > 0) {
    const types = group.length > 0 ? `name ${group.join(', ')}, or ` : '';
    return `: wildcards and prefixes are not supported; ${types}${allOf[field]}`;
  }
  const nearest = nearestNames(name, allEventTypes);
  if (nearest.length === 0) return '; GET /api/v1/event-types lists all of them';
  return `; did you mean ${nearest.join(' or ')}?`;
}

export function eventFilterErrors(names: readonly string[], field: keyof typeof allOf = 'events'): FieldError[] {
  return names.flatMap((name, i) =>
    isAnyEventType(name)
      ? []
      : [
          {
            pointer: `/${field}/${i}`,
            code: 'unknown_event_type' as const,
            message: `"${truncate(name, MAX_SHOWN)}" is not an event type${suggestion(name, field)}`,
          },
        ],
  );
}

export async function checkEndpointUrl(
  context: Context,
  url: string,
): Promise<{ url: string } | { error: FieldError }> {
  const check = await context.outgoing.checkUrl(url);
  return check.ok ? { url: check.url } : { error: { pointer: '/url', code: check.code, message: check.reason } };
}

export async function companyError(
  tx: Transaction,
  context: Context,
  companyId: string | null,
): Promise<FieldError | undefined> {
  if (companyId === null) {
    if (context.access.companyIds === undefined) return undefined;
    return {
      pointer: '/company_id',
      code: 'required',
      message: 'is required because this key is limited to some companies',
    };
  }
  return unknownCompanyError(tx.em, context, companyId);
}

export async function unknownCompanyError(
  em: EntityManager,
  context: Context,
  companyId: string,
): Promise<FieldError | undefined> {
  const isKnown =
    hasCompanyAccess(context, companyId) &&
    (await em.findOne(Company, { id: companyId, account_id: context.accountId })) !== null;
  return isKnown ? undefined : unknownCompany('/company_id');
}

const shown = 5;

/** Warns of duplicate deliveries to one URL, such as after a repeated POST. */
async function sameUrlWarnings(tx: Transaction, context: Context, endpoint: WebhookEndpoint): Promise<Warning[]> {
  const { id, url, events, company_id } = endpoint;
  const { companyIds } = context.access;
  const same = await tx.em.find(WebhookEndpoint, {
    id: { $ne: id },
    account_id: context.accountId,
    url,
    deleted_at: null,
    ...(companyIds ? { company_id: { $in: [...companyIds] } } : {}),
  });
  const overlapping = same.filter(
    (other) =>
      (events.length === 0 || other.events.length === 0 || other.events.some((type) => events.includes(type))) &&
      (company_id == null || other.company_id == null || other.company_id === company_id),
  );
  if (overlapping.length === 0) return [];
  const names = overlapping.slice(0, shown).map((other) => other.id);
  const more = overlapping.length > shown ? ' and others' : '';
  const message = `${names.join(', ')}${more} ${overlapping.length === 1 ? 'has' : 'have'} the same url and some of the same events, which arrive there more than once. Delete one of them, or select other events. A request that is repeated with its Idempotency-Key creates one endpoint.`;
  return [{ code: 'same_url', pointer: '/url', message }];
}

export const createEndpoint: Verb<typeof operations.webhookEndpoints.create> = async (context, input) => {
  const checked = await checkEndpointUrl(context, input.url);
  const errors = eventFilterErrors(input.events ?? []);
  if ('error' in checked) rejectWithFields([checked.error, ...errors]);
  rejectFields(errors);
  return transaction(context, { records: 'audit', lock: quotaLock('webhook_endpoints', context) }, async (tx) => {
    rejectFields([await companyError(tx, context, input.company_id ?? null)]);
    await assertQuota(tx, context, 'webhook_endpoints');
    const now = context.clock.now();
    const id = context.newId('we');
    const secret = generateWebhookSecret();
    const endpoint = tx.em.create(WebhookEndpoint, {
      id,
      account_id: context.accountId,
      url: checked.url,
      events: [...new Set(input.events ?? [])],
      description: input.description ?? null,
      company_id: input.company_id ?? null,
      include_internal: input.include_internal ?? false,
      masked_headers: {},
      metadata: {},
      signature_versions: ['v1'],
      secret: context.secrets.encrypt(secret, secretAad(id)),
      status: 'active',
      created_at: now,
      updated_at: now,
    });
    applyOptions(context, endpoint, input);
    await tx.em.flush();
    const after = storedEndpoint(endpoint, now);
    recordChange(tx, context, { action: 'webhookEndpoints.create', after });
    const warnings = await sameUrlWarnings(tx, context, endpoint);
    return { ...(await completeRecord(tx, after, now)), secret, ...(warnings.length === 0 ? {} : { warnings }) };
  });
};
