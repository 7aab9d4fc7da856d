import { type Operation, operations } from '@finhook/contracts';
import { expect } from 'vitest';
import { after, given, type Input, type Prepare, url } from './operation-stage.ts';

const { agentActions, agentApprovals, agentFlags, agents, apiKeys, bank, cases, companies, directives } = operations;
const { filings, financials, webhookEndpoints } = operations;

/** A change of a record, and the record afterwards. */
export interface RecordCase {
  operation: Operation;
  /** Creates what the operation works on; returns the ids that it takes. */
  prepare?: Prepare;
  /** Every field of the operation besides those ids; undefined for fields that exclude each other. */
  sent: Input;
  /** Fields of the record that differ from the input, and others; undefined for missing ones. */
  kept?: (ids: Input) => Input;
  /** Fields of the event besides the record's. */
  eventOnly?: Input;
  /** The operation that reads the record, unless it is called `get`. */
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
const closed = { state: 'closed', consecutive_failures: 0 };
const keptOfEndpoint = () => ({
  events: ['company.created'],
  headers: { authorization: '***wxyz' },
  blocked_by: null,
  health: { ...closed, since: null, next_probe_at: null, wait_until: null, paced_to: null },
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

export const recordCases: RecordCase[] = [
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
    eventOnly: { scope: 'agent', reason: 'Odd' },
  },
  {
    operation: agents.resume,
    prepare: after(given.agent, agents.pause),
    sent: { company_id: undefined, case_id: undefined, reason: 'Fixed' },
    kept: () => ({ reason: undefined, paused_reason: null, status: 'active' }),
    eventOnly: { scope: 'agent', reason: 'Fixed' },
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
    eventOnly: { previous_status: 'issued' },
  },
  {
    operation: directives.resolve,
    prepare: given.directive,
    sent: { resolution: 'superseded', note: 'A new policy says more' },
    kept: () => ({ note: undefined, resolution_note: 'A new policy says more', status: 'resolved' }),
    eventOnly: { previous_status: 'issued' },
  },
  {
    operation: financials.settings.update,
    prepare: given.company,
    sent: {
      excluded_categories: ['loan'],
      excluded_inflow_categories: ['grant'],
      excluded_connections: ['none', 'escrow'],
      exclude_suspected_transfers: false,
      accounts: [{ connection_id: 'escrow', account_type: 'restricted' }],
      distinct_connections: [['escrow', 'old']],
      flow_rules: [{ contains: 'brex card', direction: 'out', flow_class: 'transfer' }],
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
    eventOnly: { rotated: false },
  },
  {
    operation: bank.connections.disconnect,
    prepare: given.connection,
    sent: { reason: 'Moved' },
    kept: () => ({ reason: undefined, status: 'disconnected' }),
    eventOnly: { reason: 'Moved', rows_retained: true },
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
    eventOnly: { revoked_reason: 'Leaked' },
  },
];
