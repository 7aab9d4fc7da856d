/** The main job with the client that openapi-generator's `typescript-fetch` makes: main.js <url> <api key> <company>. */
import { deepStrictEqual } from 'node:assert';
import { setTimeout } from 'node:timers/promises';
import {
  BankApi,
  type BankTransactionInput,
  CashApi,
  CompaniesApi,
  Configuration,
  type Event,
  EventsApi,
  FinancialsApi,
  WebhookEndpointsApi,
} from './client/index.js';

const client = 'typescript-fetch';
const balanceCents = 123_456_789_012_345;
const amountCents = -4_294_967_297;

const [, , basePath = '', accessToken = '', companyId = ''] = process.argv;
const configuration = new Configuration({ basePath, accessToken });

function row(number: number): BankTransactionInput {
  return {
    externalId: `${client}-${number}`,
    postedAt: new Date('2026-03-31T12:00:00Z'),
    amountCents,
    currency: 'USD',
    connectionId: client,
  };
}

/** An event is in the feed a moment after its response. */
async function findEvent(id: string): Promise<Event> {
  const events = new EventsApi(configuration);
  for (let i = 0; i < 100; i++) {
    const page = await events.eventsList({ type: 'bank.balance.updated', order: 'desc', limit: 200 });
    const found = page.data.find((event) => event.id === id);
    if (found) return found;
    await setTimeout(100);
  }
  throw new Error(`The feed does not have ${id}.`);
}

const endpoint = await new WebhookEndpointsApi(configuration).webhookEndpointsCreate({
  webhookEndpointsCreateBody: {
    url: 'http://127.0.0.1:9/hook',
    events: ['bank.balance.updated'],
    filter: { op: 'gt', field: 'data.balance_cents', value: 0 },
  },
});
deepStrictEqual(endpoint.secret.startsWith('whsec_'), true);
deepStrictEqual(endpoint.filter, { op: 'gt', field: 'data.balance_cents', value: 0 });

const cash = new CashApi(configuration);
const balance = await cash.cashBalancesUpsert({
  companyId,
  cashBalancesUpsertBody: { asOf: new Date('2026-03-31'), balanceCents, currency: 'USD', connectionId: client },
});
deepStrictEqual(balance.result, 'created');
const stored = await cash.cashBalancesGet({ companyId, balanceId: balance.id });
deepStrictEqual(stored.balanceCents, balanceCents);

const bank = new BankApi(configuration);
const one = await bank.bankTransactionsIngest({ companyId, bankTransactionsIngestBody: row(1) });
deepStrictEqual([one.received, one.inserted, one.transactions[0]?.amountCents], [1, 1, amountCents]);
const many = await bank.bankTransactionsIngest({
  companyId,
  bankTransactionsIngestBody: { transactions: [row(1), row(2), row(3)] },
});
deepStrictEqual([many.received, many.inserted, many.skipped], [3, 2, 1]);

const snapshot = await new FinancialsApi(configuration).financialsSnapshotsUpsert({
  companyId,
  financialsSnapshotsUpsertBody: {
    statementType: 'income',
    periodStart: new Date('2026-03-01'),
    periodEnd: new Date('2026-03-31'),
    currency: 'USD',
    totals: { revenue: balanceCents },
    lineItems: [{ key: 'revenue', label: 'Revenue', amountCents: balanceCents }],
  },
});
deepStrictEqual(snapshot.lineItems[0]?.amountCents, balanceCents);
deepStrictEqual(snapshot.totals, { revenue: balanceCents });

const event = await findEvent(balance.eventId);
deepStrictEqual(event.data['balance_cents'], balanceCents);

const company = await new CompaniesApi(configuration).companiesGet({ companyId });
deepStrictEqual(company.id, companyId);
