import { type WebhookEndpoint as WebhookEndpointRecord, webhookEndpoint } from '@finhook/contracts';
import { p } from '@mikro-orm/postgresql';
import { record } from '../../verbs/record.ts';
import { recordEntity } from '../../verbs/record-entity.ts';

const storedSchema = webhookEndpoint.omit({ blocked_by: true });

/** Without the values that `completeRecord` adds. */
export type StoredEndpoint = Omit<WebhookEndpointRecord, 'blocked_by'>;

const WebhookEndpointSchema = recordEntity('WebhookEndpoint', 'webhook_endpoint', {
  url: p.text(),
  events: p.array().columnType('text[]').$type<string[]>(),
  description: p.text().nullable(),
  company_id: p.text().nullable(),
  include_internal: p.boolean().default(false),
  operational: p.boolean().default(false),
  backlog_notified_at: p.datetime().nullable(),
  /** Encrypted JSON, names in lower case; null without headers. */
  headers: p.text().nullable(),
  masked_headers: p.json().$type<Record<string, string>>(),
  timeout_ms: p.integer().nullable(),
  /** Seconds before the second attempt, the third, … */
  retry_schedule: p.json().$type<NonNullable<WebhookEndpointRecord['retry_schedule']>>().nullable(),
  payload: p.text().$type<WebhookEndpointRecord['payload']>().default('full'),
  filter: p.json().$type<NonNullable<WebhookEndpointRecord['filter']>>().nullable(),
  filter_path: p.text().nullable(),
  metadata: p.json().$type<Record<string, string>>(),
  signature_versions: p.array().columnType('text[]').$type<WebhookEndpointRecord['signature_versions']>(),
  public_key: p.text().nullable(),
  private_key: p.text().nullable(),
  /** Encrypted; the secret before a rotation, and its end. */
  previous_secret: p.text().nullable(),
  previous_secret_until: p.datetime().nullable(),
  pinged_at: p.datetime().nullable(),
  rate_limit_requests: p.integer().nullable(),
  rate_limit_seconds: p.integer().nullable(),
  max_concurrency: p.integer().nullable(),
  ordered: p.boolean().default(false),
  breaker: p.text().$type<'closed' | 'open'>().default('closed'),
  breaker_since: p.datetime().nullable(),
  next_probe_at: p.datetime().nullable(),
  probe_wait_ms: p.integer().nullable(),
  unreachable_count: p.integer().default(0),
  hold_until: p.datetime().nullable(),
  paced_to: p.float().nullable(),
  secret: p.text().nullable(),
  status: p.text().$type<WebhookEndpointRecord['status']>(),
  disabled_reason: p.text().$type<NonNullable<WebhookEndpointRecord['disabled_reason']>>().nullable(),
  consecutive_failures: p.integer().default(0),
  first_failed_at: p.datetime().nullable(),
  last_failed_at: p.datetime().nullable(),
  last_success_at: p.datetime().nullable(),
  failing_notified_at: p.datetime().nullable(),
  disable_warned_at: p.datetime().nullable(),
  resumed_at: p.datetime().nullable(),
  last_status_code: p.integer().nullable(),
  last_error: p.text().nullable(),
  last_event_id: p.text().nullable(),
  deleted_at: p.datetime().nullable(),
});

export class WebhookEndpoint extends WebhookEndpointSchema.class {}
WebhookEndpointSchema.setClass(WebhookEndpoint);

/** `now` decides whether a rotation still overlaps: a job wipes the previous secret a little later. */
export function storedEndpoint(endpoint: WebhookEndpoint, now: Date): StoredEndpoint {
  const { rate_limit_requests: requests, rate_limit_seconds: per_seconds, previous_secret_until: until } = endpoint;
  return record(storedSchema, endpoint, {
    headers: endpoint.masked_headers,
    rotation_ends_at: until != null && until > now ? until.toISOString() : null,
    rate_limit: requests == null || per_seconds == null ? null : { requests, per_seconds },
    health: {
      state: endpoint.breaker,
      since: endpoint.breaker_since?.toISOString() ?? null,
      next_probe_at: endpoint.next_probe_at?.toISOString() ?? null,
      consecutive_failures: endpoint.unreachable_count,
      wait_until: endpoint.hold_until?.toISOString() ?? null,
      paced_to: endpoint.paced_to ?? null,
    },
    last_failure_at: endpoint.last_failed_at?.toISOString() ?? null,
    api_version: '1.0',
  });
}

/** Additional authenticated data of the current and the previous secret. */
export function secretAad(endpointId: string): string {
  return `webhook_endpoint|${endpointId}`;
}

export function headersAad(endpointId: string): string {
  return `webhook_endpoint.headers|${endpointId}`;
}

export function privateKeyAad(endpointId: string): string {
  return `webhook_endpoint.private_key|${endpointId}`;
}
