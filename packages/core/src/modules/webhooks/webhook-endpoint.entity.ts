import type { WebhookEndpoint as WebhookEndpointRecord } from '@finhook/contracts';
import { defineEntity, p } from '@mikro-orm/postgresql';

/** An endpoint's record as its row knows it. It is no answer yet: `completeRecord` adds what only the moment tells. */
export type StoredEndpoint = Omit<WebhookEndpointRecord, 'blocked_by'>;

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
    operational: p.boolean().default(false),
    /** Since when a backlog is reported, until it is worked off. */
    backlogNotifiedAt: p.datetime().nullable(),
    /** Encrypted JSON, names in lower case; null when there are none. */
    headers: p.text().nullable(),
    maskedHeaders: p.json().$type<Record<string, string>>(),
    timeoutMs: p.integer().nullable(),
    /** Seconds before the second attempt, the third, … */
    retrySchedule: p.json().$type<NonNullable<WebhookEndpointRecord['retry_schedule']>>().nullable(),
    filter: p.json().$type<NonNullable<WebhookEndpointRecord['filter']>>().nullable(),
    /** `filter` as an SQL/JSON path. */
    filterPath: p.text().nullable(),
    metadata: p.json().$type<Record<string, string>>(),
    signatureVersions: p.array().columnType('text[]').$type<WebhookEndpointRecord['signature_versions']>(),
    publicKey: p.text().nullable(),
    /** Encrypted; signs `v1a`. */
    privateKey: p.text().nullable(),
    /** Encrypted; the secret that a rotation replaced, and when it ends. */
    previousSecret: p.text().nullable(),
    previousSecretUntil: p.datetime().nullable(),
    pingedAt: p.datetime().nullable(),
    rateLimitRequests: p.integer().nullable(),
    rateLimitSeconds: p.integer().nullable(),
    maxConcurrency: p.integer().nullable(),
    ordered: p.boolean().default(false),
    breaker: p.text().$type<'closed' | 'open'>().default('closed'),
    breakerSince: p.datetime().nullable(),
    nextProbeAt: p.datetime().nullable(),
    probeWaitMs: p.integer().nullable(),
    unreachableCount: p.integer().default(0),
    holdUntil: p.datetime().nullable(),
    pacedTo: p.float().nullable(),
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
    resumedAt: p.datetime().nullable(),
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
  /** `now` decides whether the overlap of a rotation is over; what it left is wiped a little later. */
  toRecord(now: Date): StoredEndpoint {
    const until = this.previousSecretUntil;
    return {
      id: this.id,
      object: 'webhook_endpoint',
      account_id: this.accountId,
      url: this.url,
      events: this.events,
      description: this.description ?? null,
      company_id: this.companyId ?? null,
      include_internal: this.includeInternal,
      operational: this.operational,
      headers: this.maskedHeaders,
      timeout_ms: this.timeoutMs ?? null,
      retry_schedule: this.retrySchedule ?? null,
      filter: this.filter ?? null,
      metadata: this.metadata,
      signature_versions: this.signatureVersions,
      public_key: this.publicKey ?? null,
      rotation_ends_at: until != null && until > now ? until.toISOString() : null,
      ...flowFieldsOf(this),
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

/** The fields of an endpoint's record that tell of the flow to it, as far as its row knows them. */
function flowFieldsOf(
  endpoint: WebhookEndpoint,
): Pick<WebhookEndpointRecord, 'rate_limit' | 'max_concurrency' | 'ordered' | 'health'> {
  const { rateLimitRequests: requests, rateLimitSeconds: perSeconds } = endpoint;
  return {
    rate_limit: requests == null || perSeconds == null ? null : { requests, per_seconds: perSeconds },
    max_concurrency: endpoint.maxConcurrency ?? null,
    ordered: endpoint.ordered,
    health: {
      state: endpoint.breaker,
      since: endpoint.breakerSince?.toISOString() ?? null,
      next_probe_at: endpoint.nextProbeAt?.toISOString() ?? null,
      consecutive_failures: endpoint.unreachableCount,
      wait_until: endpoint.holdUntil?.toISOString() ?? null,
      paced_to: endpoint.pacedTo ?? null,
    },
  };
}

/** What a secret's ciphertext is bound to; a secret that was replaced keeps its own. */
export function secretPlace(endpointId: string): string {
  return `webhook_endpoint|${endpointId}`;
}

/** The same for the endpoint's own headers. */
export function headersPlace(endpointId: string): string {
  return `webhook_endpoint.headers|${endpointId}`;
}

/** The same for its private key. */
export function privateKeyPlace(endpointId: string): string {
  return `webhook_endpoint.private_key|${endpointId}`;
}
