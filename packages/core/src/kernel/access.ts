import { agentEventTypes, type Permission, type Scope } from '@finhook/contracts';
import { companyNotFound, notFound } from './domain-error.ts';
import type { Filters } from './keyset.ts';

/** How far a key reaches inside its account (decision D54). */
export interface Access {
  /** The companies it sees; undefined means all. For a key of an agent: those the agent is attached to. */
  companyIds?: readonly string[] | undefined;
  /** What it may change; undefined means everything that its scope allows. */
  permissions?: readonly Permission[] | undefined;
  /** The agent that a key of scope `agent` acts as. */
  agentId?: string | undefined;
  /** Addresses and CIDR ranges it works from; undefined means any. Checked where the key is. */
  ipAllowlist?: readonly string[] | undefined;
  /** When it ends by itself; undefined means never. */
  expiresAt?: Date | undefined;
}

interface Caller {
  readonly access: Access;
}

interface Reader extends Caller {
  readonly scope: Scope;
}

/** A key that reaches the whole account. */
export const fullAccess: Access = {};

/** Whether the caller may know that this company exists. Where not, the answer is the one for an unknown id (S3). */
export function hasCompanyAccess({ access }: Caller, companyId: string): boolean {
  return access.companyIds === undefined || access.companyIds.includes(companyId);
}

/** Throws `company_not_found`, as for an unknown id, unless the caller reaches the company. */
export function assertCompanyAccess(caller: Caller, companyId: string): void {
  if (!hasCompanyAccess(caller, companyId)) throw companyNotFound();
}

/** What was looked up by its own id, if there is one and its company is in reach; throws `not_found` for both alike. */
export function assertAccessible<T extends { companyId: string } | { company_id: string }>(
  caller: Caller,
  found: T | null | undefined,
  what: string,
): T {
  if (!found || !hasCompanyAccess(caller, 'companyId' in found ? found.companyId : found.company_id))
    throw notFound(what);
  return found;
}

/** The value of `companyAccessSql`'s parameter: the companies that the caller reaches; null means all. */
export function accessibleCompanies({ access }: Caller): readonly string[] | null {
  return access.companyIds ?? null;
}

/**
 * SQL that holds for rows whose company is one of the parameter `reach`, like `$3`, and for all where it is null. Rows
 * without a company are out of every reach but the whole one.
 */
export function companyAccessSql(reach: string, company = 'company_id'): string {
  return `(${reach}::text[] IS NULL OR ${company} = ANY (${reach}::text[]))`;
}

/** Whether the caller works on what is internal: a key of scope `read` may be in the hands of outsiders. */
export function readsInternal({ scope }: Pick<Reader, 'scope'>): boolean {
  return scope !== 'read';
}

/** Keeps a list to the companies that the caller reaches; rows without a company are then left out as well. */
export function filterByCompanyAccess(filters: Filters, { access }: Caller, column: string): void {
  filters.where(access.companyIds, `${column} = ANY (?::text[])`);
}

/** The agent that the caller is; null for people and readers, who may know of all agents. */
export function ownAgent({ scope, access }: Reader): string | null {
  return scope === 'agent' ? (access.agentId ?? '') : null;
}

const AGENT_TYPES = agentEventTypes.map((type) => `'${type}'`).join(', ');

/**
 * SQL that holds for rows of `event` that tell of no other agent than the one in the parameter `agent`, a text of
 * `ownAgent`, and for all where it is null (S7). Only the bodies of events about agents are read.
 */
function ofNoOtherAgent(agent: string): string {
  const field = (name: string): string => `event_document(body) #>> '{data,${name}}'`;
  return `(${agent} IS NULL OR type NOT IN (${AGENT_TYPES}) OR coalesce(${field('agent_id')}, ${field('id')}) = ${agent})`;
}

/** The values of `readableEventSql`'s parameters. */
export function readerOf(caller: Reader): [readsInternal: boolean, agent: string | null] {
  return [readsInternal(caller), ownAgent(caller)];
}

/**
 * SQL that holds for rows of `event` that a caller of their company may read: a reader is told nothing of internal ones, an
 * agent nothing of other agents. `first` is the number of the first parameter of `readerOf`.
 */
export function readableEventSql(first: number): string {
  return `(($${first} OR NOT internal) AND ${ofNoOtherAgent(`$${first + 1}::text`)})`;
}

/** Keeps a list of rows of `event` to those that the caller may read; company and account are asked for elsewhere. */
export function filterReadable(filters: Filters, caller: Reader): void {
  if (!readsInternal(caller)) filters.add('NOT internal');
  filters.where(ownAgent(caller), ofNoOtherAgent('?::text'));
}
