import { type Operation, operationList, operations } from '@finhook/contracts';
import { expect } from 'vitest';
import type { ApiResponse, Input } from './api-client.ts';
import { pathNames } from './api-fixture.ts';
import type { Seed } from './seed-tenant.ts';

/** Operations that end a record which others need. */
const endings = new Set(['events.purgeEvidence', 'webhookEndpoints.delete', 'apiKeys.revoke']);

/** Every operation, those that end a record last. */
export const walkOrder: readonly Operation[] = [
  ...operationList.filter(({ id }) => !endings.has(id)),
  ...operationList.filter(({ id }) => endings.has(id)),
];

const { apiKeys, bank, cash, companies, deliveries, events, filings, financials, webhookEndpoints } = operations;

/** An operation of each shape: a list, a record, a creation, a change, an action, a secret and so on. */
export const shapes: readonly Operation[] = [
  companies.list,
  companies.get,
  financials.summary,
  companies.create,
  companies.update,
  cash.balances.upsert,
  bank.transactions.ingest,
  bank.connections.setSecret,
  filings.submit,
  webhookEndpoints.test,
  webhookEndpoints.verifySignature,
  deliveries.list,
  apiKeys.create,
  apiKeys.revoke,
  events.purgeEvidence,
];

/** Properties by which the protocols distinguish operations. */
export function featuresOf({ kind, http, secretOutput, etag, rows, variant, bodyLimit }: Operation): string[] {
  const { method, success, status, query = [], aliases = [] } = http;
  return [
    `${kind} ${method}`,
    `success ${status ? 'by output' : success}`,
    ...query.map((name) => `parameter ${name}`),
    ...aliases.map((alias) => `alias ${alias.method} ${alias.success}`),
    ...Object.entries({ secretOutput, etag, rows, variant, bodyLimit }).flatMap(([name, has]) => (has ? [name] : [])),
  ];
}

/** Names in the seed for operations that need a record in a certain state. */
const standIns: Record<string, Record<string, keyof Seed>> = {
  'agents.attach': { agent_id: 'spare_agent_id' },
  'agents.detach': { agent_id: 'spare_agent_id' },
  'agentApprovals.cancel': { agent_approval_id: 'spare_agent_approval_id' },
  'companies.dissolve': { company_id: 'spare_company_id' },
  'companies.formation.completeStep': { company_id: 'forming_company_id' },
  'bank.connections.sync': { connection_id: 'idle_connection_id' },
  'bank.connections.disconnect': { connection_id: 'spare_connection_id' },
  'bank.approvals.cancel': { approval_id: 'spare_approval_id' },
};

/** The ids that an operation's path asks for, taken from `seed`. */
export function idsFor(operation: Operation, seed: Seed): Input {
  const known: Input = { ...seed };
  const place = (name: string): string => standIns[operation.id]?.[name] ?? name;
  return Object.fromEntries(pathNames(operation).map((name) => [name, known[place(name)]]));
}

const EXAMPLE_ID = /^[a-z]+_01kgw3q2m8v7d5n0r4t6x9zabc$/;

/** A valid input: the example with the ids of existing records. */
export function inputFor(operation: Operation, seed: Seed): Input {
  const known: Input = { ...seed };
  const fields = Object.entries(operation.example).map(([name, value]) => [
    name,
    EXAMPLE_ID.test(String(value)) ? known[name] : value,
  ]);
  return { ...idsFor(operation, seed), ...Object.fromEntries(fields) };
}

const HOUR = 3_600_000;
const MONTH_HOURS = 31 * 24;

/** The distance of a time from now, for times near now and deadlines of whole hours. */
function relativeTime(time: string): string {
  const hours = (Date.parse(time) - Date.now()) / HOUR;
  if (Math.abs(hours) < 1) return 'just now';
  return hours > 0 && hours < MONTH_HOURS ? `in ${Math.round(hours)} hours` : time;
}

/** The text of a response without the parts that differ between equal calls. */
export function normalize(body: unknown): unknown {
  const text = JSON.stringify(body)
    .replaceAll(/\b([a-z]+)_[0-9a-hjkmnp-tv-z]{26}\b/g, '$1_…')
    .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, (time) => relativeTime(time))
    .replaceAll(/whsec_[A-Za-z0-9+/=]+|sk_(live|test)_[A-Za-z0-9]{36}/g, 'secret')
    .replaceAll(/"prefix":"sk_live_\w{4}"/g, '"prefix":"…"')
    .replaceAll(/"last4":"\w{4}"/g, '"last4":"…"')
    .replaceAll(/"challenge":"[0-9a-f]{32}"/g, '"challenge":"…"')
    .replaceAll(/"(duration_ms|age_seconds)":-?\d+(\.\d)?/g, '"$1":"…"')
    .replaceAll(/"(next|prev)_cursor":"[^"]+"/g, '"$1_cursor":"…"');
  const parsed: unknown = JSON.parse(text);
  return parsed;
}

/** A rejection without the parts that name the request. */
export function anonymousProblem({ problem }: ApiResponse): unknown {
  return { ...problem, request_id: '…', instance: '…' };
}

/** A response that names its version, is not stored, runs no script and allows no other origin. */
export function expectProtectedResponse(name: string, { headers }: ApiResponse, hasEtag = false): void {
  expect(headers, name).toMatchObject({
    'x-api-version': expect.stringMatching(/^1\.\d+$/),
    // A response with an ETag is cached and revalidated.
    'cache-control': hasEtag ? 'private, no-cache' : 'no-store',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'content-security-policy': expect.stringContaining("default-src 'none'"),
  });
  const unwanted = /^(x-powered-by$|server$|access-control-)/;
  expect(
    Object.keys(headers).filter((header) => unwanted.test(header)),
    name,
  ).toEqual([]);
}
