// Risk: a field is lost or changed between the request, the response, the stored record, the event and the audit row.
import { existsSync } from 'node:fs';
import { type Operation, operationList, operations } from '@finhook/contracts';
import { createTestClock } from '@finhook/testing';
import { beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { useFixture } from './core-fixture.ts';
import { after, createStage, given, type Input, type Prepare, runOperation, type Stage, url } from './operation-stage.ts';
import { readFeed } from './read-all.ts';
import { readAudits } from './read-audits.ts';

const { agentActions, agentApprovals, agentFlags, agents, apiKeys, bank, cases, companies, directives } = operations;
const { filings, financials, webhookEndpoints } = operations;

interface Case {
  operation: Operation;
  /** Makes what the operation works on; the ids that it takes. */
  prepare?: Prepare;
  /** Every field that the operation has beside those ids; undefined is what a record cannot have beside the others. */
  sent: Input;
  /** What the record has in place of what was sent, and what it has besides; undefined is a field that it has not. */
  kept?: (ids: Input) => Input;
  /** What the event has beside the record. */
  told?: Input;
  /** The operation that reads the record, if its branch has none that is called `get`. */
  get?: Operation;
}

const companyFields = {
  name: 'Ünïcode 😀 Inc',
  legal_name: 'U, Inc.',
  entity_type: 'llc',
  country: 'DE',
  jurisdiction: 'DE-BE',
  tax_id_last4: '0042',
  base_currency: 'eur',
  timezone: 'Europe/Berlin',
  fiscal_year_end: '06-30',
  wire_approval_threshold_cents: Number.MAX_SAFE_INTEGER,
  metadata: { zeta: '1', a: '2' },
};
const agentFields = {
  name: 'Ünïcode 😀',
  provider: 'other',
  model: 'ledger-9',
  phone: '+14155550123',
  email: 'a@example.com',
  metadata: { zeta: '1', a: '2' },
};
const endpointFields = {
  url: `${url}?token=x`,
  events: ['company.created', 'company.created'],
  description: 'd',
  include_internal: true,
  operational: true,
  headers: { Authorization: 'Bearer 0123456789wxyz' },
  timeout_ms: 30_000,
  retry_schedule: [1, 86_400],
  payload: 'thin',
  filter: { op: 'eq', field: 'type', value: 'x' },
  metadata: { team: 'treasury', a: '2' },
  signature_versions: ['v1', 'v1a'],
  rate_limit: { requests: 5, per_seconds: 10 },
  max_concurrency: 2,
  ordered: true,
};
const keptOfEndpoint = () => ({
  events: ['company.created'],
  headers: { authorization: '***wxyz' },
  blocked_by: null,
  health: {
    state: 'closed',
    since: null,
    next_probe_at: null,
    consecutive_failures: 0,
    wait_until: null,
    paced_to: null,
  },
});
const tomorrow = new Date(Date.now() + 86_400_000).toISOString();
const json = { to: 'a', z: [1, { a: null }], smtp_password: 'hunter2' };
const redacted = { ...json, smtp_password: '[redacted]' };
const ofAgentIn: Prepare = async (stage) => {
  const { action_id } = await given.action(stage);
  const { agent_id } = await stage.run(agentActions.get, { action_id });
  return { agent_id, company_id: stage.companyId, action_id };
};
const withCase: Prepare = async (stage) => ({ ...(await given.binding(stage)), ...(await given.case(stage)) });

const table: Case[] = [
  {
    operation: companies.create,
    sent: { ...companyFields, status: 'active' },
    kept: () => ({ base_currency: 'EUR' }),
  },
  {
    operation: companies.update,
    prepare: given.company,
    sent: { ...companyFields, status: undefined },
    kept: () => ({ base_currency: 'EUR' }),
  },
  {
    operation: companies.dissolve,
    prepare: given.company,
    sent: { reason: 'Wound up' },
    kept: () => ({ reason: undefined, dissolution_reason: 'Wound up', status: 'dissolved' }),
  },
  {
    operation: agents.create,
    prepare: given.company,
    sent: agentFields,
    kept: ({ company_id }) => ({
      company_id: undefined,
      status: 'active',
      bindings: [expect.objectContaining({ company_id, case_id: null, role: null, status: 'linked' })],
    }),
  },
  { operation: agents.update, prepare: given.agent, sent: agentFields },
  {
    operation: agents.pause,
    prepare: given.agent,
    sent: { company_id: undefined, case_id: undefined, reason: 'Odd' },
    kept: () => ({ reason: undefined, paused_reason: 'Odd', status: 'paused' }),
    told: { scope: 'agent', reason: 'Odd' },
  },
  {
    operation: agents.resume,
    prepare: after(given.agent, agents.pause),
    sent: { company_id: undefined, case_id: undefined, reason: 'Fixed' },
    kept: () => ({ reason: undefined, paused_reason: null, status: 'active' }),
    told: { scope: 'agent', reason: 'Fixed' },
  },
  {
    operation: agentActions.create,
    prepare: withCase,
    sent: {
      run_id: 'run-1',
      external_id: 'mail-1',
      type: 'email.send',
      title: 'Ask for the invoice',
      status: 'failed',
      risk: 'low',
      input: json,
      output: json,
      error: { code: 'smtp_550', message: 'Mailbox unknown' },
      blocked: undefined,
      cost: { input_tokens: 10, output_tokens: 1, cost_micros: 25, currency: 'eur' },
      duration_ms: 7,
      started_at: '2026-03-01T10:00:00+02:00',
      finished_at: '2026-03-01T08:00:02Z',
    },
    kept: () => ({
      input: redacted,
      output: redacted,
      cost: { input_tokens: 10, output_tokens: 1, cost_micros: 25, currency: 'EUR' },
      started_at: '2026-03-01T08:00:00.000Z',
      finished_at: '2026-03-01T08:00:02.000Z',
    }),
  },
  {
    operation: agentActions.update,
    prepare: given.action,
    sent: {
      status: 'failed',
      output: json,
      error: { code: 'smtp_550', message: 'Mailbox unknown' },
      blocked: undefined,
      cost: { input_tokens: 10, output_tokens: 1, cost_micros: 25, currency: 'eur' },
      duration_ms: 7,
      finished_at: tomorrow,
    },
    kept: () => ({ output: redacted, cost: { input_tokens: 10, output_tokens: 1, cost_micros: 25, currency: 'EUR' } }),
  },
  {
    operation: agentApprovals.request,
    prepare: ofAgentIn,
    sent: {
      title: 'Send it',
      description: 'To the vendor',
      payload: json,
      risk: 'high',
      options: ['now', 'later', 'now'],
      expires_at: tomorrow,
    },
    kept: () => ({ payload: redacted, options: ['now', 'later'], status: 'pending' }),
  },
  {
    operation: agentApprovals.decide,
    prepare: async (stage) => {
      const ids = await given.binding(stage);
      const options = ['now', 'later'];
      const { id } = await stage.runAsOther(agentApprovals.request, { ...ids, options });
      return { agent_approval_id: id };
    },
    sent: { decision: 'approve', comment: 'Go ahead', option: 'later', edited_payload: json },
    kept: () => ({
      decision: undefined,
      comment: undefined,
      option: undefined,
      status: 'approved',
      decision_comment: 'Go ahead',
      chosen_option: 'later',
      edited_payload: redacted,
    }),
  },
  {
    operation: agentFlags.create,
    prepare: async (stage) => ({ ...(await ofAgentIn(stage)), ...(await given.case(stage)) }),
    sent: { severity: 'critical', title: 'Odd', body: 'Look' },
    kept: () => ({ status: 'open' }),
  },
  {
    operation: agentFlags.resolve,
    prepare: given.flag,
    sent: { note: 'Done' },
    kept: () => ({ note: undefined, resolution_note: 'Done', status: 'resolved' }),
  },
  {
    operation: cases.create,
    prepare: async (stage) => {
      const { agent_id: id, ...ids } = await given.binding(stage);
      return { ...ids, assignee: { type: 'agent', id }, agent_ids: [id, id] };
    },
    sent: { title: 'Ünïcode 😀', description: 'From the <script> Division', priority: 'urgent' },
    kept: ({ agent_ids }) => {
      const [id] = Array.from(Object(agent_ids));
      const assignee = { type: 'agent', id, name: 'Bookkeeper' };
      return { assignee, agent_ids: [id], status: 'open', comment_count: 0, last_comment_at: null, closed_at: null };
    },
  },
  {
    operation: cases.update,
    prepare: given.case,
    sent: {
      title: 'Final notice',
      description: 'Due soon',
      priority: 'high',
      assignee: { type: 'staff', id: 'maria', name: 'Maria' },
      agent_ids: [],
      status: 'waiting',
    },
  },
  {
    operation: cases.comments.create,
    prepare: given.case,
    sent: {
      body: ' Ünïcode 😀 <script> ',
      visibility: 'public',
      attachments: [{ name: 'a', url: 'https://example.com/a' }],
      author: { type: 'staff', name: 'Maria' },
    },
    kept: () => ({
      attachments: [{ name: 'a', url: 'https://example.com/a', content_type: null }],
      author: { type: 'staff', id: 'key_test', name: 'Maria' },
    }),
    get: cases.comments.list,
  },
  {
    operation: directives.create,
    prepare: withCase,
    sent: { title: 'Ask first', body: 'Ünïcode 😀', priority: 'critical', due_at: '2027-02-01T10:00:00+02:00' },
    kept: () => ({ due_at: '2027-02-01T08:00:00.000Z', status: 'issued', suspended_at: null, resolution: null }),
  },
  {
    operation: directives.suspend,
    prepare: given.directive,
    sent: { reason: 'Too early' },
    kept: () => ({ reason: undefined, suspended_reason: 'Too early', status: 'suspended' }),
    told: { previous_status: 'issued' },
  },
  {
    operation: directives.resolve,
    prepare: given.directive,
    sent: { resolution: 'superseded', note: 'A new policy says more' },
    kept: () => ({ note: undefined, resolution_note: 'A new policy says more', status: 'resolved' }),
    told: { previous_status: 'issued' },
  },
  {
    operation: financials.settings.update,
    prepare: given.company,
    sent: {
      excluded_categories: ['loan'],
      excluded_inflow_categories: ['grant'],
      excluded_connections: ['none', 'escrow'],
      exclude_suspected_transfers: true,
    },
  },
  {
    operation: filings.create,
    prepare: given.company,
    sent: {
      type: 'franchise_tax',
      title: 'Delaware franchise tax',
      jurisdiction: 'US-DE',
      period_start: '2026-01-01',
      period_end: '2026-12-31',
      due_date: '2027-03-01',
      fee_cents: 45_000,
      currency: 'usd',
      notes: 'Assumed par value method',
    },
    kept: () => ({ currency: 'USD', status: 'open', submitted_at: null, obligation_key: null }),
  },
  {
    operation: filings.submit,
    prepare: given.filing,
    sent: {
      submitted_at: '2020-01-14T23:30:00-05:00',
      confirmation_number: 'DE-1',
      fee_cents: 17_500,
      currency: 'usd',
      notes: 'New',
    },
    kept: () => ({ submitted_at: '2020-01-15T04:30:00.000Z', currency: 'USD', status: 'submitted' }),
  },
  {
    operation: bank.connections.create,
    prepare: given.company,
    sent: {
      provider: 'http',
      institution_name: 'First Bank',
      account_name: 'Operating',
      account_last4: '6789',
      external_ref: 'ref-1',
      currency: 'eur',
      config: { url },
      replaces: undefined,
    },
    kept: () => ({ currency: 'EUR', status: 'pending', has_secret: false, backfill_status: 'none' }),
  },
  {
    operation: bank.connections.setSecret,
    prepare: given.connection,
    sent: { secret: '0123456789wxyz' },
    kept: () => ({ secret: undefined, has_secret: true, secret_last4: 'wxyz', status: 'active' }),
    told: { rotated: false },
  },
  {
    operation: bank.connections.disconnect,
    prepare: given.connection,
    sent: { reason: 'Moved' },
    kept: () => ({ reason: undefined, status: 'disconnected' }),
    told: { reason: 'Moved', rows_retained: true },
  },
  {
    operation: bank.approvals.decide,
    prepare: given.wire,
    sent: { decision: 'approve', comment: 'Go ahead' },
    kept: () => ({
      decision: undefined,
      comment: undefined,
      status: 'approved',
      reviews: [expect.objectContaining({ decision: 'approve', comment: 'Go ahead' })],
    }),
  },
  {
    operation: bank.wires.create,
    prepare: given.company,
    sent: {
      amount_cents: 2_500_000,
      currency: 'usd',
      beneficiary: { name: 'Example Ltd', account_last4: '0042', bank_name: 'Bank', country: 'DE' },
      memo: 'Invoice',
      connection_id: 'operating',
    },
    kept: () => ({
      currency: 'USD',
      kind: 'wire',
      required_approvals: 1,
      reviews: [],
      status: 'pending',
      requested_by: expect.objectContaining({ person_id: 'key_test' }),
    }),
    get: bank.approvals.get,
  },
  { operation: webhookEndpoints.create, prepare: given.company, sent: endpointFields, kept: keptOfEndpoint },
  {
    operation: webhookEndpoints.update,
    prepare: async (stage) => ({ ...(await given.endpoint(stage)), ...(await given.company(stage)) }),
    sent: { ...endpointFields, status: 'paused' },
    kept: keptOfEndpoint,
  },
  {
    operation: apiKeys.create,
    prepare: async ({ companyId }) => ({ company_ids: [companyId] }),
    sent: {
      name: 'Sync',
      scope: 'human',
      connection_ids: undefined,
      sources: undefined,
      permissions: ['cash:write'],
      ip_allowlist: ['203.0.113.0/24'],
      agent_id: undefined,
      expires_in_days: 3,
    },
    kept: () => ({ expires_in_days: undefined, status: 'active' }),
  },
  {
    operation: apiKeys.revoke,
    prepare: given.key,
    sent: { reason: 'Leaked' },
    kept: () => ({ reason: undefined, status: 'revoked' }),
    told: { revoked_reason: 'Leaked' },
  },
];

/** Operations whose response, event or audit row is no record, or that replace one as a whole, and the tests of their fields. */
const testedElsewhere: Record<string, string> = {
  'companies.formation.completeStep': 'packages/core/src/modules/companies/formation/formation.db.test.ts',
  'cash.balances.upsert': 'packages/core/src/modules/cash/balances/upsert.db.test.ts',
  'bank.transactions.ingest': 'packages/core/src/modules/bank/transactions/ingest.db.test.ts',
  'bank.connections.sync': 'packages/core/src/modules/bank/connections/sync.db.test.ts',
  'bank.connections.setOwner': 'apps/api/test/connection-owner.db.test.ts',
  'financials.snapshots.upsert': 'packages/core/src/modules/financials/statements/upsert.db.test.ts',
  'webhookEndpoints.test': 'packages/core/src/modules/deliveries/requested.db.test.ts',
  'webhookEndpoints.rotateSecret': 'packages/core/src/modules/webhooks/rotate-secret.db.test.ts',
  'webhookEndpoints.recover': 'packages/core/src/modules/replays/matches.db.test.ts',
  'webhookEndpoints.replay': 'packages/core/src/modules/replays/matches.db.test.ts',
  'agents.attach': 'packages/core/src/modules/agents/agents.db.test.ts',
  'agents.detach': 'packages/core/src/modules/agents/detach.db.test.ts',
  'runtimeSnapshots.put': 'packages/core/src/modules/agent-runtime/flags-and-snapshots.db.test.ts',
  'apiKeys.rotate': 'packages/core/src/modules/accounts/api-keys/rotate.db.test.ts',
  'events.redeliver': 'packages/core/src/modules/deliveries/send-again.db.test.ts',
};

const clock = createTestClock(new Date());
const fixture = useFixture(clock);
let stage: Stage;
beforeEach(async () => {
  clock.advance(1_000);
  const { context, companyId } = await fixture.otherAccount();
  stage = createStage(context, companyId);
});

/** What a response has beside the record, and what of the record is of the moment. */
const besides = ['result', 'warnings', 'secret', 'key', 'binding'];
const ofTheMoment = ['freshness', 'health', 'blocked_by'];
/** Their events say which fields changed. */
const tellsChanges: readonly Operation[] = [companies.update, agents.update];
const without = (record: object, ...names: string[]) =>
  Object.fromEntries(Object.entries(record).filter(([name]) => !names.includes(name)));

/** The operation that reads the record, and the name of the last id of its path; a list has none for one record. */
function readerOf({ operation, get }: Case): { reader: Operation; idName: string } {
  const branch = operation.id.slice(0, operation.id.lastIndexOf('.'));
  const reader = get ?? operationList.find(({ id }) => id === `${branch}.get`);
  if (!reader) throw new Error(`Nothing reads what ${operation.id} makes.`);
  const [, idName = ''] = /\{(\w+)\}[^{}]*$/.exec(reader.http.path) ?? [];
  return { reader, idName: reader.id.endsWith('.list') ? '' : idName };
}

test('each operation with fields beside the ids of its path is in the table, or its fields are tested elsewhere', () => {
  const hasFields = ({ kind, input, http }: Operation) =>
    kind === 'mutation' &&
    !(input instanceof z.ZodObject && Object.keys(input.shape).every((name) => http.path.includes(`{${name}}`)));
  const covered = [...table.map(({ operation }) => operation.id), ...Object.keys(testedElsewhere)];
  expect(covered.toSorted()).toEqual(
    operationList
      .filter(hasFields)
      .map(({ id }) => id)
      .toSorted(),
  );
  for (const path of Object.values(testedElsewhere))
    expect(existsSync(new URL(`../../../${path}`, import.meta.url)), path).toBe(true);
});

test.each(table.map((row) => ({ name: row.operation.id, row })))(
  '$name: response, stored record, event and audit row have every field that was sent',
  async ({ row }) => {
    const { operation, prepare, sent, kept, told } = row;
    const ids = (await prepare?.(stage)) ?? {};
    const fields = operation.input instanceof z.ZodObject ? Object.keys(operation.input.shape) : [];
    expect(Object.keys({ ...ids, ...sent }).toSorted()).toEqual(fields.toSorted());

    const { reader, idName } = readerOf(row);
    const read = async (id: unknown): Promise<object> => {
      const page = idName === '' ? { limit: 1, order: 'asc' } : { [idName]: id };
      const output = Object(await runOperation(stage.context, reader, { ...ids, ...page }));
      return idName === '' ? Object(output.data[0]) : output;
    };
    const isChange = idName in ids && operation.http.path.includes(`{${idName}}`);
    const before = isChange ? without(await read(ids[idName]), ...ofTheMoment) : null;
    clock.advance(1_000);
    const output = Object(await stage.run(operation, { ...ids, ...sent }));
    const id = output.id ?? ids[idName];
    expect('secret' in output || 'key' in output).toBe(operation.secretOutput ?? false);
    const record = without(output, ...besides);
    const expected = Object.entries({ ...ids, ...sent, ...kept?.(ids) });
    const named = expected.filter(([name, value]) => value !== undefined && name !== idName);
    expect(record).toMatchObject(Object.fromEntries(named));
    if ('updated_at' in record) expect(record['updated_at']).toBe(clock.now().toISOString());
    expect(await read(id)).toEqual(record);

    const ofRecord = { action: operation.id, resource_id: id };
    expect(await readAudits(stage.context, ofRecord, 'company_id', 'before', 'after')).toEqual([
      {
        company_id: operation === companies.create ? output.id : (output.company_id ?? ids['company_id'] ?? null),
        before: before && expect.objectContaining(before),
        after: expect.objectContaining(without(record, ...ofTheMoment)),
      },
    ]);
    const emits: readonly string[] = operation.emits;
    const feed = await readFeed(stage.context);
    const events = feed.filter(({ type, data }) => emits.includes(type) && data['id'] === output.id);
    expect(events.length > 0).toBe(operation.emits.length > 0);
    for (const { data } of events.slice(-1)) expect(data).toMatchObject({ ...record, ...told });
    for (const [name, actor] of Object.entries(record))
      if (actor !== null && /_by$/.test(name) && Reflect.get(before ?? {}, name) == null)
        expect(actor, name).toMatchObject(stage.context.actor);
    if (before === null) return;

    if (tellsChanges.includes(operation)) {
      const silent = operation === agents.update ? ['metadata'] : [];
      const changed = named.map(([name]) => name).filter((name) => !(name in ids || silent.includes(name)));
      const { changed: toldOf, previous } = Object(events.at(-1)?.data);
      expect(toldOf.toSorted()).toEqual(changed.toSorted());
      expect(previous).toEqual(Object.fromEntries(changed.map((name) => [name, Reflect.get(before, name)])));
    }
    // What isn't named stays, and the same again, with its keys in another order, is no change.
    const nothing = Object.fromEntries(Object.keys(Object(operation.example)).map((name) => [name, undefined]));
    const repeats = operation.input.safeParse(ids).success ? [nothing, reversed(sent)] : [reversed(sent)];
    for (const input of repeats)
      expect(without(await stage.run(operation, { ...input, ...ids }), ...besides)).toEqual(record);
    expect(await readAudits(stage.context, ofRecord, 'action')).toHaveLength(1);
    expect(await readFeed(stage.context)).toHaveLength(feed.length);
  },
);

/** The same value with the keys of its objects in another order. */
function reversed<T>(value: T): T;
function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([name, inner]) => [name, reversed(inner)]),
  );
}
