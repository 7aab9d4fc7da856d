import { agentEventTypes, type Permission, type Scope } from '@finhook/contracts';
import type { Filters } from '../lists/keyset.ts';
import { companyNotFound, notFound } from '../verbs/domain-error.ts';

/** The records that an API key may read and change in its account. */
export interface Access {
  /** Undefined means all companies. For the key of an agent: those that the agent is attached to. */
  companyIds?: readonly string[] | undefined;
  /** Write permissions. Undefined means all that its scope allows. */
  permissions?: readonly Permission[] | undefined;
  agentId?: string | undefined;
  /** Set for a key of scope `ingest` only. */
  ingest?: IngestAccess | undefined;
  /** Allowed addresses and CIDR ranges; undefined means any. Checked during authentication. */
  ipAllowlist?: readonly string[] | undefined;
  expiresAt?: Date | undefined;
}

export interface IngestAccess {
  /** The first key of its chain of rotations, which owns what the chain posts. */
  originId: string;
  /** Undefined means any. */
  connectionIds?: readonly string[] | undefined;
  sources?: readonly string[] | undefined;
}

interface Caller {
  readonly access: Access;
}

interface Reader extends Caller {
  readonly scope: Scope;
}

export const fullAccess: Access = {};

/** False for companies that the caller must not know of: they are reported as unknown. */
export function hasCompanyAccess({ access }: Caller, companyId: string): boolean {
  return access.companyIds === undefined || access.companyIds.includes(companyId);
}

export function assertCompanyAccess(caller: Caller, companyId: string): void {
  if (!hasCompanyAccess(caller, companyId)) throw companyNotFound();
}

/** @throws `not_found` if the record is missing or belongs to a company without access */
export function assertAccessible<T extends { companyId: string } | { company_id: string }>(
  caller: Caller,
  found: T | null | undefined,
  what: string,
): T {
  if (!found || !hasCompanyAccess(caller, 'companyId' in found ? found.companyId : found.company_id))
    throw notFound(what);
  return found;
}

/** The parameter of `companyAccessSql`. Null means all companies. */
export function accessibleCompanies({ access }: Caller): readonly string[] | null {
  return access.companyIds ?? null;
}

/**
 * SQL: true if a row's company is in the array parameter `companies`, or if that is null. Rows without a company need
 * access to the whole account.
 */
export function companyAccessSql(companies: string, company = 'company_id'): string {
  return `(${companies}::text[] IS NULL OR ${company} = ANY (${companies}::text[]))`;
}

/** Keys of scope `read` may belong to third parties, so they see no internal records. */
export function readsInternal({ scope }: Pick<Reader, 'scope'>): boolean {
  return scope !== 'read';
}

/** Restricts a list to the caller's companies. Rows without a company need access to the whole account. */
export function filterByCompanyAccess(filters: Filters, { access }: Caller, column: string): void {
  filters.where(access.companyIds, `${column} = ANY (?::text[])`);
}

export function ownAgent({ scope, access }: Reader): string | null {
  return scope === 'agent' ? (access.agentId ?? '') : null;
}

const AGENT_TYPES = agentEventTypes.map((type) => `'${type}'`).join(', ');

/** SQL: false for events about agents other than the parameter `agent` (`ownAgent`), unless that is null. */
function ofNoOtherAgent(agent: string): string {
  const field = (name: string): string => `event_document(body) #>> '{data,${name}}'`;
  return `(${agent} IS NULL OR type NOT IN (${AGENT_TYPES}) OR coalesce(${field('agent_id')}, ${field('id')}) = ${agent})`;
}

/** The parameters of `readableEventSql`. */
export function readerOf(caller: Reader): [readsInternal: boolean, agent: string | null] {
  return [readsInternal(caller), ownAgent(caller)];
}

/**
 * SQL: true for events that the caller may read, if it has access to their company. `first` is the number of the first
 * parameter of `readerOf`.
 */
export function readableEventSql(first: number): string {
  return `(($${first} OR NOT internal) AND ${ofNoOtherAgent(`$${first + 1}::text`)})`;
}

/** Restricts a list to events that match `readableEventSql`. */
export function filterReadable(filters: Filters, caller: Reader): void {
  if (!readsInternal(caller)) filters.add('NOT internal');
  filters.where(ownAgent(caller), ofNoOtherAgent('?::text'));
}
