// Risk: an id of another customer tells something, or lets something be changed.
import type pg from 'pg';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import type { Context } from '../src/kernel/context.ts';
import { DomainError } from '../src/kernel/domain-error.ts';
import { createApiKey } from '../src/modules/accounts/api-keys/create.ts';
import { getApiKey, listApiKeys } from '../src/modules/accounts/api-keys/read.ts';
import { revokeApiKey } from '../src/modules/accounts/api-keys/revoke.ts';
import { rotateApiKey } from '../src/modules/accounts/api-keys/rotate.ts';
import { getMe } from '../src/modules/accounts/get-me.ts';
import { listActivity } from '../src/modules/activity/list.ts';
import { ingestTransactions } from '../src/modules/bank/transactions/ingest.ts';
import { getTransaction, listTransactions } from '../src/modules/bank/transactions/read.ts';
import { createCase, getCase, listCases, updateCase } from '../src/modules/cases/case.ts';
import { createComment, listComments } from '../src/modules/cases/comments.ts';
import { createDirective } from '../src/modules/cases/directives/create.ts';
import { getDirective, listDirectives } from '../src/modules/cases/directives/directive.ts';
import { resolveDirective, resumeDirective, suspendDirective } from '../src/modules/cases/directives/move.ts';
import { getCashBalance, listCashBalances } from '../src/modules/cash/balances/read.ts';
import { upsertCashBalance } from '../src/modules/cash/balances/upsert.ts';
import { getCashHistory } from '../src/modules/cash/history.ts';
import { getCashOnHand } from '../src/modules/cash/on-hand.ts';
import { getCompany } from '../src/modules/companies/get.ts';
import { listCompanies } from '../src/modules/companies/list.ts';
import { getCompliance } from '../src/modules/compliance/get.ts';
import { resyncCompliance } from '../src/modules/compliance/resync.ts';
import { getDelivery, listDeliveries } from '../src/modules/deliveries/read.ts';
import { retryDelivery } from '../src/modules/deliveries/retry.ts';
import { getEvent, listEvents } from '../src/modules/events/read.ts';
import { redeliverEvent } from '../src/modules/events/redeliver.ts';
import { testEndpoint } from '../src/modules/events/test-endpoint.ts';
import { createFiling } from '../src/modules/filings/create.ts';
import { getFiling } from '../src/modules/filings/get.ts';
import { listFilings } from '../src/modules/filings/list.ts';
import { submitFiling } from '../src/modules/filings/submit.ts';
import { getDataQuality } from '../src/modules/financials/figures/data-quality.ts';
import { getBurn, getFreshness, getRunway } from '../src/modules/financials/figures/get-figures.ts';
import { getMonthly } from '../src/modules/financials/figures/monthly.ts';
import { getSettings, updateSettings } from '../src/modules/financials/figures/settings.ts';
import { getSummary } from '../src/modules/financials/figures/summary.ts';
import { getSnapshot, listRevisions, listSnapshots } from '../src/modules/financials/statements/read.ts';
import { upsertSnapshot } from '../src/modules/financials/statements/upsert.ts';
import { createEndpoint } from '../src/modules/webhooks/create.ts';
import { deleteEndpoint } from '../src/modules/webhooks/delete.ts';
import { getEndpoint, listEndpoints } from '../src/modules/webhooks/read.ts';
import { updateEndpoint } from '../src/modules/webhooks/update.ts';
import { type CoreFixture, openFixture } from './core-fixture.ts';
import { openRawClient } from './raw-client.ts';
import { readFeed, waitForSettledFeed } from './read-all.ts';
import { changesBetween, readTables } from './table-state.ts';

interface Ids {
  company: string;
  balance: string;
  transaction: string;
  snapshot: string;
  filing: string;
  case: string;
  directive: string;
  endpoint: string;
  key: string;
  event: string;
  delivery: string;
}

let fixture: CoreFixture;
let raw: pg.Client;
let mine: Context;
let own: Ids;
let foreign: Ids;
beforeAll(async () => {
  fixture = await openFixture(inject('pgUrl'));
  raw = await openRawClient(fixture.database.url);
  mine = fixture.context;
  own = await fill(mine, fixture.companyId);
  const other = await fixture.otherAccount();
  foreign = await fill(other.context, other.companyId);
});
afterAll(async () => {
  await raw.end();
  await fixture.close();
});

const all = { limit: 200, order: 'asc' } as const;
const balanceOf = (company_id: string) => ({ company_id, as_of: '2026-01-01', balance_cents: 1, currency: 'USD' });
const transactionOf = (company_id: string) => ({
  company_id,
  external_id: 'x',
  posted_at: '2026-01-01T00:00:00Z',
  amount_cents: 1,
});
const snapshotOf = (company_id: string) => ({
  company_id,
  statement_type: 'balance' as const,
  period_end: '2026-01-31',
  currency: 'USD',
  totals: { cash: 1 },
});

const filingOf = (company_id: string) => ({ company_id, type: 'license' as const, due_date: '2026-03-01' });

async function fill(context: Context, company: string): Promise<Ids> {
  const endpoint = await createEndpoint(context, { url: 'http://127.0.0.1:4010/hook' });
  const balance = await upsertCashBalance(context, balanceOf(company));
  const ingest = await ingestTransactions(context, transactionOf(company));
  const snapshot = await upsertSnapshot(context, snapshotOf(company));
  const filing = await createFiling(context, filingOf(company));
  const file = await createCase(context, { company_id: company, title: 'Case' });
  await createComment(context, { case_id: file.id, body: 'Hello' });
  const directive = await createDirective(context, { company_id: company, title: 'Directive', case_id: file.id });
  const key = await createApiKey(context, { name: 'k', scope: 'read' });
  const [delivery] = (await listDeliveries(context, { ...all, endpoint_id: endpoint.id })).data;
  return {
    company,
    balance: balance.id,
    transaction: ingest.transactions[0]?.id ?? '',
    snapshot: snapshot.id,
    filing: filing.id,
    case: file.id,
    directive: directive.id,
    endpoint: endpoint.id,
    key: key.id,
    event: balance.event_id,
    delivery: delivery?.id ?? '',
  };
}

/** An id of the same form that nobody has. */
const unknown = (id: string) => `${id.slice(0, id.indexOf('_') + 1)}${'7'.repeat(26)}`;

/** Every verb that takes an id, called with that id. */
const calls: Record<string, [keyof Ids, (id: string) => Promise<unknown>]> = {
  getCompany: ['company', (company_id) => getCompany(mine, { company_id })],
  upsertCashBalance: [
    'company',
    (company_id) => upsertCashBalance(mine, { ...balanceOf(company_id), as_of: '2026-01-02' }),
  ],
  'getCashBalance, company': [
    'company',
    (company_id) => getCashBalance(mine, { company_id, balance_id: foreign.balance }),
  ],
  'getCashBalance, balance': ['balance', (balance_id) => getCashBalance(mine, { company_id: own.company, balance_id })],
  listCashBalances: ['company', (company_id) => listCashBalances(mine, { ...all, company_id })],
  getCashOnHand: ['company', (company_id) => getCashOnHand(mine, { company_id })],
  getCashHistory: ['company', (company_id) => getCashHistory(mine, { company_id, days: 3 })],
  getSummary: ['company', (company_id) => getSummary(mine, { company_id })],
  getRunway: ['company', (company_id) => getRunway(mine, { company_id })],
  getBurn: ['company', (company_id) => getBurn(mine, { company_id })],
  getMonthly: ['company', (company_id) => getMonthly(mine, { company_id, months: 3 })],
  getFreshness: ['company', (company_id) => getFreshness(mine, { company_id })],
  getDataQuality: ['company', (company_id) => getDataQuality(mine, { company_id })],
  getSettings: ['company', (company_id) => getSettings(mine, { company_id })],
  updateSettings: ['company', (company_id) => updateSettings(mine, { company_id, excluded_connections: ['a'] })],
  'listRevisions, company': [
    'company',
    (company_id) => listRevisions(mine, { ...all, company_id, snapshot_id: foreign.snapshot }),
  ],
  'listRevisions, snapshot': [
    'snapshot',
    (snapshot_id) => listRevisions(mine, { ...all, company_id: own.company, snapshot_id }),
  ],
  ingestTransactions: [
    'company',
    (company_id) => ingestTransactions(mine, { ...transactionOf(company_id), external_id: 'y' }),
  ],
  'getTransaction, company': [
    'company',
    (company_id) => getTransaction(mine, { company_id, transaction_id: foreign.transaction }),
  ],
  'getTransaction, transaction': [
    'transaction',
    (transaction_id) => getTransaction(mine, { company_id: own.company, transaction_id }),
  ],
  listTransactions: ['company', (company_id) => listTransactions(mine, { ...all, company_id })],
  upsertSnapshot: [
    'company',
    (company_id) => upsertSnapshot(mine, { ...snapshotOf(company_id), period_end: '2026-02-28' }),
  ],
  'getSnapshot, company': ['company', (company_id) => getSnapshot(mine, { company_id, snapshot_id: foreign.snapshot })],
  'getSnapshot, snapshot': ['snapshot', (snapshot_id) => getSnapshot(mine, { company_id: own.company, snapshot_id })],
  listSnapshots: ['company', (company_id) => listSnapshots(mine, { ...all, company_id })],
  createFiling: ['company', (company_id) => createFiling(mine, filingOf(company_id))],
  listFilings: ['company', (company_id) => listFilings(mine, { ...all, company_id })],
  getFiling: ['filing', (filing_id) => getFiling(mine, { filing_id })],
  submitFiling: ['filing', (filing_id) => submitFiling(mine, { filing_id })],
  createCase: ['company', (company_id) => createCase(mine, { company_id, title: 'x' })],
  listCases: ['company', (company_id) => listCases(mine, { ...all, company_id })],
  getCase: ['case', (case_id) => getCase(mine, { case_id })],
  updateCase: ['case', (case_id) => updateCase(mine, { case_id, title: 'y' })],
  createComment: ['case', (case_id) => createComment(mine, { case_id, body: 'x' })],
  listComments: ['case', (case_id) => listComments(mine, { ...all, case_id })],
  createDirective: ['company', (company_id) => createDirective(mine, { company_id, title: 'x' })],
  'createDirective for a case': [
    'case',
    (case_id) => createDirective(mine, { company_id: own.company, title: 'x', case_id }),
  ],
  listDirectives: ['company', (company_id) => listDirectives(mine, { ...all, company_id })],
  getDirective: ['directive', (directive_id) => getDirective(mine, { directive_id })],
  suspendDirective: ['directive', (directive_id) => suspendDirective(mine, { directive_id })],
  resumeDirective: ['directive', (directive_id) => resumeDirective(mine, { directive_id })],
  resolveDirective: ['directive', (directive_id) => resolveDirective(mine, { directive_id })],
  resyncCompliance: ['company', (company_id) => resyncCompliance(mine, { company_id })],
  getCompliance: ['company', (company_id) => getCompliance(mine, { company_id })],
  'createEndpoint for a company': [
    'company',
    (company_id) => createEndpoint(mine, { url: 'http://127.0.0.1:4010/', company_id }),
  ],
  getEndpoint: ['endpoint', (endpoint_id) => getEndpoint(mine, { endpoint_id })],
  updateEndpoint: ['endpoint', (endpoint_id) => updateEndpoint(mine, { endpoint_id, status: 'paused' })],
  deleteEndpoint: ['endpoint', (endpoint_id) => deleteEndpoint(mine, { endpoint_id })],
  testEndpoint: ['endpoint', (endpoint_id) => testEndpoint(mine, { endpoint_id })],
  'listDeliveries of an endpoint': ['endpoint', (endpoint_id) => listDeliveries(mine, { ...all, endpoint_id })],
  'listDeliveries of an event': ['event', (event_id) => listDeliveries(mine, { ...all, event_id })],
  revokeApiKey: ['key', (key_id) => revokeApiKey(mine, { key_id })],
  rotateApiKey: ['key', (key_id) => rotateApiKey(mine, { key_id })],
  getApiKey: ['key', (key_id) => getApiKey(mine, { key_id })],
  'createApiKey for a company': [
    'company',
    (company_id) => createApiKey(mine, { name: 'k', scope: 'human', company_ids: [company_id] }),
  ],
  'listActivity of a company': ['company', (company_id) => listActivity(mine, { ...all, company_id })],
  'listActivity of a record': ['balance', (resource_id) => listActivity(mine, { ...all, resource_id })],
  getMe: ['key', (keyId) => getMe({ ...mine, keyId })],
  getEvent: ['event', (event_id) => getEvent(mine, { event_id })],
  'listEvents of a company': ['company', (company_id) => listEvents(mine, { ...all, company_id })],
  redeliverEvent: ['event', (event_id) => redeliverEvent(mine, { event_id })],
  'redeliverEvent of theirs to mine': [
    'event',
    (event_id) => redeliverEvent(mine, { event_id, endpoint_id: own.endpoint }),
  ],
  'redeliverEvent of mine to theirs': [
    'endpoint',
    (endpoint_id) => redeliverEvent(mine, { event_id: own.event, endpoint_id }),
  ],
  getDelivery: ['delivery', (delivery_id) => getDelivery(mine, { delivery_id })],
  retryDelivery: ['delivery', (delivery_id) => retryDelivery(mine, { delivery_id })],
};

/** What a caller can tell from an answer, with the id that was asked for taken out. */
async function outcomeOf(answer: Promise<unknown>, id: string): Promise<string> {
  const seen = await answer.then(
    (value) => ({ value }),
    (error: unknown) =>
      error instanceof DomainError
        ? { code: error.code, status: error.status, message: error.message, fields: error.fields, extra: error.extra }
        : { message: String(error) },
  );
  return JSON.stringify(seen).replaceAll(id, 'ID').replaceAll(unknown(id), 'ID');
}

test.each(Object.entries(calls))(
  "S1: %s with another account's id answers and does what it does with an unknown id",
  async (_, [kind, call]) => {
    const before = await readTables(raw);
    const reported = await outcomeOf(call(foreign[kind]), foreign[kind]);
    expect(reported).toBe(await outcomeOf(call(unknown(foreign[kind])), unknown(foreign[kind])));
    expect(changesBetween(before, await readTables(raw))).toEqual({});
    for (const id of Object.values(foreign)) expect(reported).not.toContain(id);
  },
);

test('S1: the same calls with ids of the own account find what they name', async () => {
  const quiet = ['deleteEndpoint', 'revokeApiKey', 'rotateApiKey', 'updateEndpoint'];
  await waitForSettledFeed(mine);
  for (const [name, [kind, call]] of Object.entries(calls)) {
    if (quiet.includes(name) || name.includes('company') || name.includes('of theirs')) continue;
    expect(await outcomeOf(call(own[kind]), own[kind]), name).toContain('"value"');
  }
});

test('S1: lists hold nothing of another account', async () => {
  const lists = [
    await listCompanies(mine, all),
    await listEndpoints(mine, all),
    await listApiKeys(mine, all),
    await listDeliveries(mine, all),
    await listActivity(mine, all),
    { data: await readFeed(mine) },
  ];
  for (const list of lists) {
    expect(list.data.length).toBeGreaterThan(0);
    const text = JSON.stringify(list);
    for (const id of Object.values(foreign)) expect(text).not.toContain(id);
  }
});
