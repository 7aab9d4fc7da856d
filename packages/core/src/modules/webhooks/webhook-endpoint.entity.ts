import type { WebhookEndpoint as WebhookEndpointRecord } from '@finhook/contracts';
import { defineEntity, p } from '@mikro-orm/postgresql';

const WebhookEndpointSchema = defineEntity({
  name: 'WebhookEndpoint',
  tableName: 'webhook_endpoint',
  properties: {
    id: p.text().primary(),
    accountId: p.text(),
    url: p.text(),
    events: p.array().columnType('text[]').$type<string[]>(),
    description: p.text().nullable(),
    companyId: p.text().nullable(),
    includeInternal: p.boolean().default(false),
    /** Encrypted; null once the endpoint is deleted. */
    secret: p.text().nullable(),
    status: p.text().$type<WebhookEndpointRecord['status']>(),
    disabledReason: p.text().$type<NonNullable<WebhookEndpointRecord['disabled_reason']>>().nullable(),
    consecutiveFailures: p.integer().default(0),
    firstFailedAt: p.datetime().nullable(),
    lastFailedAt: p.datetime().nullable(),
    lastSuccessAt: p.datetime().nullable(),
    failingNotifiedAt: p.datetime().nullable(),
    disableWarnedAt: p.datetime().nullable(),
    lastStatusCode: p.integer().nullable(),
    lastError: p.text().nullable(),
    lastEventId: p.text().nullable(),
    createdAt: p.datetime(),
    updatedAt: p.datetime(),
    deletedAt: p.datetime().nullable(),
  },
});

/** Where an account receives its events. */
export class WebhookEndpoint extends WebhookEndpointSchema.class {
  toRecord(): WebhookEndpointRecord {
    return {
      id: this.id,
      object: 'webhook_endpoint',
      account_id: this.accountId,
      url: this.url,
      events: this.events,
      description: this.description ?? null,
      company_id: this.companyId ?? null,
      include_internal: this.includeInternal,
      status: this.status,
      disabled_reason: this.disabledReason ?? null,
      consecutive_failures: this.consecutiveFailures,
      last_success_at: this.lastSuccessAt?.toISOString() ?? null,
      last_failure_at: this.lastFailedAt?.toISOString() ?? null,
      api_version: '1.0',
      created_at: this.createdAt.toISOString(),
      updated_at: this.updatedAt.toISOString(),
    };
  }
}
WebhookEndpointSchema.setClass(WebhookEndpoint);

/** What a secret's ciphertext is bound to. */
export function secretPlace(endpointId: string): string {
  return `webhook_endpoint|${endpointId}`;
}
