import {
  type AttemptOutcome,
  defaultFlowConfig,
  type EndpointFlow,
  type EndpointHealth,
  evaluateFlow,
  evaluateHealth,
  evaluateHealthAt,
  type HealthSignal,
  healthConfig,
  redactUrl,
  willDisableAt,
} from '@finhook/delivery';
import { retryOnConflict } from '../../db/database-error.ts';
import { statement, systemStatement } from '../../db/queryable.ts';
import { audit } from '../../outbox/audit.ts';
import { emit } from '../../outbox/emit.ts';
import { transaction, type UnitOfWork } from '../../outbox/transaction.ts';
import { forEachSettled } from '../../verbs/batching.ts';
import { type Context, type Core, systemContext } from '../../verbs/context.ts';
import { lockEndpoint } from '../webhooks/read.ts';
import type { WebhookEndpoint } from '../webhooks/webhook-endpoint.entity.ts';
import { emitDisabled, emitRecovered } from './emit-operational.ts';
import type { Target } from './load-targets.ts';

/** The last failed attempt of a batch, for the endpoint's record and `webhook_endpoint.failing`. */
export interface LastFailure {
  statusCode: number | null;
  message: string;
  eventId: string;
}

function healthOf(endpoint: WebhookEndpoint): EndpointHealth {
  return {
    status: endpoint.status,
    consecutiveFailures: endpoint.consecutive_failures,
    firstFailedAt: endpoint.first_failed_at ?? undefined,
    lastFailedAt: endpoint.last_failed_at ?? undefined,
    lastSuccessAt: endpoint.last_success_at ?? undefined,
    failingNotifiedAt: endpoint.failing_notified_at ?? undefined,
    disableWarnedAt: endpoint.disable_warned_at ?? undefined,
  };
}

export interface HealthReport {
  readonly accountId: string;
  readonly endpointId: string;
  /** In order; empty to apply only deadlines. */
  readonly outcomes: readonly AttemptOutcome[];
  readonly lastFailure?: LastFailure | undefined;
  /** Request rate of the outcomes; 1 by default. */
  readonly perSecond?: number;
  /** Multiplies the waits between probes; 1 by default. */
  readonly probeScale?: number;
  /** The endpoint as of the requests. Outcomes for a previous URL, or from before re-enabling, are ignored. */
  readonly seen?: Pick<Target, 'url' | 'resumedAt'> | undefined;
}

/** Applies outcomes of attempts to an endpoint under its row lock. */
export async function applyHealth(core: Core, report: HealthReport): Promise<void> {
  const { accountId, endpointId, outcomes, lastFailure, seen } = report;
  const context = systemContext(core, accountId, 'endpoint_health');
  await transaction(context, { records: 'audit and event', lock: endpointId }, async (tx) => {
    const endpoint = await lockEndpoint(tx, endpointId);
    if (!endpoint || (seen !== undefined && !isSameTarget(endpoint, seen))) return;
    const before = healthOf(endpoint);
    const now = outcomes.length === 0 ? core.clock.now() : await readClock(tx);
    const verdict =
      outcomes.length === 0 ? evaluateHealthAt(before, now) : evaluateHealth(before, notAfter(now, outcomes));
    const { state } = verdict;
    Object.assign(endpoint, {
      status: state.status,
      consecutive_failures: state.consecutiveFailures,
      first_failed_at: state.firstFailedAt ?? null,
      last_failed_at: state.lastFailedAt ?? endpoint.last_failed_at ?? null,
      last_success_at: state.lastSuccessAt ?? null,
      failing_notified_at: state.failingNotifiedAt ?? null,
      disable_warned_at: state.disableWarnedAt ?? null,
    });
    if (lastFailure) {
      endpoint.last_status_code = lastFailure.statusCode;
      endpoint.last_error = lastFailure.message;
      endpoint.last_event_id = lastFailure.eventId;
    }
    if (outcomes.some((outcome) => outcome.flow)) applyFlow(endpoint, report, now);
    for (const signal of verdict.signals) await act(tx, context, endpoint, signal);
  });
}

function isSameTarget({ url, resumed_at }: WebhookEndpoint, seen: Pick<Target, 'url' | 'resumedAt'>): boolean {
  return url === seen.url && resumed_at?.getTime() === seen.resumedAt?.getTime();
}

function flowOf(endpoint: WebhookEndpoint): EndpointFlow {
  return {
    breaker: endpoint.breaker,
    since: endpoint.breaker_since ?? undefined,
    nextProbeAt: endpoint.next_probe_at ?? undefined,
    probeWaitMs: endpoint.probe_wait_ms ?? undefined,
    unreachable: endpoint.unreachable_count,
    holdUntil: endpoint.hold_until ?? undefined,
    pacedTo: endpoint.paced_to ?? undefined,
  };
}

function applyFlow(endpoint: WebhookEndpoint, report: HealthReport, now: Date): void {
  const { outcomes, perSecond = 1, probeScale = 1 } = report;
  const { firstProbeMs, maxProbeMs } = defaultFlowConfig;
  const config = {
    ...defaultFlowConfig,
    firstProbeMs: firstProbeMs * probeScale,
    maxProbeMs: maxProbeMs * probeScale,
  };
  const flows = outcomes.flatMap(({ flow }) => flow ?? []);
  const next = evaluateFlow(flowOf(endpoint), flows, { now, perSecond, config });
  Object.assign(endpoint, {
    breaker: next.breaker,
    breaker_since: next.since ?? null,
    next_probe_at: next.nextProbeAt ?? null,
    probe_wait_ms: next.probeWaitMs ?? null,
    unreachable_count: next.unreachable,
    hold_until: next.holdUntil ?? null,
    paced_to: next.pacedTo ?? null,
  });
}

/** The earliest time at which pause and breaker allow a delivery that is due at `at`. */
function notBefore(endpoint: WebhookEndpoint, at: Date): Date {
  const bounds = [at, endpoint.hold_until, endpoint.next_probe_at].map((bound) => bound?.getTime() ?? 0);
  return new Date(Math.max(...bounds));
}

const clock = statement('read_clock', 'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS now');

/** Claims compare pauses and probes with the database's clock; a worker's clock may be wrong. */
async function readClock(tx: UnitOfWork): Promise<Date> {
  const [row] = await tx.query<{ now: number }>(clock);
  if (row === undefined) throw new Error('The time of the database could not be read.');
  return new Date(row.now);
}

/** Clamps future timestamps, or later attempts would be ignored as older. */
function notAfter(now: Date, outcomes: readonly AttemptOutcome[]): AttemptOutcome[] {
  return outcomes.map((outcome) => (outcome.at > now ? { ...outcome, at: now } : outcome));
}

async function act(tx: UnitOfWork, context: Context, endpoint: WebhookEndpoint, signal: HealthSignal): Promise<void> {
  if (signal.kind === 'disabled') {
    endpoint.disabled_reason = signal.reason;
    endpoint.updated_at = context.clock.now();
    const after = { status: 'disabled', disabled_reason: signal.reason };
    audit(tx, context, { action: 'webhookEndpoints.disable', resourceId: endpoint.id, after });
    return emitDisabled(tx, context, endpoint, signal);
  }
  if (signal.kind === 'recovered') {
    audit(tx, context, { action: 'webhookEndpoints.recover', resourceId: endpoint.id });
    return emitRecovered(tx, context, endpoint, signal);
  }
  audit(tx, context, { action: `webhookEndpoints.${signal.kind}`, resourceId: endpoint.id });
  await emitFailing(tx, context, endpoint);
}

const readNextAttempt = statement(
  'read_next_attempt',
  'SELECT min(next_attempt_at) AS at FROM (SELECT next_attempt_at FROM due WHERE endpoint_id = $1 ORDER BY due_at LIMIT 1000) d',
);

async function emitFailing(tx: UnitOfWork, context: Context, endpoint: WebhookEndpoint): Promise<void> {
  const { disableAfterMs } = healthConfig;
  const firstFailed = endpoint.first_failed_at ?? context.clock.now();
  const planned = willDisableAt(healthOf(endpoint)) ?? new Date(firstFailed.getTime() + disableAfterMs);
  const [next] = await tx.query<{ at: string | null }>(readNextAttempt, [endpoint.id]);
  emit(tx, context, {
    type: 'webhook_endpoint.failing',
    data: {
      object: 'webhook_endpoint',
      id: endpoint.id,
      url: redactUrl(endpoint.url),
      status: endpoint.status,
      events: endpoint.events,
      consecutive_failures: endpoint.consecutive_failures,
      first_failed_at: firstFailed.toISOString(),
      last_failed_at: (endpoint.last_failed_at ?? firstFailed).toISOString(),
      ...(endpoint.last_status_code == null ? {} : { last_status_code: endpoint.last_status_code }),
      last_error: endpoint.last_error ?? '',
      last_event_id: endpoint.last_event_id ?? '',
      ...(next?.at == null ? {} : { next_attempt_at: notBefore(endpoint, new Date(next.at)).toISOString() }),
      will_disable_at: planned.toISOString(),
    },
  });
}

const noteSuccesses = systemStatement(
  'note_successes',
  // ORDER BY prevents deadlocks between workers. The column would round up to the next millisecond, and a failure within it
  // would count as older than the success.
  `WITH locked AS MATERIALIZED (
     SELECT e.id, e.account_id, s.at FROM unnest($1::text[], $2::text[], $3::timestamptz[]) AS s (id, account_id, at)
     JOIN webhook_endpoint e ON e.id = s.id AND e.account_id = s.account_id AND e.consecutive_failures = 0
     ORDER BY e.id FOR NO KEY UPDATE OF e
   )
   UPDATE webhook_endpoint SET last_success_at = greatest(last_success_at, least(locked.at, date_trunc('milliseconds', now())))
   FROM locked WHERE webhook_endpoint.id = locked.id AND webhook_endpoint.account_id = locked.account_id`,
);

export interface Success {
  readonly accountId: string;
  readonly endpointId: string;
  readonly at: Date;
}

/** Updates `last_success_at` of healthy endpoints without a full evaluation. */
export async function recordSuccesses(core: Core, successes: readonly Success[]): Promise<void> {
  const values = [
    successes.map(({ endpointId }) => endpointId),
    successes.map(({ accountId }) => accountId),
    successes.map(({ at }) => at.toISOString()),
  ];
  await retryOnConflict(() => core.database.query(noteSuccesses, values));
}

const findTimed = systemStatement(
  'find_failing_endpoints',
  `SELECT id, account_id FROM webhook_endpoint
   WHERE status = 'active' AND deleted_at IS NULL AND first_failed_at < $1::timestamptz`,
);

/** Applies the deadlines of failing endpoints that receive nothing: the warning and the disabling. */
export async function evaluateTimedHealth(core: Core): Promise<void> {
  const { disableAfterMs, disableWarningMs } = healthConfig;
  const horizon = core.clock.now().getTime() - (disableAfterMs - disableWarningMs);
  const rows = await core.database.query<{ id: string; account_id: string }>(findTimed, [
    new Date(horizon).toISOString(),
  ]);
  await forEachSettled(rows, ({ id, account_id: accountId }) =>
    applyHealth(core, { accountId, endpointId: id, outcomes: [] }),
  );
}
