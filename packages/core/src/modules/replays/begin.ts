import { type FieldError, type operations, parseInstant, type Replay, replayEstimate } from '@finhook/contracts';
import type { Transaction } from '../../db/database.ts';
import { isStatementTimeout } from '../../db/database-error.ts';
import { statement } from '../../db/queryable.ts';
import { recordChange } from '../../outbox/record-change.ts';
import { currentPosition } from '../../outbox/sequence-sql.ts';
import { transaction } from '../../outbox/transaction.ts';
import type { Context } from '../../verbs/context.ts';
import { DomainError, rejectFields } from '../../verbs/domain-error.ts';
import { record } from '../../verbs/record.ts';
import type { InputOf, Verb } from '../../verbs/verb.ts';
import { eventFilterErrors, unknownCompanyError } from '../webhooks/create.ts';
import { expediteFirst } from '../webhooks/endpoint-flow.ts';
import { findEndpoint } from '../webhooks/read.ts';
import type { WebhookEndpoint } from '../webhooks/webhook-endpoint.entity.ts';
import { countMatches, type EventCriteria, findMatches, type Matches } from './match-events.ts';
import { type ReplayRow, toReplay } from './replay.ts';

type ReplayOp = typeof operations.webhookEndpoints.replay;
/** Running or paused replays per endpoint: more would wait for each other. */
const MAX_OPEN = 10;

const countOpen = statement(
  'count_open_replays',
  `SELECT count(*)::int AS count FROM replay WHERE endpoint_id = $1 AND status IN ('running', 'paused')`,
);

const insert = statement(
  'insert_replay',
  `INSERT INTO replay (id, account_id, endpoint_id, kind, status, selection, since, until, types, company_id, matched,
     asked_position, waiting_for, created_by, created_at, updated_at)
   VALUES ($1, $2, $3, $4, 'running', $5, $6, $7, $8, $9, $10, ${currentPosition('$2')}, $11, $12, $13, $13) RETURNING *`,
);

export const recoverEndpoint: Verb<typeof operations.webhookEndpoints.recover> = async (context, input) => {
  const request = { ...input, only: 'failed' as const };
  const match = await readMatch(context, await findEndpoint(context, input.endpoint_id), request);
  return begin(context, 'recover', match);
};

/** What a recovery would send now; undefined if the count takes longer than `ms`. */
export async function findFailed(
  context: Context,
  input: InputOf<typeof operations.webhookEndpoints.recover>,
  ms: number,
): Promise<Matches | undefined> {
  const request = { ...input, only: 'failed' as const };
  const match = await readMatch(context, await findEndpoint(context, input.endpoint_id), request);
  try {
    return await transaction(context, { records: 'nothing' }, async (tx) => {
      await tx.query(`SET LOCAL statement_timeout = '${ms}ms'`);
      return findMatches(tx, match);
    });
  } catch (error) {
    if (isStatementTimeout(error)) return undefined;
    throw error;
  }
}

export const replayEndpoint: Verb<ReplayOp> = async (context, input) => {
  const match = await readMatch(context, await findEndpoint(context, input.endpoint_id), input);
  if (input.dry_run !== true) return begin(context, 'replay', match);
  return record(replayEstimate, match, {
    only: match.selection,
    matched: await countMatches(context.database, match),
  });
};

/** `until` in the future means now: later events are delivered as usual. */
async function readMatch(
  context: Context,
  endpoint: WebhookEndpoint,
  input: Omit<InputOf<ReplayOp>, 'dry_run'>,
): Promise<EventCriteria> {
  const now = context.clock.now().getTime();
  const since = parseInstant(input.since) ?? now;
  const until = input.until == null ? undefined : parseInstant(input.until);
  const errors: FieldError[] = eventFilterErrors(input.types ?? [], 'types');
  if (since > now) errors.push({ pointer: '/since', code: 'out_of_range', message: 'must not be in the future' });
  if (until !== undefined && until <= since)
    errors.push({ pointer: '/until', code: 'out_of_range', message: 'must be later than since' });
  const { company_id } = input;
  const companyError =
    company_id == null ? undefined : await unknownCompanyError(context.database.em(), context, company_id);
  rejectFields([...errors, companyError]);
  return {
    account_id: context.accountId,
    endpoint_id: endpoint.id,
    selection: input.only ?? 'missing',
    since: new Date(Math.max(since, 0)).toISOString(),
    until: until === undefined || until > now ? null : new Date(Math.max(until, 0)).toISOString(),
    types: input.types == null ? null : [...new Set(input.types)],
    company_id: input.company_id ?? null,
  };
}

async function begin(context: Context, kind: Replay['kind'], match: EventCriteria): Promise<Replay> {
  const matched = await countMatches(context.database, match);
  return transaction(context, { records: 'audit', lock: `replays|${match.endpoint_id}` }, async (tx) => {
    const endpoint = await findEndpoint(context, match.endpoint_id, tx.em);
    await rejectTooMany(tx, endpoint.id);
    const [row] = await tx.query<ReplayRow>(insert, [
      context.newId('rpl'),
      context.accountId,
      endpoint.id,
      kind,
      match.selection,
      match.since,
      match.until,
      match.types,
      match.company_id,
      matched,
      endpoint.status === 'active' ? null : `endpoint_${endpoint.status}`,
      JSON.stringify(context.actor),
      context.clock.now().toISOString(),
    ]);
    if (!row) throw new Error('The replay was not stored.');
    const after = toReplay(row);
    // The first delivery of an ordered endpoint blocks the others.
    if (endpoint.ordered && endpoint.status === 'active') {
      await expediteFirst(tx, endpoint.id);
      tx.handOffs.poke({ id: endpoint.id, accountId: endpoint.account_id });
    }
    const companyId = endpoint.company_id ?? null;
    recordChange(tx, context, { action: `webhookEndpoints.${kind}`, companyId, after });
    return after;
  });
}

async function rejectTooMany(tx: Transaction, endpointId: string): Promise<void> {
  const [open] = await tx.query<{ count: number }>(countOpen, [endpointId]);
  if ((open?.count ?? 0) < MAX_OPEN) return;
  throw new DomainError('limit_reached', {
    detail: `The endpoint already has ${MAX_OPEN} running or paused replays. Wait for one to end, or cancel one.`,
    extra: { limit: MAX_OPEN },
  });
}
