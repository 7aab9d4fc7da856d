import type { Operation, Operations } from '@finhook/contracts';
import {
  createApiKey,
  createCompany,
  createEndpoint,
  deleteEndpoint,
  getCashBalance,
  getCashOnHand,
  getCompany,
  getDelivery,
  getEndpoint,
  getEvent,
  getMe,
  getSnapshot,
  getTransaction,
  ingestTransactions,
  listApiKeys,
  listCashBalances,
  listCompanies,
  listDeliveries,
  listEndpoints,
  listEvents,
  listEventTypes,
  listSnapshots,
  listTransactions,
  redeliverEvent,
  retryDelivery,
  revokeApiKey,
  testEndpoint,
  updateEndpoint,
  upsertCashBalance,
  upsertSnapshot,
  type Verb,
} from '@finhook/core';

/** A tree of verbs in the shape of the operations table. */
type HandlerTree<T> = { readonly [K in keyof T]: T[K] extends Operation ? Verb<T[K]> : HandlerTree<T[K]> };

/** The verb behind each operation. An operation without one does not compile. */
export const handlers: HandlerTree<Operations> = {
  me: { get: getMe },
  companies: { create: createCompany, get: getCompany, list: listCompanies },
  cash: {
    balances: { upsert: upsertCashBalance, get: getCashBalance, list: listCashBalances },
    onHand: getCashOnHand,
  },
  bank: { transactions: { ingest: ingestTransactions, get: getTransaction, list: listTransactions } },
  financials: { snapshots: { upsert: upsertSnapshot, get: getSnapshot, list: listSnapshots } },
  webhookEndpoints: {
    create: createEndpoint,
    get: getEndpoint,
    list: listEndpoints,
    update: updateEndpoint,
    delete: deleteEndpoint,
    test: testEndpoint,
  },
  apiKeys: { create: createApiKey, list: listApiKeys, revoke: revokeApiKey },
  events: { list: listEvents, get: getEvent, redeliver: redeliverEvent },
  eventTypes: { list: listEventTypes },
  deliveries: { list: listDeliveries, get: getDelivery, retry: retryDelivery },
};
