import type { FieldError, operations } from '@finhook/contracts';
import { generateWebhookSecret } from '@finhook/signing';
import { reachesCompany } from '../../kernel/access.ts';
import { audit } from '../../kernel/audit.ts';
import type { Context } from '../../kernel/context.ts';
import { invalidFields, refuseFields, unknownCompany } from '../../kernel/domain-error.ts';
import { assertQuota, quotaLock } from '../../kernel/quota.ts';
import { transaction, type Work } from '../../kernel/transaction.ts';
import type { InputOf, OutputOf } from '../../kernel/verb.ts';
import { Company } from '../companies/company.entity.ts';
import { applyOptions } from './apply-options.ts';
import { completeRecord } from './endpoint-flow.ts';
import { eventFilterFaults } from './event-filter.ts';
import { secretPlace, WebhookEndpoint } from './webhook-endpoint.entity.ts';

type Op = typeof operations.webhookEndpoints.create;

/** The url in its stored form, or its fault. */
export async function checkEndpointUrl(
  context: Context,
  url: string,
): Promise<{ url: string } | { fault: FieldError }> {
  const check = await context.checkUrl(url);
  return check.ok ? { url: check.url } : { fault: { pointer: '/url', code: check.code, message: check.reason } };
}

/** A narrowed key makes endpoints for companies that it reaches, and for nothing else (S3). */
export async function companyFault(
  tx: Work,
  context: Context,
  companyId: string | null,
): Promise<FieldError | undefined> {
  const pointer = '/company_id';
  if (companyId === null) {
    if (context.access.companyIds === undefined) return undefined;
    return { pointer, code: 'required', message: 'is required: this key reaches only some companies' };
  }
  const known =
    reachesCompany(context, companyId) &&
    (await tx.em.findOne(Company, { id: companyId, account_id: context.accountId })) !== null;
  return known ? undefined : unknownCompany(pointer);
}

/** Creates an endpoint with a secret of its own, which is in this answer and nowhere else. */
export async function createEndpoint(context: Context, input: InputOf<Op>): Promise<OutputOf<Op>> {
  const checked = await checkEndpointUrl(context, input.url);
  const faults = eventFilterFaults(input.events ?? []);
  if ('fault' in checked) refuseFields([checked.fault, ...faults]);
  invalidFields(faults);
  return transaction(context, { lock: quotaLock('webhook_endpoints', context) }, async (tx) => {
    invalidFields([await companyFault(tx, context, input.company_id ?? null)]);
    await assertQuota(tx, context, 'webhook_endpoints');
    const now = context.clock.now();
    const id = context.newId('we');
    const secret = generateWebhookSecret();
    const endpoint = tx.em.create(WebhookEndpoint, {
      id,
      accountId: context.accountId,
      url: checked.url,
      events: [...new Set(input.events ?? [])],
      description: input.description ?? null,
      companyId: input.company_id ?? null,
      includeInternal: input.include_internal ?? false,
      maskedHeaders: {},
      metadata: {},
      signatureVersions: ['v1'],
      secret: context.secrets.encrypt(secret, secretPlace(id)),
      status: 'active',
      createdAt: now,
      updatedAt: now,
    });
    applyOptions(context, endpoint, input);
    await tx.em.flush();
    const record = endpoint.toRecord(now);
    await audit(tx, context, {
      action: 'webhookEndpoints.create',
      companyId: endpoint.companyId ?? null,
      resourceId: id,
      after: record,
    });
    return { ...(await completeRecord(tx, record, now)), secret };
  });
}
