import { type Operation, operationList } from '@finhook/contracts';
import { pathNames } from './api-fixture.ts';
import type { Seed } from './seed-tenant.ts';
import type { Answer, Input } from './surface-client.ts';

/** Operations that end the life of a record which others of the walk need. */
const endings = new Set(['webhookEndpoints.delete', 'apiKeys.revoke']);

/** Every operation, in an order in which each one finds its record alive. */
export const walkOrder: readonly Operation[] = [
  ...operationList.filter(({ id }) => !endings.has(id)),
  ...operationList.filter(({ id }) => endings.has(id)),
];

export const posts = operationList.filter(({ http }) => http.method === 'POST');

/** The ids that an operation's path asks for, taken from `seed`. */
export function idsFor(operation: Operation, seed: Seed): Input {
  const known: Input = { ...seed };
  return Object.fromEntries(pathNames(operation).map((name) => [name, known[name]]));
}

/** An input that works: the operation's example with the ids of existing records. */
export function inputFor(operation: Operation, seed: Seed): Input {
  return { ...idsFor(operation, seed), ...operation.example };
}

const HOUR = 3_600_000;

/** An answer's text with everything that differs between two equal calls replaced by its kind. */
export function normalize(body: unknown): unknown {
  const text = JSON.stringify(body)
    .replaceAll(/\b([a-z]+)_[0-9a-hjkmnp-tv-z]{26}\b/g, '$1_…')
    .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, (time) =>
      Math.abs(Date.parse(time) - Date.now()) < HOUR ? 'just now' : time,
    )
    .replaceAll(/whsec_[A-Za-z0-9+/=]+|sk_(live|test)_[A-Za-z0-9]{36}/g, 'secret')
    .replaceAll(/"prefix":"sk_live_\w{4}","last4":"\w{4}"/g, '"prefix":"…","last4":"…"')
    .replaceAll(/"next_cursor":"[^"]+"/g, '"next_cursor":"…"');
  const parsed: unknown = JSON.parse(text);
  return parsed;
}

/** A refusal without what names the request: two refusals that look alike tell a stranger nothing. */
export function anonymousProblem({ problem }: Answer): unknown {
  return { ...problem, request_id: '…', instance: '…' };
}
